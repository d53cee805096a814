package tiff

import (
	"context"
	"errors"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/geo"
	"tileserver/source"
)

// TestReadGeoreference reads the small TIFF files in which other formats store a georeference.
func TestReadGeoreference(t *testing.T) {
	tags := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 4000000, PixelX: 10, PixelY: 20, PixelIsPoint: true})
	whole := tifftest.Image{Width: 1, Height: 1, Value: wave(1, tifftest.Unsigned), Tags: tags}
	place := geo.Affine{A: 10, C: 499995, E: -20, F: 4000010}
	for _, test := range []struct {
		name   string
		file   []byte
		affine geo.Affine
		crs    string
		err    error
	}{
		{"an image of a pixel", encode(t, tifftest.File{Images: []tifftest.Image{whole}}), place, "EPSG:32633", nil},
		{"of the other byte order", encode(t, tifftest.File{BigEndian: true, BigTIFF: true, Images: []tifftest.Image{whole}}), place, "EPSG:32633", nil},
		{"several images", encode(t, tifftest.File{Images: []tifftest.Image{whole, flat(3, 2, 1)}}), place, "EPSG:32633", nil},
		{"no image, nor strips", rawFile(0, rawEntry{256, 3, 1, 0}), geo.Affine{}, "", nil},
		{"an image of no kind", rawFile(0, rawImage(rawEntry{259, 3, 1, 9999}, rawEntry{258, 3, 1, 77})...), geo.Affine{}, "", nil},
		{"another file", []byte("this is no TIFF"), geo.Affine{}, "", ErrCorrupt},
		{"nothing", nil, geo.Affine{}, "", ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := ReadGeoreference(t.Context(), source.NewBytes("tags", test.file))
			if !errors.Is(err, test.err) {
				t.Fatalf("got %v, want %v", err, test.err)
			}
			crs := ""
			if g.CRS != nil {
				crs = g.CRS.Code()
			}
			if g.Affine != test.affine || g.HasAffine != (test.affine != geo.Affine{}) || crs != test.crs {
				t.Errorf("got %+v in %q, want %+v in %q", g.Affine, crs, test.affine, test.crs)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadGeoreference(ctx, source.NewBytes("tags", encode(t, tifftest.File{Images: []tifftest.Image{whole}}))); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: got %v", err)
	}
}
