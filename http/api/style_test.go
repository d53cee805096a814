package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"tileserver/display"
	"tileserver/display/expression"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/style"
)

// expressionOf parses an expression.
func expressionOf(t testing.TB, text string) *expression.Source {
	t.Helper()
	parsed, err := expression.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// Synonymous queries give the same picture and ETag.
func TestSynonymousQueries(t *testing.T) {
	tests := []struct{ layer, query, same string }{
		{"map", "expression=b1;b2;b3&rescale=0,255", "expression=b1%3B+b2%3B(b3)&rescale=0,255"},
		{"map", "bidx=2&colormap_name=viridis", "bidx=2&colormap_name=VIRIDIS"},
		{"height", "unscale=true", ""},
		{"height", "algorithm=hillshade", `algorithm=hillshade&algorithm_params={"azimuth":315,"angle_altitude":45}`},
		{"map", "color_formula=gamma+R+1", ""},
		{"map", "complex=magnitude", ""},
		{"map", "style=default", ""},
		{"map", "depth=8", ""},
		{"map", "bands=b3,b1,b2", "bidx=3,1,2"},
		{"height", "bands=HEIGHT", ""},
	}
	server := servertest.New(t, nil)
	for _, test := range tests {
		path := "/layers/" + test.layer + "/preview.png?max_size=90&"
		got, want := server.Get(t, path+escaped(test.query)), server.Get(t, path+escaped(test.same))
		if got.Code != 200 || got.Header().Get("ETag") != want.Header().Get("ETag") || !bytes.Equal(got.Body.Bytes(), want.Body.Bytes()) {
			t.Errorf("%s differs from %s: status %d %.200s", test.query, test.same, got.Code, got.Body)
		}
	}
}

// escaped escapes JSON in a query.
func escaped(query string) string {
	return strings.NewReplacer("{", "%7B", "}", "%7D", `"`, "%22", ";", "%3B", "#", "%23", "[", "%5B", "]", "%5D").Replace(query)
}

// Each of these queries gives a different picture.
func TestParametersChangePictures(t *testing.T) {
	queries := []string{
		"", "algorithm=hillshade", "algorithm=multihillshade", "algorithm=relief", "algorithm=slope", "algorithm=aspect", "algorithm=contours",
		"algorithm=terrainrgb", "algorithm=terrarium", `algorithm=hillshade&algorithm_params={"azimuth":100}`,
		"algorithm=slope&colormap_name=magma", "algorithm=relief&colormap_name=magma", `algorithm=relief&algorithm_params={"azimuth":100}`,
		"algorithm=relief&rescale=0,900", `algorithm=relief&colormap=[[0,"#000"],[600,"#ff0"]]`, "expression=b1*b1", "expression=sqrt(b1)", "color_formula=gamma+RGB+2",
		"color_formula=sigmoidal+RGB+10+0.5", "colormap_name=turbo", "stretch=percentile:10,90", "stretch=none", "stretch=tile", "depth=16",
		`colormap={"10":"#ff0000","11":"#00ff00"}`, `colormap=[[[0,100],"#ff0000"],[[100,600],"#0000ff"]]`, `colormap=[[0,"#000"],[600,"#ff0"]]`,
		`colormap={"0":"#000000","255":"#ff8800"}&colormap_type=linear`,
	}
	server := servertest.New(t, nil)
	seen := map[string]string{}
	for _, query := range queries {
		got := server.Get(t, "/layers/height/preview.png?max_size=120&"+escaped(query))
		servertest.DecodeImage(t, got)
		for _, name := range []string{got.Body.String(), got.Header().Get("ETag")} {
			if other, ok := seen[name]; ok {
				t.Errorf("%q gives the same picture as %q", query, other)
			}
			seen[name] = query
		}
	}
}

func TestStyleErrors(t *testing.T) {
	tests := []struct{ layer, query, says string }{
		{"map", "expression=b1%2B", "at character"},
		{"map", "expression=b9", `no band \"b9\"`},
		{"map", "expression=b1&bidx=1", "exclude each other"},
		{"map", "expression=" + strings.Repeat("(", 100), "invalid expression"},
		{"map", "algorithm=shade", "terrarium, none"},
		{"map", "algorithm=hillshad", `terrarium, none; did you mean \"hillshade\"?`},
		{"height", "colormap_name=virids", `unknown color map \"virids\"; did you mean \"viridis\"?`},
		{"height", "colormap_name=nothing+like+it", `unknown color map \"nothing like it\"; /colormaps lists all`},
		{"map", "algorithm_params={}", "need an algorithm"},
		{"height", `algorithm=hillshade&algorithm_params={"azimut":3}`, "azimut"},
		{"map", "algorithm=hillshade&bidx=1,2,3", "one band, not 3"},
		{"map", "algorithm=relief&bidx=1,2,3", "one band, not 3"},
		{"map", "colormap_name=viridis", "one band, not 3; choose it with bidx"},
		{"map", `colormap={"1":"red"}`, "one band, not 3; choose it with bidx"},
		{"map", "algorithm=hillshade", "one band, not 3; choose it with bidx"},
		{"map", "algorithm=relief", "one band, not 3; choose it with bidx"},
		{"styled", "colormap_name=viridis", "one band, not 3; choose it with bidx"},
		{"styled", "algorithm=contours", "one band, not 3; choose it with bidx"},
		{"height", "algorithm=none&algorithm_params={}", "need an algorithm"},
		{"map", "color_formula=gama+R+1", "color_formula"},
		{"map", "colormap={}", "colormap"},
		{"map", `colormap={"1":"red"}&colormap_name=viridis&bidx=1`, "exclude each other"},
		{"map", "background=reddish", "background"},
		{"map", "depth=12", "depth must be one of 8, 16"},
		{"map", "style=none", "default"},
		{"map", "unscale=maybe", "unscale"},
		{"map", "bands=nir", `no band \"nir\"; the bands are b1, b2, b3`},
		{"map", "bands=b1&bidx=1", "exclude each other"},
		{"map", "statistics=gdal", "dataset, file"},
		{"map", "stretch=minmax&statistics=file", "no statistics of band 1"},
		{"map", "subsampling=422", "subsampling"},
	}
	server := servertest.New(t, nil)
	for _, test := range tests {
		got := server.Get(t, "/layers/"+test.layer+"/preview.png?"+escaped(test.query))
		if body := got.Body.String(); got.Code != http.StatusBadRequest || !strings.Contains(body, test.says) {
			t.Errorf("%s: %d %.200s, want 400 that says %q", test.query, got.Code, body, test.says)
		}
	}
	if got := server.Get(t, "/layers/map/preview.jpg?depth=16"); got.Code != http.StatusBadRequest {
		t.Errorf("a JPEG of 16 bits is %d", got.Code)
	}
}

// An opaque picture is sent in the format that the client accepts, and Vary says so.
func TestFormatIsNegotiated(t *testing.T) {
	server := servertest.New(t, nil)
	tests := []struct{ path, accept, mime string }{
		{"/layers/map/preview.auto", "", "image/jpeg"},
		{"/layers/map/preview.auto", "image/avif,image/webp,*/*;q=0.8", "image/webp"},
		{"/layers/map/preview.auto", "image/webp;q=0, image/png", "image/jpeg"},
		{"/layers/map/preview.auto", "image/*", "image/jpeg"},
		{"/layers/height/preview.auto", "image/webp", "image/png"}, // parts of it are nodata
		{"/tiles/map/" + servertest.CornerTile, "image/webp", "image/webp"},
		{"/tiles/map/0/0/0", "image/webp", "image/png"},
	}
	for _, test := range tests {
		r := httptest.NewRequest(http.MethodGet, test.path, nil)
		r.Header.Set("Accept", test.accept)
		got := server.Do(r)
		if mime := got.Header().Get("Content-Type"); got.Code != 200 || mime != test.mime || !slices.Contains(got.Header().Values("Vary"), "Accept") {
			t.Errorf("%s for %q: %d %s, Vary %v", test.path, test.accept, got.Code, mime, got.Header().Values("Vary"))
		}
	}
	if got := server.Get(t, "/layers/map/preview.png"); got.Header().Get("Vary") != "" {
		t.Errorf("a PNG varies by %s", got.Header().Get("Vary"))
	}
}

func TestPerTileStretchIsNotStored(t *testing.T) {
	server := servertest.New(t, nil)
	for query, want := range map[string]string{"?stretch=tile": "no-store", "?stretch=dra": "c"} {
		server := server
		if want != "no-store" {
			server = servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.CacheControl = want })
		}
		if got := server.Get(t, "/layers/height/preview.png"+query).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestNamedStyles(t *testing.T) {
	server := servertest.New(t, nil)
	index := style.Named{Name: "index", Title: "An index", Style: style.Style{Spec: display.Spec{Expression: expressionOf(t, "(b1-b2)/(b1+b2)"), ColorMap: "rdylgn"}}}
	wide := style.Named{Name: "wide", Title: "Of nine bands", Style: style.Style{Spec: display.Spec{Bands: []int{8}}}}
	plain := servertest.Scenes(t)[0]
	plain.Config.ID, plain.Config.Shared = "several", []style.Named{index, wide}
	server.Add(t, plain)

	document := servertest.DecodeJSON[struct {
		Styles []struct{ Name, Title, Legend string }
	}](t, server.Get(t, "/layers/several"))
	if names := fmt.Sprint(document.Styles); len(document.Styles) != 2 || document.Styles[0].Name != "default" || document.Styles[1].Title != "An index" {
		t.Errorf("the styles are %s", names)
	}
	got := server.Get(t, "/layers/several/preview.png?style=index")
	want := server.Get(t, "/layers/several/preview.png?colormap_name=rdylgn&expression="+url.QueryEscape(index.Style.Expression.String()))
	if !bytes.Equal(got.Body.Bytes(), want.Body.Bytes()) || got.Code != 200 {
		t.Errorf("the style is %d, and other bytes than its parameters give", got.Code)
	}
	tiles := servertest.DecodeJSON[struct {
		Tiles      []string
		Statistics string `json:"statistics_version"`
	}](t, server.Get(t, "/layers/several/tilejson.json?style=index"))
	if !strings.HasSuffix(tiles.Tiles[0], "?style=index") || len(tiles.Statistics) != 16 {
		t.Errorf("the TileJSON says %+v", tiles)
	}
}

func TestLegends(t *testing.T) {
	server := servertest.New(t, nil)
	document := servertest.DecodeJSON[struct {
		Title, Kind string
		Min, Max    float64
		Entries     []struct {
			Value *float64
			Color string
		}
	}](t, server.Get(t, "/layers/height/legend.json?colormap_name=viridis&rescale=0,100"))
	if document.Title != "height" || document.Kind != "ramp" || document.Max != 100 || len(document.Entries) != 256 ||
		document.Entries[0].Color != "#440154ff" || *document.Entries[255].Value != 100 {
		t.Errorf("the legend is %s of %s to %v, with %d entries", document.Kind, document.Title, document.Max, len(document.Entries))
	}
	if got := server.Get(t, "/layers/map/legend.json").Body.String(); !strings.Contains(got, `{"label":"band 1","color":"#ff0000ff"}`) {
		t.Errorf("the legend of an RGB picture is %s", got)
	}
	for path, width := range map[string]int{
		"/layers/height/legend.png": 0, "/layers/height/legend.png?width=300&height=60&background=white": 300,
		"/layers/map/legend.png": 0, "/layers/height/legend.png?colormap=" + escaped(`{"1":"#ff0000"}`): 0,
		"/layers/height/legend.png?vertical=true": 0,
	} {
		img, format := servertest.DecodeImage(t, server.Get(t, path))
		if format != "png" || img.Bounds().Dx() < 16 || width != 0 && img.Bounds().Dx() != width {
			t.Errorf("%s is a %s of %v", path, format, img.Bounds())
		}
	}
	if got := server.Get(t, "/layers/height/legend.json?algorithm=terrainrgb"); got.Code != http.StatusNotFound {
		t.Errorf("a legend of encoded heights: status %d", got.Code)
	}
	if got := server.Get(t, "/layers/broken/legend.json?stretch=minmax"); got.Code != http.StatusInternalServerError {
		t.Errorf("a legend without statistics is %d: %s", got.Code, got.Body)
	}
}

func TestDataFormats(t *testing.T) {
	server := servertest.New(t, nil)
	npy := server.Get(t, "/layers/map/view.npy?bbox=0,0,20,10&crs=image&width=20&height=10")
	if npy.Code != 200 || !strings.Contains(npy.Body.String()[:128], "(4, 10, 20)") || npy.Header().Get("ETag") == "" {
		t.Errorf("%d %.128q", npy.Code, npy.Body)
	}
	for _, path := range []string{"/tiles/map/" + servertest.CornerTile + ".tif", "/tiles/height/" + servertest.CornerTile + ".tiff?expression=b1*2", "/tiles/map/0/0/0.tif"} {
		got := server.Get(t, path)
		if got.Code != 200 || !bytes.HasPrefix(got.Body.Bytes(), []byte("II*\x00")) || !strings.HasPrefix(got.Header().Get("Content-Type"), "image/tiff") {
			t.Errorf("%s: %d %s", path, got.Code, got.Header().Get("Content-Type"))
		}
	}
}

func TestStatisticsOfExpressions(t *testing.T) {
	server := servertest.New(t, nil)
	var document map[string]struct{ Min, Max float64 }
	got := server.Get(t, "/layers/height/statistics?expression=b1*10")
	if err := json.Unmarshal(got.Body.Bytes(), &document); err != nil || len(document) != 1 || document["b1"].Min != 100 || document["b1"].Max != 5995 {
		t.Errorf("%d %s, %v", got.Code, got.Body, err)
	}
}

// A point has values, and samples if they differ.
func TestPointValuesAndSamples(t *testing.T) {
	server := servertest.New(t, nil)
	scaled := servertest.Scenes(t)[1]
	scaled.Config.ID = "scaled"
	scaled.Provider = servertest.Heights()
	scaled.Provider.Name = "scaled@1"
	scaled.Provider.Has.Bands[0].Scale, scaled.Provider.Has.Bands[0].Offset, scaled.Provider.Has.Bands[0].Unit = 0.5, -3, "m"
	server.Add(t, scaled)
	got := server.Get(t, "/layers/scaled/point/100,20?crs=image").Body.String()
	for _, want := range []string{`"values":[49.5]`, `"samples":[105]`, `"units":["m"]`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s does not say %s", got, want)
		}
	}
	if got := server.Get(t, "/layers/height/point/100,20?crs=image").Body.String(); strings.Contains(got, "samples") || strings.Contains(got, "units") {
		t.Errorf("of plain samples: %s", got)
	}
}

func TestSemicolonsSeparateOutputs(t *testing.T) {
	server := servertest.New(t, nil)
	plain := server.Get(t, "/layers/map/preview.png?expression=b3;b2;b1&rescale=0,255")
	escaped := server.Get(t, "/layers/map/preview.png?expression=b3%3Bb2%3Bb1&rescale=0,255")
	if plain.Code != 200 || plain.Header().Get("ETag") != escaped.Header().Get("ETag") {
		t.Errorf("with unescaped semicolons: status %d: %s", plain.Code, plain.Body)
	}
}
