package ogc_test

import (
	"image"
	"image/color"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/http/servertest"
	"tileserver/raster"
)

// mapServer has a red layer from 2 to 22 degrees east and 40 to 50 north, and a translucent blue one
// over its right half and beyond.
func mapServer(t testing.TB) *servertest.Server {
	t.Helper()
	return servertest.Serve(t, nil,
		servertest.Flat("red", raster.RGBA{R: 200, A: 255}, geo.Bounds{MinX: 2, MinY: 40, MaxX: 22, MaxY: 50}),
		servertest.Flat("blue", raster.RGBA{B: 240, A: 51}, geo.Bounds{MinX: 12, MinY: 40, MaxX: 32, MaxY: 50}))
}

func TestMapExtents(t *testing.T) {
	const crs84 = "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>"
	tests := []struct {
		name, query   string
		width, height int
		crs, bbox     string // "" is not checked
	}{
		{"all", "", 512, 256, crs84, "2,40,22,50"},
		{"of a width", "width=100", 100, 50, crs84, "2,40,22,50"},
		{"of a height", "height=30", 60, 30, crs84, "2,40,22,50"},
		{"of a size", "width=33&height=44", 33, 44, crs84, "2,40,22,50"},
		{"a box", "bbox=4,42,8,44&width=40", 40, 20, crs84, "4,42,8,44"},
		{"a box with heights", "bbox=4,42,0,8,44,9&width=40", 40, 20, crs84, "4,42,8,44"},
		{"latitudes first", "bbox=42,4,44,8&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/4326&width=40", 40, 20, crs84, "4,42,8,44"},
		{"latitudes first, both ways", "bbox=42,4,44,8&bbox-crs=[EPSG:4326]&crs=[EPSG:4326]&width=40", 40, 20, "<http://www.opengis.net/def/crs/EPSG/0/4326>", "42,4,44,8"},
		{"longitudes first into latitudes first", "bbox=4,42,8,44&crs=[EPSG:4326]&width=40", 40, 20, "<http://www.opengis.net/def/crs/EPSG/0/4326>", "42,4,44,8"},
		{"a short CRS name", "bbox=4,42,8,44&bbox-crs=EPSG:4326&width=40", 40, 20, crs84, "4,42,8,44"},
		{"in meters", "bbox=500000,5000000,700000,5100000&bbox-crs=[EPSG:3857]&crs=[EPSG:3857]&width=40", 40, 20, "<http://www.opengis.net/def/crs/EPSG/0/3857>", "500000,5000000,700000,5100000"},
		{"in meters, by an address", "bbox=4,42,8,44&crs=https://www.opengis.net/def/crs/EPSG/0/3857&width=40", 40, 0, "<http://www.opengis.net/def/crs/EPSG/0/3857>", ""},
		{"a subset", "subset=Lat(42:44),Lon(4:8)&width=40", 40, 20, crs84, "4,42,8,44"},
		{"two subsets", "subset=Lat(42:44)&subset=Lon(4:8)&width=40", 40, 20, crs84, "4,42,8,44"},
		{"a subset in meters", "subset=E(500000:700000),N(5000000:5100000)&subset-crs=[EPSG:3857]&crs=[EPSG:3857]&width=40", 40, 20, "<http://www.opengis.net/def/crs/EPSG/0/3857>", "500000,5000000,700000,5100000"},
		{"across the antimeridian", "bbox=170,0,-170,10&width=40", 40, 20, crs84, "170,0,190,10"},
		{"over the pole", "bbox=0,80,20,100&width=40", 40, 20, crs84, "0,80,20,90"},
	}
	server := mapServer(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := server.GetAs(root+"/collections/red/map?f=png&"+test.query, "")
			if got.Code != http.StatusOK {
				t.Fatalf("got %d: %s", got.Code, got.Body)
			}
			img, _ := servertest.DecodeImage(t, got)
			if b := img.Bounds(); b.Dx() != test.width || test.height != 0 && b.Dy() != test.height {
				t.Errorf("it is of %v, want %dx%d", b, test.width, test.height)
			}
			h := got.Header()
			if h.Get("Content-Crs") != test.crs || test.bbox != "" && h.Get("Content-Bbox") != test.bbox {
				t.Errorf("the extent is %s in %s, want %s in %s", h.Get("Content-Bbox"), h.Get("Content-Crs"), test.bbox, test.crs)
			}
			if !strings.Contains(h.Get("Access-Control-Expose-Headers"), "Content-Bbox") {
				t.Error("the extent headers are not exposed")
			}
		})
	}
}

// The extent in the headers matches the pixels.
func TestMapsShowTheirExtent(t *testing.T) {
	server := mapServer(t)
	for _, query := range []string{
		"bbox=-3,35,12,45", "bbox=35,-3,45,12&bbox-crs=[EPSG:4326]&crs=[EPSG:4326]", "bbox=-3,35,12,45&crs=[EPSG:3857]", "bbox=-3,35,12,45&crs=[EPSG:32631]",
	} {
		got := server.GetAs(root+"/collections/red/map?f=png&width=300&"+query, "")
		img, _ := servertest.DecodeImage(t, got)
		name := strings.Trim(got.Header().Get("Content-Crs"), "<>")
		crs, northingFirst, err := geo.ParseCRSName(name)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]float64, 4)
		for i, text := range strings.Split(got.Header().Get("Content-Bbox"), ",") {
			if b[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		if northingFirst {
			b[0], b[1], b[2], b[3] = b[1], b[0], b[3], b[2]
		}
		for place, want := range map[geo.Point]uint8{{X: 2.5, Y: 40.5}: 255, {X: 10, Y: 43}: 255, {X: 1.5, Y: 42}: 0, {X: 5, Y: 39.5}: 0} {
			p := crs.FromLonLat(place)
			x := int(math.Floor((p.X - b[0]) / (b[2] - b[0]) * float64(img.Bounds().Dx())))
			y := int(math.Floor((b[3] - p.Y) / (b[3] - b[1]) * float64(img.Bounds().Dy())))
			if got := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA); got.A != want || want != 0 && got.R != 200 {
				t.Errorf("%s: %v, which is at %d,%d of %v, is %v", query, place, x, y, img.Bounds(), got)
			}
		}
	}
}

func TestMapBackgrounds(t *testing.T) {
	// The upper half of the box is outside the layer.
	const box = "/collections/red/map?bbox=2,45,22,55&width=40&"
	tests := []struct {
		query string
		want  color.NRGBA
	}{
		{"f=png", color.NRGBA{}},
		{"f=png&transparent=true", color.NRGBA{}},
		{"f=png&transparent=false", color.NRGBA{R: 255, G: 255, B: 255, A: 255}},
		{"f=png&bgcolor=0x00FF80", color.NRGBA{G: 255, B: 128, A: 255}},
		{"f=png&bgcolor=Navy", color.NRGBA{B: 128, A: 255}},
		{"f=png&bgcolor=navy&transparent=TRUE", color.NRGBA{}},
		{"f=png&bgcolor=00FF80&transparent=false", color.NRGBA{G: 255, B: 128, A: 255}},
		{"f=jpeg", color.NRGBA{R: 255, G: 255, B: 255, A: 255}},
		{"f=jpeg&bgcolor=0x000080", color.NRGBA{B: 128, A: 255}},
		{"f=jpeg&bgcolor=0x000080&transparent=true", color.NRGBA{B: 128, A: 255}},
	}
	server := mapServer(t)
	for _, test := range tests {
		got := server.GetAs(root+box+test.query, "")
		if got.Code != http.StatusOK {
			t.Errorf("%s: status %d: %s", test.query, got.Code, got.Body)
			continue
		}
		img, _ := servertest.DecodeImage(t, got)
		for place, want := range map[image.Point]color.NRGBA{{X: 20, Y: 3}: test.want, {X: 20, Y: 16}: {R: 200, A: 255}} {
			if got := color.NRGBAModel.Convert(img.At(place.X, place.Y)).(color.NRGBA); maxDifference(got, want) > 10 {
				t.Errorf("%s at %v: got %v, want %v", test.query, place, got, want)
			}
		}
	}
}

// maxDifference returns the largest difference of two colors in any channel.
func maxDifference(a, b color.NRGBA) int {
	most := 0
	for _, pair := range [][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		most = max(most, int(pair[0])-int(pair[1]), int(pair[1])-int(pair[0]))
	}
	return most
}

func TestBadMaps(t *testing.T) {
	tests := []struct {
		name, query string
		status      int
		detail      string
	}{
		{"three numbers", "bbox=1,2,3", 400, "bbox"},
		{"minx > maxx", "bbox=5,50,4,40&bbox-crs=[EPSG:3857]", 400, "extent"},
		{"NaN", "bbox=nan,0,1,1", 400, "bbox"},
		{"a box and a subset", "bbox=1,2,3,4&subset=Lat(1:2),Lon(1:2)", 400, "exclude"},
		{"half a subset", "subset=Lat(1:2)", 400, "both axes"},
		{"a subset of another system", "subset=E(1:2),N(1:2)", 400, `"E"`},
		{"a subset beyond the pole", "subset=Lat(100:120),Lon(1:2)", 404, "latitudes"},
		{"unknown system", "crs=[EPSG:1]", 400, "EPSG:1"},
		{"the CRS is text", "crs=flat", 400, "flat"},
		{"the image's own pixels", "crs=image&bbox=0,0,1,1", 400, "image"},
		{"unknown system of the box", "bbox=0,0,1,1&bbox-crs=[EPSG:999999]", 400, "999999"},
		{"outside the system", "bbox=0,86,10,90&crs=[EPSG:3857]", 404, "outside"},
		{"no width", "width=0", 400, "width"},
		{"too wide", "width=70000", 400, "width"},
		{"too large", "width=60000&height=60000", 413, "pixels"},
		{"unknown color", "bgcolor=loud", 400, "loud"},
		{"half a color", "bgcolor=0xFF", 400, "bgcolor"},
		{"neither true nor false", "transparent=maybe", 400, "transparent"},
		{"two boxes", "bbox=1,2,3,4&bbox=1,2,3,4", 400, "bbox is given 2 times"},
	}
	server := mapServer(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, path := range []string{"/collections/red/map", "/map"} {
				got := server.GetAs(root+path+"?"+test.query, "image/png")
				if problem := decodeProblem(t, got); got.Code != test.status || !strings.Contains(problem.Detail, test.detail) {
					t.Errorf("%s is %d: %s, want %d: …%s…", path, got.Code, problem.Detail, test.status, test.detail)
				}
			}
		})
	}
	if server.Reads() != 0 {
		t.Errorf("invalid requests caused %d reads", server.Reads())
	}
	nothing := servertest.Serve(t, nil, servertest.ScenesNamed(t, "plain")...)
	if got := nothing.GetAs(root+"/map", ""); got.Code != http.StatusNotFound {
		t.Errorf("a map of nothing is %d", got.Code)
	}
	if got := nothing.GetAs(root+"/?f=json", ""); got.Code != http.StatusOK || strings.Contains(got.Body.String(), "/map") {
		t.Errorf("without a layer that has a place, the landing page is %d: %s", got.Code, got.Body)
	}
}
