package lossless

import (
	"fmt"
	"testing"
)

func BenchmarkEncode(b *testing.B) {
	for _, content := range contents {
		for _, side := range []int{256, 512} {
			img := padded(RGBA, side, side, 0, content.make(side, side, 4))
			b.Run(fmt.Sprintf("%s/%d", content.name, side), func(b *testing.B) {
				var e Encoder
				var out []byte
				b.SetBytes(int64(len(img.Pix)))
				b.ReportAllocs()
				for b.Loop() {
					var err error
					if out, err = e.Encode(out[:0], img); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(out)), "bytes/tile")
			})
		}
	}
}

func BenchmarkEncodeAlpha(b *testing.B) {
	for _, kind := range alphaPlanes {
		alpha := plane(256, 256, kind.at)
		b.Run(kind.name, func(b *testing.B) {
			var e Encoder
			var out []byte
			b.SetBytes(int64(len(alpha)))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if out, err = e.EncodeAlpha(out[:0], alpha, 256, 256); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(out)), "bytes/tile")
		})
	}
}
