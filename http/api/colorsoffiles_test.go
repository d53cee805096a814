package api_test

import (
	"bytes"
	"net/http"
	"testing"

	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// withInfrared is a layer with red, green and blue bands and a fourth, named band.
func withInfrared() servertest.Scene {
	info := rastertest.Flat(raster.Uint8, 61, 49, 4, 32, 32)
	for i, color := range []raster.Color{raster.Red, raster.Green, raster.Blue} {
		info.Bands[i].Color = color
	}
	info.Bands[3].Name = "nir"
	return servertest.Scene{Config: layer.Config{ID: "infrared"}, Provider: &rastertest.Synthetic{Name: "infrared@1", Has: info, Sample: func(_, band, x, _ int) (float64, bool) {
		return float64(x + band), true
	}}}
}

// photometricRGB is the entry of a TIFF directory that declares the first samples red, green and
// blue.
var photometricRGB = []byte{0x06, 0x01, 3, 0, 1, 0, 0, 0, 2, 0}

func TestGeoTIFFsDeclareColorBands(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, withInfrared())
	for query, want := range map[string]bool{"": true, "?bidx=1,2,3,4": true, "?bidx=1,2,3": true, "?bidx=2,1,3,4": false, "?bidx=4": false, "?bidx=1,2": false, "?expression=b1;b2;b3;b4": false} {
		got := server.Get(t, "/layers/infrared/preview.tif"+escaped(query))
		if got.Code != http.StatusOK || bytes.Contains(got.Body.Bytes(), photometricRGB) != want {
			t.Errorf("%q is %d and says that it is in color: %v, want %v", query, got.Code, !want, want)
		}
	}
}
