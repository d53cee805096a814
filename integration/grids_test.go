package integration

import (
	"math"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/geo/gridtest"
)

// TestGridsOfDatumShifts serves a map in NAD27 with and without a grid, which moves it by 10 seconds
// east and 20 north.
func TestGridsOfDatumShifts(t *testing.T) {
	folder, grids := t.TempDir(), t.TempDir()
	img := plain()
	img.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 26715, OriginX: 500000, OriginY: 5540000, PixelX: 10, PixelY: 10})
	writeTIFF(t, folder, "old.tif", tifftest.File{Images: []tifftest.Image{img}})
	writeFile(t, grids, "NTv2_0.gsb", gridtest.NTv2(gridtest.Grid{Name: "A", South: 45, West: -95, LatitudeStep: 1, LongitudeStep: 1, Rows: 8, Columns: 8,
		Shift: func(_, _ float64) (east, north float64) { return 10, 20 }}))
	writeFile(t, grids, "on27csv1.gsb", []byte("no grid"))
	type document struct{ Bounds [4]float64 }
	plainly, moved := start(t, "serve", folder), start(t, "serve", "--grids", grids, folder)
	before, after := getJSON[document](t, plainly.maps+"/layers/old").Bounds, getJSON[document](t, moved.maps+"/layers/old").Bounds
	for i, want := range [4]float64{10, 20, 10, 20} {
		if got := 3600 * (after[i] - before[i]); math.Abs(got-want) > 3 { // without the grid, Canada moves by 3 seconds at most
			t.Errorf("number %d of the bounds moves by %.3f seconds, want about %v", i, got, want)
		}
	}
	const tile = "/layers/old/preview.png"
	if one, other := get(t, plainly.maps+tile).header.Get("ETag"), get(t, moved.maps+tile).header.Get("ETag"); one == "" || one == other {
		t.Errorf("the ETags are %s and %s", one, other)
	}
	if text := moved.log.String(); !strings.Contains(text, "on27csv1.gsb") || !strings.Contains(text, "level=WARN") {
		t.Errorf("the log has no word of the broken grid: %s", text)
	}
	if metrics := string(get(t, moved.admin+"/metrics").body); strings.Contains(metrics, "tileserver_grid_bytes 0\n") || !strings.Contains(metrics, "tileserver_grid_bytes ") {
		t.Error("the metrics do not count the grid")
	}
}
