// Blocks of 1 to 15 bytes, held in two general registers, the first byte lowest.
// Nothing outside the bytes is read or written: loads and stores overlap instead.
// Control flow depends on the length N only.

// LOADBYTES loads N bytes at P into LOW and HIGH, zeros behind them. Eight bytes or
// more are the first eight and the last eight, these shifted down by 128 − 8N bits in
// two steps, since that may be 64; four or more likewise; of one to three, bytes 0,
// N/2 and N−1 are all there are. Clobbers X and Y.
#define LOADBYTES(P, N, LOW, HIGH, X, Y, less8, less4, done) \
	ADD   P, N, X            \
	LSL   $3, N, Y           \
	CMP   $8, N              \
	BLT   less8              \
	MOVD  (P), LOW           \
	MOVD  -8(X), HIGH        \
	SUB   $120, Y, Y         \
	NEG   Y, Y               \
	LSR   $8, HIGH, HIGH     \
	LSR   Y, HIGH, HIGH      \
	B     done               \
less8:                       \
	CMP   $4, N              \
	BLT   less4              \
	MOVWU (P), LOW           \
	MOVWU -4(X), HIGH        \
	SUB   $32, Y, Y          \
	LSL   Y, HIGH, HIGH      \
	ORR   HIGH, LOW, LOW     \
	MOVD  ZR, HIGH           \
	B     done               \
less4:                       \
	MOVBU (P), LOW           \
	MOVBU -1(X), HIGH        \
	SUB   $8, Y, Y           \
	LSL   Y, HIGH, HIGH      \
	ORR   HIGH, LOW, LOW     \
	LSR   $1, N, Y           \
	MOVBU (P)(Y), HIGH       \
	LSL   $3, Y, Y           \
	LSL   Y, HIGH, HIGH      \
	ORR   HIGH, LOW, LOW     \
	MOVD  ZR, HIGH           \
done:

// STOREBYTES stores the first N bytes of LOW and HIGH at P, and clears those
// behind them in the registers. Shifts count modulo 64, so that 8N also stands for
// 8N − 64. Clobbers X, Y and Z.
#define STOREBYTES(P, N, LOW, HIGH, X, Y, Z, less8, less4, done) \
	ADD   P, N, X            \
	LSL   $3, N, Y           \
	MOVD  $-1, Z             \
	LSL   Y, Z, Z            \
	CMP   $8, N              \
	BLT   less8              \
	BIC   Z, HIGH, HIGH      \
	MOVD  LOW, (P)           \
	LSR   Y, LOW, Z          \
	NEG   Y, Y               \
	LSL   Y, HIGH, Y         \
	ORR   Y, Z, Z            \
	MOVD  Z, -8(X)           \
	B     done               \
less8:                       \
	BIC   Z, LOW, LOW        \
	MOVD  ZR, HIGH           \
	CMP   $4, N              \
	BLT   less4              \
	MOVW  LOW, (P)           \
	SUB   $32, Y, Y          \
	LSR   Y, LOW, Z          \
	MOVW  Z, -4(X)           \
	B     done               \
less4:                       \
	MOVB  LOW, (P)           \
	SUB   $8, Y, Y           \
	LSR   Y, LOW, Z          \
	MOVB  Z, -1(X)           \
	LSR   $1, N, Y           \
	LSL   $3, Y, Z           \
	LSR   Z, LOW, Z          \
	MOVB  Z, (P)(Y)          \
done:
