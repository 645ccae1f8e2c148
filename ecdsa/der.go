package ecdsa

// An ECDSA signature is the DER encoding of SEQUENCE { r INTEGER, s INTEGER }. For
// P-256 both integers are below 2^256, so each takes at most 33 bytes of content
// and the sequence at most 70: every length of a valid signature fits one byte.
const (
	tagSequence = 0x30
	tagInteger  = 0x02
)

// parseSignature decodes a P-256 signature into big-endian r and s. It reports
// whether sig is the DER encoding of two integers in [0, 2^256) with nothing
// behind it.
func parseSignature(r, s *[32]byte, sig []byte) bool {
	if len(sig) < 2 || sig[0] != tagSequence || int(sig[1]) != len(sig)-2 || sig[1] >= 0x80 {
		return false
	}
	rest, ok := parseInteger(r, sig[2:])
	if !ok {
		return false
	}
	rest, ok = parseInteger(s, rest)
	return ok && len(rest) == 0
}

// parseInteger decodes the DER INTEGER in [0, 2^256) that b begins with and
// returns what follows it.
func parseInteger(v *[32]byte, b []byte) (rest []byte, ok bool) {
	if len(b) < 3 || b[0] != tagInteger || b[1] == 0 || b[1] > 33 || int(b[1]) > len(b)-2 {
		return nil, false
	}
	content, rest := b[2:2+b[1]], b[2+b[1]:]
	if content[0]&0x80 != 0 {
		return nil, false // negative
	}
	if content[0] == 0 && len(content) > 1 {
		if content[1]&0x80 == 0 {
			return nil, false // not minimal
		}
		content = content[1:]
	}
	if len(content) > len(v) {
		return nil, false
	}
	rightAlign(v, content)
	return rest, true
}

// encodeSignature returns the DER encoding of the big-endian integers r and s, 8 to
// 72 bytes.
func encodeSignature(r, s *[32]byte) []byte {
	n := integerLen(r) + integerLen(s)
	sig := make([]byte, 0, 2+n)
	sig = append(sig, tagSequence, byte(n))
	return appendInteger(appendInteger(sig, r), s)
}

// integerLen returns the length of v's DER encoding, header included.
func integerLen(v *[32]byte) int {
	i := leadingZeros(v)
	return 2 + len(v) - i + int(v[i]>>7)
}

func appendInteger(b []byte, v *[32]byte) []byte {
	i := leadingZeros(v)
	b = append(b, tagInteger, byte(integerLen(v)-2))
	if v[i]&0x80 != 0 {
		b = append(b, 0)
	}
	return append(b, v[i:]...)
}

// leadingZeros returns how many leading zero bytes of v an INTEGER leaves out: all
// of them, but at most 31.
func leadingZeros(v *[32]byte) int {
	i := 0
	for i < len(v)-1 && v[i] == 0 {
		i++
	}
	return i
}

// rightAlign sets v to the big-endian integer b of at most 32 bytes.
func rightAlign(v *[32]byte, b []byte) {
	*v = [32]byte{}
	copy(v[len(v)-len(b):], b)
}
