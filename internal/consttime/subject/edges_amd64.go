//go:build !purego

package main

import (
	"fmt"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// over returns the n bytes of b, which has two pages, that end past bytes behind its last
// page boundary.
func over(b []byte, n, past int) []byte {
	end := uintptr(unsafe.Pointer(unsafe.SliceData(b))) + uintptr(len(b))
	at := len(b) - int(end%4096) + past
	return b[at-n : at]
}

// gcmEdges are the kernels that take another way where text or additional data end with a
// page, or not far behind one.
func gcmEdges() []subject {
	table := (*[624]byte)(mem.gcmTable[:])
	var all []subject
	for i, l := range []lengths{{16, 13}, {48, 33}, {100, 100}, {600, 300}, {1350, 60}} {
		for _, past := range []int{0, 1, 9} {
			rounds := 10 + 2*(i%3)
			blocks := l.n &^ 15
			variant := fmt.Sprintf("%v,rounds=%d,page+%d", l, rounds, past)
			add := func(name string, of *impl.Primitive, n int, f func(dst, src, ad *byte)) {
				dst, src, ad := over(mem.dst[:8192], n, past), over(mem.src[:8192], n, past), over(mem.ad[:8192], l.ad, past)
				all = append(all, kernel(name, variant, of, impl.VAES512, func(s *secret) {
					s.bytes(src)
					s.bytes(ad)
					s.bytes(mem.nonce[:])
					s.bytes(mem.roundKeys[:])
					s.bytes(table[:])
					s.bytes(mem.block[:])
					s.bytes(mem.state[:])
				}, func() { f(&dst[0], &src[0], &ad[0]) }))
			}
			add("GCMSealVAES512", impl.GCM, l.n, func(dst, src, ad *byte) {
				kernels.GCMSealVAES512(dst, src, l.n, &mem.tag, &mem.nonce[0], 12, ad, l.ad, &mem.roundKeys, rounds, table)
			})
			add("GCMOpenVAES512", impl.GCM, l.n, func(dst, src, ad *byte) {
				kernels.GCMOpenVAES512(dst, src, l.n, &mem.tag, &mem.nonce[0], 12, ad, l.ad, &mem.roundKeys, rounds, table)
			})
			add("GCMSealBlocksVAES512", impl.GCM, blocks, func(dst, src, _ *byte) {
				kernels.GCMSealBlocksVAES512(dst, src, blocks, &mem.block, &mem.state, &mem.roundKeys, rounds, table)
			})
			add("GCMOpenBlocksVAES512", impl.GCM, blocks, func(dst, src, _ *byte) {
				kernels.GCMOpenBlocksVAES512(dst, src, blocks, &mem.block, &mem.state, &mem.roundKeys, rounds, table)
			})
			add("GCMHashVAES512", impl.GCM, l.n, func(_, src, _ *byte) {
				kernels.GCMHashVAES512(&mem.state, src, l.n, table)
			})
			add("CTRVAES512", impl.CTR, l.n, func(dst, src, _ *byte) {
				kernels.CTRVAES512(dst, src, l.n, 1, 0x10, &mem.roundKeys, rounds)
			})
		}
	}
	return all
}
