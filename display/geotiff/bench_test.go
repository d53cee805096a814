package geotiff

import "testing"

func BenchmarkEncode(b *testing.B) {
	multispectral := &Image{Type: Uint16, Width: 256, Height: 256}
	for i := range uint64(4) {
		multispectral.Bands = append(multispectral.Bands, Band{Samples: reflectances(256, i)})
	}
	plain := *multispectral
	plain.Compression = Uncompressed
	elevation := &Image{Type: Float32, Width: 1024, Height: 1024, Bands: []Band{{Samples: terrain(1024, 1)}}}
	for _, view := range []struct {
		name string
		img  *Image
	}{
		{"uint16 x 4, 256", multispectral},
		{"uint16 x 4, 256, uncompressed", &plain},
		{"float32, 1024", elevation},
	} {
		b.Run(view.name, func(b *testing.B) {
			img := view.img
			b.SetBytes(int64(len(img.Bands) * len(img.Bands[0].Samples)))
			b.ReportAllocs()
			var encoder Encoder
			var out []byte
			for b.Loop() {
				var err error
				if out, err = encoder.Encode(out[:0], img); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(out)), "bytes/file")
		})
	}
}
