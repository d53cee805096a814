package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/geo/gridtest"
)

// TestCommandsPlaceWithGrids: info and render place a map in NAD27 with the grids of the server.
func TestCommandsPlaceWithGrids(t *testing.T) {
	grids, none := t.TempDir(), t.TempDir()
	image := tifftest.Image{Width: 40, Height: 30, Value: ramp}
	image.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 26715, OriginX: 500000, OriginY: 5540000, PixelX: 10, PixelY: 10})
	path := writeTIFF(t, "old.tif", tifftest.File{Images: []tifftest.Image{image}})
	writeFile(t, grids, "on27csv1.gsb", "no grid")
	writeFile(t, grids, "ntv2_0.gsb", string(gridtest.NTv2(gridtest.Grid{Name: "A", South: 45, West: -95, LatitudeStep: 1, LongitudeStep: 1, Rows: 8, Columns: 8,
		Shift: func(_, _ float64) (east, north float64) { return 10, 20 }})))
	bounds := func(args ...string) (b [4]float64, stderr string) {
		code, stdout, stderr := runProgram(t, append([]string{"info", "--json", path}, args...)...)
		var described struct{ Bounds [4]float64 }
		if err := json.Unmarshal([]byte(stdout), &described); err != nil || code != 0 {
			t.Fatal(code, err, stderr)
		}
		return described.Bounds, stderr
	}
	plain, _ := bounds()
	moved, stderr := bounds("--grids", grids)
	for i, want := range [4]float64{10, 20, 10, 20} {
		if got := 3600 * (moved[i] - plain[i]); math.Abs(got-want) > 3 { // without the grid, Canada moves by 3 seconds at most
			t.Errorf("number %d of the bounds moves by %.3f seconds, want about %v", i, got, want)
		}
	}
	if !strings.Contains(stderr, "grid cannot be used: on27csv1.gsb: ") {
		t.Errorf("nothing is said of the broken grid: %q", stderr)
	}
	same, stderr := bounds("--grids", none)
	if same != plain || stderr != "grid cannot be used: "+none+": no file in this folder ends in .gsb, .las or .los and can be opened\n" {
		t.Errorf("without a grid in the folder: got %v and %q", same, stderr)
	}
	box := []string{"render", path, "--bbox", fmt.Sprintf("%f,%f,%f,%f", plain[0], plain[1], plain[2], plain[3]), "-o", filepath.Join(none, "out.png")}
	if code, _, _ := runProgram(t, box...); code != 0 {
		t.Errorf("render without grids exits with %d", code)
	}
	if code, _, stderr := runProgram(t, append(box, "--grids", grids)...); code != exitUsage || !strings.Contains(stderr, "shows nothing of the image") {
		t.Errorf("render with grids exits with %d: %s", code, stderr)
	}
}
