//go:build !amd64 || purego

package decoder

import "tileserver/codec/webp/vp8"

func addWhole(dst []uint8, stride int, in *[16]int16) { vp8.AddBlock(dst, stride, in) }
