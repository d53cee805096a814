package lzma

import (
	"bytes"
	"testing"
)

func BenchmarkDecode(b *testing.B) {
	for _, sample := range []struct {
		name string
		data []byte
		encoder
	}{
		{"photo", photo(256, 256), encoder{lc: 3, pb: 2, delta: 3}},
		{"photo, no delta", photo(256, 256), encoder{lc: 3, pb: 2}},
		{"flat", make([]byte, 256*256*3), encoder{lc: 3, pb: 2, delta: 1}},
		{"text", bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog, "), 3000), encoder{lc: 3, pb: 2}},
		{"noise", noise(256 * 256 * 3), encoder{lc: 3, pb: 2, check: checkCRC64}},
	} {
		src := sample.file(sample.data)
		dst := make([]byte, len(sample.data))
		b.Run(sample.name, func(b *testing.B) {
			var decoder Decoder
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				if n, err := decoder.Decode(dst, src); n != len(dst) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}
