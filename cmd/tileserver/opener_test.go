package main

import (
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// BenchmarkOpenFile opens files on disk, with and without the search for siblings.
func BenchmarkOpenFile(b *testing.B) {
	utm := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 5300000, PixelX: 10, PixelY: 10})
	plain := tifftest.Image{Width: 400, Height: 300, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 64, Value: ramp}
	placed := plain
	placed.Tags = utm
	for _, test := range []struct {
		name   string
		images []tifftest.Image
	}{
		{"plain", []tifftest.Image{plain}},
		{"placed, with overviews", withOverviews(placed, 2)},
	} {
		data, err := tifftest.File{COG: true, Images: test.images}.Encode()
		if err != nil {
			b.Fatal(err)
		}
		path := writeFile(b, b.TempDir(), "scene.tif", string(data))
		opener := newOpener(openerConfig{workers: 1, inFlight: 16 << 20})
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, _, err := opener.openFile(b.Context(), path, openOptions{id: "id"})
				if err != nil {
					b.Fatal(err)
				}
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
