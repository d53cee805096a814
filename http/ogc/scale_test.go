package ogc_test

import (
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

// bboxOf returns the extent in the header of a map.
func bboxOf(t *testing.T, got *httptest.ResponseRecorder) (b [4]float64) {
	t.Helper()
	parts := strings.Split(got.Header().Get("Content-Bbox"), ",")
	if got.Code != http.StatusOK || len(parts) != len(b) {
		t.Fatalf("got %d, of %v: %s", got.Code, parts, got.Body)
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			t.Fatal(err)
		}
		b[i] = v
	}
	return b
}

func TestMapScales(t *testing.T) {
	// The pixels of the layer's finest level are a tenth of a degree.
	const finest = 360.0 / 512 / 8
	tests := []struct {
		name, query   string
		width, height int
		bbox          [4]float64
		tolerance     float64
	}{
		// At 43 degrees north, a degree is 81,541 m long and 111,100 m high; pixels are of 1,400 m.
		{"of an extent", "bbox=4,42,8,44&scale-denominator=5000000", 233, 159, [4]float64{4, 42, 8, 44}, 0},
		{"of all", "scale-denominator=50000000", 113, 79, [4]float64{2, 40, 22, 50}, 0},
		// Pixels are of 280 m, and of 280 m / cos(45°) in Web Mercator, give or take the ellipsoid.
		{"around a place", "center=12,45&scale-denominator=1000000&width=100&height=50&crs=[EPSG:3857]", 100, 50, [4]float64{1316071, 5611617, 1355595, 5631379}, 200},
		{"around a place, latitude first", "center=45,12&center-crs=[EPSG:4326]&scale-denominator=1000000&width=100&height=50&crs=[EPSG:3857]", 100, 50, [4]float64{1316071, 5611617, 1355595, 5631379}, 200},
		{"around the middle", "scale-denominator=1000000&width=100&height=50&crs=[EPSG:3857]", 100, 50, [4]float64{1316071, 5611617, 1355595, 5631379}, 200},
		{"around a place on a grid", "center=500000,5000000&center-crs=[EPSG:32633]&crs=[EPSG:32633]&scale-denominator=1000000&width=100&height=50", 100, 50, [4]float64{486000, 4993000, 514000, 5007000}, 20},
		{"in the finest scale", "center=12,0&width=100&height=100", 100, 100, [4]float64{12 - 50*finest, -50 * finest, 12 + 50*finest, 50 * finest}, 0.05},
	}
	server := mapServer(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := server.GetAs(root+"/collections/red/map?f=png&"+test.query, "")
			b := bboxOf(t, got)
			for i := range b {
				if math.Abs(b[i]-test.bbox[i]) > test.tolerance {
					t.Errorf("it is of %v, want %v", b, test.bbox)
					break
				}
			}
			if img, _ := servertest.DecodeImage(t, got); img.Bounds().Dx() != test.width || img.Bounds().Dy() != test.height {
				t.Errorf("it has %v, want %dx%d", img.Bounds(), test.width, test.height)
			}
		})
	}
}

func TestBadScales(t *testing.T) {
	server := mapServer(t)
	for query, want := range map[string]int{
		"center=5,45&bbox=1,2,3,4":                           400,
		"center=5,45&subset=Lat(1:2),Lon(1:2)":               400,
		"scale-denominator=1000&bbox=1,2,3,4&width=100":      400,
		"scale-denominator=0&center=5,45":                    400,
		"scale-denominator=many":                             400,
		"scale-denominator=-1000&bbox=1,2,3,4":               400,
		"center=here":                                        400,
		"center=1,2,3":                                       400,
		"center=5,45&center-crs=[EPSG:1]":                    400,
		"center=5,45&width=0":                                400,
		"center=5,89.9&scale-denominator=1e9":                400,
		"center=5,95":                                        404,
		"center=5,90&crs=[EPSG:3857]&scale-denominator=1000": 404,
		"bbox=1,2,3,4&scale-denominator=1":                   413,
		"scale-denominator=1e-300":                           413,
		"scale-denominator=10000":                            413,
	} {
		if got := server.GetAs(root+"/collections/red/map?f=png&"+query, ""); got.Code != want {
			t.Errorf("%s: status %d, want %d: %s", query, got.Code, want, got.Body)
		}
	}
	if server.Reads() != 0 {
		t.Errorf("invalid requests caused %d reads", server.Reads())
	}
}
