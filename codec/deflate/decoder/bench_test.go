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
		data []byte
	}{
		{"photo", photo(512, 512)},
		{"differences", differences(512 * 512)},
		{"flat", make([]byte, 512*512*3)},
		{"texture", texture(512 * 512 * 3)},
		{"noise", noise(512 * 512 * 3)},
		{"small photo", photo(64, 64)},
	} {
		src := zlibbed(b, sample.data)
		dst := make([]byte, len(sample.data))
		b.Run(sample.name+"/ours", func(b *testing.B) {
			var decoder Decoder
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				if n, err := decoder.Zlib(dst, src); n != len(dst) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
		b.Run(sample.name+"/standard library", func(b *testing.B) {
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
	}
}
