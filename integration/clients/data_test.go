package clients

import (
	"encoding/json"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dataWindow is the part of the layer mercator that the tests of this file read, in the layer's
// pixels.
var dataWindow = image.Rect(41, 23, 41+611, 23+433)

// dataView returns the address of dataWindow as a GeoTIFF.
func dataView(t testing.TB) string {
	w := windowOf(dataWindow, (mercatorLeft-mercatorSide/2)*mercatorResolution, (mercatorSide/2-mercatorTop)*mercatorResolution, mercatorResolution)
	return fmt.Sprintf("%s/layers/mercator/view.tif?crs=EPSG:3857&width=%d&height=%d&bbox=%.9f,%.9f,%.9f,%.9f",
		everything.maps(t), dataWindow.Dx(), dataWindow.Dy(), w[0], w[3], w[2], w[1])
}

// GDAL, and rasterio through it, opens a computed GeoTIFF as a file and reads it in parts.
func TestGDALOpensDataByItsAddress(t *testing.T) {
	require(t, gdalPart)
	view := "/vsicurl/" + dataView(t)
	info := describe(t, view)
	gdalInfo{Size: []int{dataWindow.Dx(), dataWindow.Dy()}, GeoTransform: []float64{
		(mercatorLeft - mercatorSide/2 + float64(dataWindow.Min.X)) * mercatorResolution, mercatorResolution, 0,
		(mercatorSide/2 - mercatorTop - float64(dataWindow.Min.Y)) * mercatorResolution, 0, -mercatorResolution,
	}}.compare(t, info)
	part := image.Rect(300, 211, 300+77, 211+55) // in pixels of dataWindow
	path := filepath.Join(t.TempDir(), "part.bin")
	gdal(t, "gdal_translate", "-q", "-of", "ENVI", "-b", "1", "-srcwin", "300", "211", "77", "55", view, path)
	got, err := os.ReadFile(path)
	if err != nil || len(got) != part.Dx()*part.Dy() {
		t.Fatalf("%d samples, want %d: %v", len(got), part.Dx()*part.Dy(), err)
	}
	for i, sample := range got {
		x, y := dataWindow.Min.X+part.Min.X+i%part.Dx(), dataWindow.Min.Y+part.Min.Y+i/part.Dx()
		if want := mercator.value(x, y, 0); float64(sample) != want {
			t.Fatalf("the sample of column %d and row %d is %d, want %v", x, y, sample, want)
		}
	}
	if preview := describe(t, "/vsicurl/"+everything.maps(t)+"/layers/heights/preview.tif?max_size=300"); !slices.Equal(preview.Size, []int{300, 214}) {
		t.Errorf("the preview is of %v", preview.Size)
	}
}

func TestGeoTIFFOpensDataByItsAddress(t *testing.T) {
	require(t, nodePart, part{"geotiff", modulesPart.install, file("node_modules/geotiff/package.json")})
	window := image.Rect(300, 211, 300+77, 211+55)
	out := run(t, "node", "geotiff.mjs", dataView(t), "300,211,377,266")
	var got struct {
		Size     []int
		Bounds   []float64
		Bands    [][]float64
		Requests []int
	}
	if err := json.Unmarshal(out, &got); err != nil || len(got.Bounds) != 4 {
		t.Fatalf("%v in %s", err, out)
	}
	west := (mercatorLeft - mercatorSide/2 + float64(dataWindow.Min.X)) * mercatorResolution
	if !slices.Equal(got.Size, []int{dataWindow.Dx(), dataWindow.Dy()}) || math.Abs(got.Bounds[0]-west) > 1e-6 {
		t.Errorf("a GeoTIFF of %v at %v, want one of %v at %v", got.Size, got.Bounds, dataWindow.Size(), west)
	}
	if len(got.Bands) != 3 || len(got.Requests) == 0 || slices.ContainsFunc(got.Requests, func(status int) bool { return status != 206 }) {
		t.Fatalf("%d bands; the statuses of the requests are %v", len(got.Bands), got.Requests)
	}
	for band, samples := range got.Bands {
		for i, sample := range samples {
			x, y := dataWindow.Min.X+window.Min.X+i%window.Dx(), dataWindow.Min.Y+window.Min.Y+i/window.Dx()
			if want := mercator.value(x, y, band); sample != want {
				t.Fatalf("the sample of column %d, row %d and band %d is %v, want %v", x, y, band, sample, want)
			}
		}
	}
}

// A client can resume an interrupted download.
func TestCurlResumesADownload(t *testing.T) {
	require(t, curlPart)
	address := dataView(t)
	whole, _ := curl(t, "", address)
	path := filepath.Join(t.TempDir(), "view.tif")
	writeFile(t, path, whole[:len(whole)/3])
	status := string(run(t, "curl", "--silent", "--continue-at", "-", "--output", path, "--write-out", "%{http_code}", address))
	got, err := os.ReadFile(path)
	if err != nil || string(got) != string(whole) || !strings.HasPrefix(status, "206") {
		t.Errorf("status %s, %d bytes, want all %d: %v", status, len(got), len(whole), err)
	}
}
