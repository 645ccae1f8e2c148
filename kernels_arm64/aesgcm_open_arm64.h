// What tells opening from sealing: replaces the definitions of aesgcm_seal_arm64.h.
// Opening, a stride hashes the ciphertext that it decrypts, and none is left behind.
#undef CIPHERTEXT4
#undef CIPHERTEXT2
#undef CIPHERTEXT1
#undef FIRST4OF6
#undef LAST2OF6
#undef KEEPBEFORE
#undef KEEPAFTER
#undef HASHNOW
#undef HASHNEXT
#undef HASHFIRST
#undef HASHLAST
#undef TAIL9
#undef FIRSTSTRIDE

#define CIPHERTEXT4 [T0.B16, T1.B16, T2.B16, T3.B16]
#define CIPHERTEXT2 [T0.B16, T1.B16]
#define CIPHERTEXT1 [T0.B16]
#define FIRST4OF6 [T0.B16, T1.B16, T2.B16, T3.B16]
#define LAST2OF6 [T4.B16, T5.B16]
#define KEEPBEFORE STP (R14, R15), (SLOT)
#define KEEPAFTER
#define HASHNOW MOVD SRC, HASHED
#define HASHNEXT
#define HASHFIRST GROUP8
#define HASHLAST
#define TAIL9 FIRST9(AES8)
#define FIRSTSTRIDE
