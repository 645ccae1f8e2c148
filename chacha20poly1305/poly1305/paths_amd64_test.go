//go:build !purego

package poly1305

import (
	"encoding/binary"
	"math/big"
	"testing"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// TestKernelBlocks calls the vector kernels themselves with every number of blocks that
// they promise to take, also those that the dispatch gives to the kernel on general
// registers, and with an accumulator that is not zero.
func TestKernelBlocks(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("has no kernel")
		}
		r := testkit.Rand(t)
		m := testkit.Bytes(r, 16*80)
		for blocks := 1; blocks <= 80; blocks++ {
			key := [32]byte(testkit.Bytes(r, 32))
			var got, want state
			var powers [24]uint64
			use := blocks % 3 // with 2 the powers are those of another call
			initialize(tier, &want, &key)
			kernels.Poly1305BlocksADX(&want.kernelState, unsafe.SliceData(testkit.Bytes(r, 48)), 3)
			got = want
			kernels.Poly1305BlocksADX(&want.kernelState, unsafe.SliceData(m), blocks)
			switch {
			case tier == impl.IFMA512 && blocks >= 4:
				if use == 2 {
					other := got.kernelState
					kernels.Poly1305BlocksIFMA512(&other, unsafe.SliceData(m), 5, &powers, 1)
				}
				kernels.Poly1305BlocksIFMA512(&got.kernelState, unsafe.SliceData(m), blocks, &powers, use)
			case tier == impl.AVX2 && blocks%8 == 4:
				kernels.Poly1305BlocksAVX2(&got.kernelState, unsafe.SliceData(m), blocks)
			default:
				continue
			}
			if got.kernelState[2] > 4 {
				t.Fatalf("%d blocks: the third limb is %d", blocks, got.kernelState[2])
			}
			var gotTag, wantTag [16]byte
			finish(tier, &got, &gotTag, nil)
			finish(tier, &want, &wantTag, nil)
			if gotTag != wantTag {
				t.Fatalf("%d blocks: the kernels differ", blocks)
			}
		}
	})
}

// TestKernelCarries chooses the last block such that the accumulator that a kernel leaves
// is just beside a multiple of 2^128, with and without a carry in the sum of its lanes, and
// looks at all of it: a lost carry shows in a tag only if another block follows.
func TestKernelCarries(t *testing.T) {
	top := new(big.Int).Lsh(big.NewInt(1), 128)
	clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("has no kernel")
		}
		rnd := testkit.Rand(t)
		for _, blocks := range []int{4, 12, 20, 36, 68} {
			for multiple := int64(0); multiple <= 4; multiple++ {
				for _, d := range []int64{-1 << 40, -1, 0, 1, 100, 1 << 20, 1 << 40, 1 << 60} {
					target := new(big.Int).Mul(top, big.NewInt(multiple))
					target.Add(target, big.NewInt(d)).Mod(target, prime)
					key, m := [32]byte(testkit.Bytes(rnd, 32)), make([]byte, 16*blocks)
					r := littleEndian(key[:16])
					r.And(r, clamp)
					last := new(big.Int).Mul(target, new(big.Int).ModInverse(r, prime))
					last.Sub(last, top)
					for tries := 0; ; tries++ {
						rnd.Read(m)
						acc := new(big.Int)
						for i := 0; i < len(m)-16; i += 16 {
							acc.Add(acc, littleEndian(m[i:i+16])).Add(acc, top)
							acc.Mul(acc, r).Mod(acc, prime)
						}
						block := acc.Sub(last, acc).Mod(acc, prime)
						if block.BitLen() <= 128 {
							for i, b := range block.FillBytes(make([]byte, 16)) {
								m[len(m)-1-i] = b
							}
							break
						}
						if tries > 100 {
							t.Fatal("no last block found")
						}
					}
					var st state
					initialize(tier, &st, &key)
					switch tier {
					case impl.IFMA512:
						kernels.Poly1305BlocksIFMA512(&st.kernelState, unsafe.SliceData(m), blocks, nil, 0)
					case impl.AVX2:
						kernels.Poly1305BlocksAVX2(&st.kernelState, unsafe.SliceData(m), blocks)
					default:
						kernels.Poly1305BlocksADX(&st.kernelState, unsafe.SliceData(m), blocks)
					}
					var h [24]byte
					for i := range 3 {
						binary.LittleEndian.PutUint64(h[8*i:], st.kernelState[i])
					}
					if got := littleEndian(h[:]); st.kernelState[2] > 4 || got.Mod(got, prime).Cmp(target) != 0 {
						t.Fatalf("%d blocks: the accumulator is %x, want %x", blocks, got, target)
					}
				}
			}
		}
	})
}

// TestPowerCarries has an r for each power r^i that the vector kernels compute, such that
// the last carry of that product runs through all of its second word: r^i is just above a
// multiple of 2^128. Random keys do that once in 2^64. To find them, take i-th roots of
// such numbers until one is below 2^124, has a first word below 2^60 and a second one that
// is a multiple of 4, which is all of clamping that the kernels rely on.
func TestPowerCarries(t *testing.T) {
	keys := [][2]uint64{
		{0x10d077f660fcf29, 0x6e0a00a1b91358},  // r^2 = 3 2^128 + 1239
		{0xc733cb10a7cd5e8, 0xc8ef1811e8b2914}, // r^3 = 2 2^128 + 1151
		{0x183ea1b1c57320b, 0x32117a4f57cdd78}, // r^4 = 3 2^128 + 584
		{0xaab71a5f5e4641e, 0xa2aca9cd3021728}, // r^5 = 1 2^128 + 4120
		{0x68a255a8c5cf328, 0x2283ea90978dae8}, // r^6 = 1 2^128 + 98
		{0x3ba97444548766, 0x6eebc7e8bf210c4},  // r^7 = 2 2^128 + 352
		{0x85a15470ee61421, 0x5a974c87d85a210}, // r^8 = 2 2^128 + 1490
	}
	top := new(big.Int).Lsh(big.NewInt(1), 128)
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		if tier != impl.IFMA512 && tier != impl.AVX2 {
			t.Skip("computes no powers")
		}
		m := testkit.Bytes(testkit.Rand(t), 16*68)
		for i, key := range keys {
			r := new(big.Int).SetUint64(key[1])
			r.Lsh(r, 64).Add(r, new(big.Int).SetUint64(key[0]))
			power := new(big.Int).Exp(r, big.NewInt(int64(i+2)), prime)
			if low := new(big.Int).Mod(power, top); power.Cmp(top) < 0 || low.BitLen() > 13 {
				t.Fatalf("r^%d is %x", i+2, power)
			}
			for _, blocks := range []int{4, 12, 36, 68} {
				want := new(big.Int)
				for j := range blocks {
					want.Add(want, littleEndian(m[16*j:16*j+16])).Add(want, top)
					want.Mul(want, r).Mod(want, prime)
				}
				st := kernelState{3: key[0], 4: key[1]}
				if tier == impl.IFMA512 {
					kernels.Poly1305BlocksIFMA512(&st, unsafe.SliceData(m), blocks, nil, 0)
				} else {
					kernels.Poly1305BlocksAVX2(&st, unsafe.SliceData(m), blocks)
				}
				var h [24]byte
				for j := range 3 {
					binary.LittleEndian.PutUint64(h[8*j:], st[j])
				}
				if got := littleEndian(h[:]); got.Mod(got, prime).Cmp(want) != 0 {
					t.Errorf("carry in r^%d, %d blocks: the accumulator is %x, want %x", i+2, blocks, got, want)
				}
			}
		}
	})
}
