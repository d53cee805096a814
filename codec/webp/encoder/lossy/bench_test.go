package lossy

import (
	"fmt"
	"testing"
)

func BenchmarkEncode(b *testing.B) {
	for _, side := range []int{256, 512} {
		for _, f := range []Format{Gray, RGB, RGBA} {
			b.Run(fmt.Sprintf("%d/%d", side, f), func(b *testing.B) {
				img := paint(f, side, side, 1, terrain)
				var e Encoder
				frame, err := e.Encode(nil, img, 75) // allocate the encoder's memory first
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(img.Pix)))
				b.ReportAllocs()
				for b.Loop() {
					if frame, err = e.Encode(frame[:0], img, 75); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(frame)), "bytes/picture")
			})
		}
	}
}
