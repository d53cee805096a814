package api_test

import (
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tileserver/geo"
	tilehttp "tileserver/http"
	"tileserver/http/serve"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
)

func TestLayers(t *testing.T) {
	server := servertest.New(t, nil)
	list := servertest.DecodeJSON[struct {
		Layers []struct {
			ID, Title string
			Bounds    []float64
			Links     servertest.Links
		}
	}](t, server.Get(t, "/layers"))
	var ids []string
	for _, l := range list.Layers {
		ids = append(ids, l.ID)
		if (l.Bounds == nil) != (l.ID == "plain") || (l.Links.TileJSON == "") != (l.ID == "plain") {
			t.Errorf("%s has the bounds %v and the TileJSON %q", l.ID, l.Bounds, l.Links.TileJSON)
		}
	}
	if want := []string{"map", "height", "utm", "plain", "styled", "broken", "panicking"}; !slices.Equal(ids, want) {
		t.Errorf("the layers are %v, want %v", ids, want)
	}
	first := list.Layers[0]
	if first.Title != "A map" || first.Links.Self != "http://example.com/layers/map" {
		t.Errorf("the first layer is %+v", first)
	}
	if body := server.Get(t, "/layers").Body.String(); !strings.Contains(body, `"bounds":null`) || strings.Contains(body, `\u0026`) {
		t.Errorf("the list is %s", body)
	}
}

func TestNoLayersIsAnEmptyList(t *testing.T) {
	handler := tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: layer.NewCatalog(layer.CatalogConfig{})}})
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest("GET", "/layers", nil))
	if got := strings.TrimSpace(recorder.Body.String()); got != `{"layers":[],"total":0,"offset":0}` {
		t.Errorf("got %s", got)
	}
}

func TestLayer(t *testing.T) {
	server := servertest.New(t, nil)
	height := servertest.DecodeJSON[servertest.LayerDocument](t, server.Get(t, "/layers/height"))
	if height.Width != 501 || height.Height != 399 || height.DType != "float32" {
		t.Errorf("%dx%d of %s", height.Width, height.Height, height.DType)
	}
	if len(height.Bands) != 1 || height.Bands[0].Name != "height" || height.Bands[0].Color != "gray" || *height.Bands[0].NoData != -9999 {
		t.Errorf("the bands are %+v", height.Bands)
	}
	if height.CRS == nil || height.CRS.Code != "EPSG:3857" || height.CRS.Name == "" || height.CRSProblem != "" {
		t.Errorf("the CRS is %+v, %q", height.CRS, height.CRSProblem)
	}
	var sets []string
	for _, set := range height.TileSets {
		sets = append(sets, set.ID)
		if set.MinZoom > set.MaxZoom {
			t.Errorf("%s goes from %d to %d", set.ID, set.MinZoom, set.MaxZoom)
		}
	}
	if want := []string{"WebMercatorQuad", "WorldCRS84Quad", "WorldMercatorWGS84Quad", "UTM33WGS84Quad", "EuropeanETRS89_LAEAQuad", "native-height", "image"}; !slices.Equal(sets, want) {
		t.Errorf("the tile matrix sets are %v, want %v", sets, want)
	}
	if got := height.TileSets[0]; got.MaxZoom != 12 || got.Tiles != "http://example.com/tiles/height/{z}/{x}/{y}.png" {
		t.Errorf("the first tile matrix set is %+v", got)
	}
	plain := servertest.DecodeJSON[servertest.LayerDocument](t, server.Get(t, "/layers/plain"))
	if plain.CRS != nil || plain.CRSProblem != "no tie points" || len(plain.TileSets) != 1 || plain.Bands[0].NoData != nil {
		t.Errorf("the layer without a position is %+v", plain)
	}
	if want := "http://example.com/tiles/plain/image/{z}/{x}/{y}.png"; plain.Links.Tiles != want {
		t.Errorf("its tiles are %s, want %s", plain.Links.Tiles, want)
	}
}

// All links of a layer lead to an existing resource.
func TestLayerLinksExist(t *testing.T) {
	server := servertest.New(t, nil)
	fill := strings.NewReplacer("{z}", "0", "{x}", "0", "{y}", "0", "{minx}", "0", "{miny}", "0", "{maxx}", "9", "{maxy}", "9",
		"{crs}", "image", "{width}", "9", "{height}", "9")
	for _, id := range []string{"map", "plain"} {
		l := servertest.DecodeJSON[servertest.LayerDocument](t, server.Get(t, "/layers/"+id)).Links
		for _, link := range []string{l.Self, l.Tiles, l.TileJSON, l.Preview, l.View, l.Statistics, l.Point} {
			if link == "" && id == "plain" {
				continue
			}
			if got := server.Get(t, fill.Replace(link)); got.Code != 200 {
				t.Errorf("%s: status %d: %s", link, got.Code, got.Body)
			}
		}
	}
}

// A map viewer moves to the center, which must lie on the right side of the world.
func TestTileJSONAcrossTheAntimeridian(t *testing.T) {
	for _, test := range []struct {
		west, east, center float64
	}{{170, 195, -177.5}, {160, 190, 175}, {-10, 30, 10}, {-180, 180, 0}, {170, 190, 180}} {
		server := servertest.Serve(t, nil, servertest.Flat("strip", raster.RGBA{R: 9, A: 255}, geo.Bounds{MinX: test.west, MinY: -20, MaxX: test.east, MaxY: -15}))
		got := servertest.DecodeJSON[servertest.TileJSON](t, server.Get(t, "/layers/strip/tilejson.json"))
		if math.Abs(got.Center[0]-test.center) > 1e-6 || math.Abs(got.Center[1]+17.5) > 1e-6 {
			t.Errorf("from %v to %v: the center is %v, want %v", test.west, test.east, got.Center, test.center)
		}
		if b := got.Bounds; b[0] < -180 || b[2] > 180 || b[0] >= b[2] {
			t.Errorf("from %v to %v: the bounds are %v", test.west, test.east, b)
		}
	}
}

func TestTileJSON(t *testing.T) {
	server := servertest.New(t, nil)
	tests := []struct{ layer, query, tiles string }{
		{"map", "", "/tiles/map/{z}/{x}/{y}.png"},
		{"map", "?format=webp", "/tiles/map/{z}/{x}/{y}.webp"},
		{"map", "?format=jpeg", "/tiles/map/{z}/{x}/{y}.jpg"},
		{"map", "?tms=WorldCRS84Quad", "/tiles/map/WorldCRS84Quad/{z}/{x}/{y}.png"},
		{"map", "?tms=image", "/tiles/map/image/{z}/{x}/{y}.png"},
		{"plain", "?tms=image", "/tiles/plain/image/{z}/{x}/{y}.png"},
		{"height", "?colormap_name=viridis&rescale=0,5&_=1", "/tiles/height/{z}/{x}/{y}.png?colormap_name=viridis&rescale=0%2C5"},
		{"map", "?bidx=3&bidx=2&bidx=1", "/tiles/map/{z}/{x}/{y}.png?bidx=3&bidx=2&bidx=1"},
	}
	for _, test := range tests {
		got := servertest.DecodeJSON[servertest.TileJSON](t, server.Get(t, "/layers/"+test.layer+"/tilejson.json"+test.query))
		if got.TileJSON != "3.0.0" || got.Scheme != "xyz" || got.TileSize != 256 || got.Name == "" || got.MinZoom > got.MaxZoom {
			t.Errorf("%s%s is %+v", test.layer, test.query, got)
		}
		if len(got.Tiles) != 1 || got.Tiles[0] != "http://example.com"+test.tiles {
			t.Errorf("%s%s has the tiles %v, want %s", test.layer, test.query, got.Tiles, test.tiles)
		}
		if strings.Contains(test.query, "image") {
			if got.Bounds != nil || got.Center != nil {
				t.Errorf("%s%s has the bounds %v", test.layer, test.query, got.Bounds)
			}
			continue
		}
		if len(got.Bounds) != 4 || len(got.Center) != 3 || got.Bounds[0] >= got.Bounds[2] || got.Bounds[1] >= got.Bounds[3] {
			t.Errorf("%s%s has the bounds %v and the center %v", test.layer, test.query, got.Bounds, got.Center)
		}
	}
}

func TestPoint(t *testing.T) {
	server := servertest.New(t, nil)
	tests := []struct {
		path   string
		crs    string
		column int
		values []float64 // NaN stands for null
	}{
		{"/layers/map/point/10.5,20.5?crs=image", "image", 10, []float64{50, 100, 150}},
		{"/layers/map/point/10.5%2C20.5?crs=image", "image", 10, []float64{50, 100, 150}},
		{"/layers/height/point/20.5,4.5?crs=image", "image", 20, []float64{21}},
		{"/layers/height/point/5.5,4.5?crs=image", "image", 5, []float64{math.NaN()}},
		{"/layers/utm/point/500105,5299995?crs=EPSG:32633", "EPSG:32633", 10, []float64{10, 60, 110}},
		{"/layers/utm/point/15.0001,47.8512", "CRS84", 0, nil},
	}
	for _, test := range tests {
		got := servertest.DecodeJSON[struct {
			CRS         string
			Column, Row int
			Coordinates []float64
			Values      []*float64
		}](t, server.Get(t, test.path))
		if got.CRS != test.crs || got.Column != test.column || len(got.Coordinates) != 2 {
			t.Errorf("%s is %+v", test.path, got)
		}
		for i, want := range test.values {
			if isNull := got.Values[i] == nil; isNull != math.IsNaN(want) || !isNull && *got.Values[i] != want {
				t.Errorf("%s: value %d is %v, want %v", test.path, i, got.Values[i], want)
			}
		}
	}
}

func TestStatistics(t *testing.T) {
	server := servertest.New(t, nil)
	type band struct{ Min, Max, Mean float64 }
	got := servertest.DecodeJSON[map[string]band](t, server.Get(t, "/layers/height/statistics"))
	if b := got["b1"]; len(got) != 1 || b.Min != 10 || b.Max < 500 || !(b.Mean > b.Min && b.Mean < b.Max) {
		t.Errorf("the statistics are %+v", got)
	}
	some := servertest.DecodeJSON[map[string]band](t, server.Get(t, "/layers/map/statistics?bidx=3,1"))
	if _, ok := some["b2"]; ok || len(some) != 2 {
		t.Errorf("the statistics of two bands are %+v", some)
	}
}

func TestColorMapsAreListedWithTheirColors(t *testing.T) {
	server := servertest.New(t, nil)
	list := servertest.DecodeJSON[struct {
		Colormaps []struct {
			Name   string
			Group  string
			Colors []string
		}
	}](t, server.Get(t, "/colormaps")).Colormaps
	if len(list) < 100 {
		t.Errorf("only %d color maps", len(list))
	}
	for _, m := range list {
		if len(m.Colors) != 16 || strings.HasSuffix(m.Name, "_r") {
			t.Errorf("%s has %d colors", m.Name, len(m.Colors))
		}
		if (m.Group == "cyclic") != (m.Name == "hsv" || m.Name == "phase" || strings.HasPrefix(m.Name, "twilight")) {
			t.Errorf("%s is %s", m.Name, m.Group)
		}
		if m.Name == "viridis" && (m.Group != "sequential" || m.Colors[0] != "#440154" || m.Colors[15] != "#fde724") {
			t.Errorf("viridis goes from %s to %s", m.Colors[0], m.Colors[15])
		}
	}
}

// Computing the swatches of all color maps is too expensive for each request.
func TestColorMapsAreComputedOnce(t *testing.T) {
	server := servertest.New(t, nil)
	server.Get(t, "/colormaps")
	if allocated := testing.AllocsPerRun(5, func() { server.Get(t, "/colormaps") }); allocated > 500 {
		t.Errorf("the list takes %.0f allocations each time", allocated)
	}
}

func TestHistogramBins(t *testing.T) {
	server := servertest.New(t, nil)
	type report struct{ Histogram [2][]float64 }
	for query, want := range map[string]int{"": 10, "?histogram_bins=64": 64, "?histogram_bins=1": 1} {
		var sums [3]float64
		for name, band := range servertest.DecodeJSON[map[string]report](t, server.Get(t, "/layers/map/statistics"+query)) {
			if len(band.Histogram[0]) != want || len(band.Histogram[1]) != want+1 {
				t.Errorf("%q: %s has %d bins and %d edges", query, name, len(band.Histogram[0]), len(band.Histogram[1]))
			}
			for _, count := range band.Histogram[0] {
				sums[name[1]-'1'] += count
			}
		}
		if sums != [3]float64{601 * 499, 601 * 499, 601 * 499} {
			t.Errorf("%q: the bins hold %v pixels", query, sums)
		}
	}
	for _, bins := range []string{"0", "257", "many"} {
		if got := server.Get(t, "/layers/map/statistics?histogram_bins="+bins); got.Code != http.StatusBadRequest {
			t.Errorf("%s bins are %d", bins, got.Code)
		}
	}
}

func TestTileJSONHeightEncoding(t *testing.T) {
	server := servertest.New(t, nil)
	for query, want := range map[string]string{"": "", "?algorithm=terrarium": "terrarium", "?algorithm=terrainrgb": "mapbox", "?algorithm=hillshade": ""} {
		if got := servertest.DecodeJSON[struct{ Encoding string }](t, server.Get(t, "/layers/height/tilejson.json"+query)); got.Encoding != want {
			t.Errorf("%q: encoding %q, want %q", query, got.Encoding, want)
		}
	}
}
