package decoder

import (
	"bytes"
	"compress/zlib"
	"io"
	"testing"
)

func BenchmarkZlib(b *testing.B) {
	for _, sample := range []struct {
		name string
		data func() []byte
	}{
		{"photo", func() []byte { return photo(512, 512) }},
		{"differences", func() []byte { return differences(512 * 512) }},
		{"flat", func() []byte { return make([]byte, 512*512*3) }},
		{"texture", func() []byte { return texture(512 * 512 * 3) }},
		{"noise", func() []byte { return noise(512 * 512 * 3) }},
		{"small photo", func() []byte { return photo(64, 64) }},
	} {
		b.Run(sample.name, func(b *testing.B) {
			data := sample.data()
			src, dst := zlibbed(b, data), make([]byte, len(data))
			b.Run("ours", func(b *testing.B) {
				var decoder Decoder
				b.SetBytes(int64(len(dst)))
				b.ReportAllocs()
				for b.Loop() {
					if n, err := decoder.Zlib(dst, src); n != len(dst) || err != nil {
						b.Fatal(n, err)
					}
				}
			})
			b.Run("standard library", func(b *testing.B) {
				r, err := zlib.NewReader(bytes.NewReader(src))
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(dst)))
				b.ReportAllocs()
				for b.Loop() {
					if err := r.(zlib.Resetter).Reset(bytes.NewReader(src), nil); err != nil {
						b.Fatal(err)
					}
					if _, err := io.ReadFull(r, dst); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
