package encoder

import (
	"bytes"
	stdjpeg "image/jpeg"
	"testing"
)

const side = 256

// tiles lists the tiles of BenchmarkEncode and BenchmarkStandardLibrary.
var tiles = []struct {
	name    string
	img     *Image
	options Options
}{
	{"photo RGB 4:2:0", packed(RGB, side, side, photograph(side, side, 3, 1)), Options{Quality: 75}},
	{"photo RGB 4:4:4", packed(RGB, side, side, photograph(side, side, 3, 1)), Options{Quality: 75, Subsampling: Chroma444}},
	{"photo gray", packed(Gray, side, side, photograph(side, side, 1, 2)), Options{Quality: 75}},
	{"solid RGB", packed(RGB, side, side, bytes.Repeat([]byte{90, 120, 60}, side*side)), Options{Quality: 75}},
}

func BenchmarkEncode(b *testing.B) {
	for _, tile := range tiles {
		b.Run(tile.name, func(b *testing.B) {
			b.SetBytes(int64(len(tile.img.Pix)))
			b.ReportAllocs()
			var encoder Encoder
			var out []byte
			for b.Loop() {
				var err error
				if out, err = encoder.Encode(out[:0], tile.img, tile.options); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(out)), "bytes/tile")
		})
	}
}

// BenchmarkStandardLibrary skips 4:4:4, which image/jpeg cannot write.
func BenchmarkStandardLibrary(b *testing.B) {
	for _, tile := range tiles {
		if tile.options.Subsampling == Chroma444 {
			continue
		}
		b.Run(tile.name, func(b *testing.B) {
			b.SetBytes(int64(len(tile.img.Pix)))
			b.ReportAllocs()
			picture := standardImage(tile.img)
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				if err := stdjpeg.Encode(&out, picture, &stdjpeg.Options{Quality: tile.options.Quality}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(out.Len()), "bytes/tile")
		})
	}
}
