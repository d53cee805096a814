package cog

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"testing"

	"tileserver/raster"
)

// gdalFacts is what GDAL says of a file.
type gdalFacts struct {
	Problems  []string
	Levels    int
	Structure map[string]string
	Metadata  map[string]string
	RPC       map[string]string
	Code      string
	Transform []float64
	Points    [][]float64
	Palette   [][]uint8
	Bands     []struct {
		Name, Unit, NoData, Color string
		Scale, Offset             *float64
		Masks                     int
		Metadata                  map[string]string
	}
}

// The kinds of masks of GDAL.
const (
	maskAllValid = 1
	maskOfFile   = 2
	maskOfAlpha  = 4
	maskOfNoData = 8
)

// readByGDAL reads files with GDAL, which must find nothing wrong with them as COGs.
func readByGDAL(t *testing.T, paths ...string) []gdalFacts {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: GDAL takes seconds")
	}
	const python = "/usr/bin/python3" // that of the system has GDAL
	if err := exec.Command(python, "-c", "import osgeo_utils").Run(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("SKIPPED, NOTHING WAS READ: no GDAL: ", err)
	}
	message, err := exec.Command(python, append([]string{"testdata/read.py"}, paths...)...).CombinedOutput()
	if err != nil || len(message) > 0 {
		t.Fatalf("%v: %s", err, message)
	}
	facts := make([]gdalFacts, len(paths))
	for i, path := range paths {
		text, err := os.ReadFile(path + ".json")
		if err == nil {
			err = json.Unmarshal(text, &facts[i])
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(facts[i].Problems) > 0 {
			t.Errorf("file %d: %q", i, facts[i].Problems)
		}
	}
	return facts
}

// samplesByGDAL are the samples of a band of a level, and its mask, one byte a pixel.
type samplesByGDAL struct{ samples, mask []byte }

// gdalSamples returns what GDAL read of a file, by levels and bands.
func gdalSamples(t *testing.T, img *Image, path string) [][]samplesByGDAL {
	t.Helper()
	rest, err := os.ReadFile(path + ".raw")
	if err != nil {
		t.Fatal(err)
	}
	all := make([][]samplesByGDAL, len(img.Info.Levels))
	for level, l := range img.Info.Levels {
		for range img.Info.Bands {
			pixels := l.Width * l.Height
			n := pixels * img.Info.Type.Size()
			if len(rest) < n+pixels {
				t.Fatalf("GDAL read %d bytes too few", n+pixels-len(rest))
			}
			all[level] = append(all[level], samplesByGDAL{rest[:n], rest[n:][:pixels]})
			rest = rest[n+pixels:]
		}
	}
	if len(rest) > 0 {
		t.Errorf("GDAL read %d bytes more", len(rest))
	}
	return all
}

// checkByGDAL compares what GDAL read with what was written, within a tolerance for bytes.
func checkByGDAL(t *testing.T, img *Image, path string, tolerance float64) {
	t.Helper()
	got := gdalSamples(t, img, path)
	size := img.Info.Type.Size()
	for _, b := range blocksOf(img) {
		l, tile := &img.Info.Levels[b.level], tileOf(img, b.level, b.id)
		rect := l.Block(b.id)
		for band := range img.Info.Bands {
			plane, coverage := tile.Plane(band), tile.Validity(band)
			difference := 0.0
			for i := range tile.Width() * tile.Height() {
				at := (rect.Y0+i/tile.Width())*l.Width + rect.X0 + i%tile.Width()
				isValid := coverage == nil || coverage[i] != raster.Invalid
				if img.Info.Alpha() < 0 && !img.Info.Type.IsComplex() && isValid != (got[b.level][band].mask[at] != 0) {
					t.Fatalf("%+v: pixel %d of band %d is valid: %v", b, i, band+1, !isValid)
				}
				sample, want := got[b.level][band].samples[at*size:][:size], plane[i*size:][:size]
				if isValid && string(sample) != string(want) {
					difference += math.Abs(float64(sample[0]) - float64(want[0]))
				}
			}
			if mean := difference / float64(tile.Width()*tile.Height()); mean > tolerance {
				t.Fatalf("%+v: samples of band %d differ by %.2f", b, band+1, mean)
			}
		}
	}
}
