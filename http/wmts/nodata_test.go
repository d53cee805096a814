package wmts_test

import (
	"image/color"
	"testing"

	"tileserver/geo"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/style"
)

// transparentNodata is the layer with which the standard's test suite checks that nodata is
// transparent: one transparent tile in a tile matrix set of its own.
func transparentNodata(t testing.TB) servertest.Scene {
	set := geo.WebMercatorQuad()
	own := &geo.TileMatrixSet{ID: "TransparentNodata", Title: "One tile", CRS: set.CRS, Matrices: set.Matrices[:1]}
	s := servertest.Scenes(t)[1]
	s.Config = layer.Config{ID: "TransparentNodata", TileSets: []*geo.TileMatrixSet{own}, Styles: []style.Named{{Name: "Default_style"}}}
	s.Provider.Name = "nodata@1"
	s.Provider.Sample = func(_, _, _, _ int) (float64, bool) { return 0, false }
	return s
}

func TestWMTSTransparentNodata(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, transparentNodata(t))
	d := capabilitiesOf(t, server.Get(t, "/layers/TransparentNodata/WMTSCapabilities.xml"))
	l := d.layer(t, "TransparentNodata")
	if len(l.Styles) != 2 || l.Styles[1].ID != "Default_style" || l.Styles[1].Default {
		t.Errorf("the styles are %+v", l.Styles)
	}
	if got := d.set(t, "TransparentNodata"); len(got.Matrices) != 1 || got.ScaleSet != "" {
		t.Errorf("the tile matrix set is %+v", got)
	}
	query := edit(tileQuery, "layer", "TransparentNodata", "style", "Default_style", "TileMatrixSet", "TransparentNodata", "TileMatrix", "0", "TileRow", "0", "TileCol", "0")
	for _, path := range []string{query, "/wmts/1.0.0/TransparentNodata/Default_style/TransparentNodata/0/0/0.png"} {
		img, kind := servertest.DecodeImage(t, server.Get(t, path))
		if bounds := img.Bounds(); kind != "png" || bounds.Dx() != 256 || bounds.Dy() != 256 {
			t.Fatalf("%s is a %s of %v", path, kind, bounds)
		}
		for y := range 256 {
			for x := range 256 {
				if _, _, _, a := img.At(x, y).RGBA(); a != 0 {
					t.Fatalf("%s is %v at %d,%d", path, color.NRGBAModel.Convert(img.At(x, y)), x, y)
				}
			}
		}
	}
}
