// What tells sealing from opening in aesgcm_message_arm64.h and aesgcm_blocks_arm64.h.
// Sealing, GHASH is a stride behind AES: a stride hashes the ciphertext of the one
// before, and after the last one there is something left to hash.
#define CIPHERTEXT4 [B0.B16, B1.B16, B2.B16, B3.B16]
#define CIPHERTEXT2 [B0.B16, B1.B16]
#define CIPHERTEXT1 [B0.B16]
#define FIRST4OF6 [B2.B16, B3.B16, B4.B16, B5.B16]
#define LAST2OF6 [B6.B16, B7.B16]
#define KEEPBEFORE
#define KEEPAFTER STP (R14, R15), (SLOT)
#define HASHNOW
#define HASHNEXT MOVD DST, HASHED
#define HASHFIRST
#define HASHLAST GROUP8
#define TAIL9 STRIDE

// The first stride of whole blocks has none before it. LEN + 128 bytes are left.
#define FIRSTSTRIDE \
	COUNTERS8               \
	ADDCTR8                 \
	FIRST9(AES8)            \
	MIDDLE(AES8, lastfirst) \
	XOR8                    \
	MOVD DST, HASHED        \
	STORE8                  \
	SUBS $128, LEN, LEN     \
	BLT  strided
