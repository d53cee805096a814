package wmts_test

import (
	"math"
	"net/http"
	"strings"
	"testing"

	"tileserver/display"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/style"
)

// GetFeatureInfo sends the header like the address of points.
func TestWMTSInfoDamageHeader(t *testing.T) {
	server := servertest.New(t, nil)
	s, placed := servertest.Damaged(), servertest.Scenes(t)[0]
	s.CRS, s.Affine = placed.CRS, placed.Affine
	server.Add(t, s)
	for pixel, want := range map[string]string{"20/150": "code-blocks=1", "150/150": ""} {
		got := server.Get(t, "/wmts/1.0.0/damaged/default/WebMercatorQuad/12/1340/2200/"+pixel+".json")
		if header := got.Header().Get(servertest.DamageHeader); got.Code != http.StatusOK || header != want {
			t.Errorf("%s: status %d, %s %q, want %q: %s", pixel, got.Code, servertest.DamageHeader, header, want, got.Body)
		}
	}
}

// wmtsFeatures is the GeoJSON of GetFeatureInfo as clients parse it.
type wmtsFeatures struct {
	Type     string
	Features []struct {
		Type, ID string
		Geometry *struct {
			Type        string
			Coordinates [2]float64
		}
		Properties map[string]any
	}
}

// infoPath returns a GetFeatureInfo query for the corner of a layer.
func infoPath(changes ...string) string {
	return edit(tileQuery+infoQuery, append([]string{"request", "GetFeatureInfo"}, changes...)...)
}

func TestWMTSInfo(t *testing.T) {
	server := servertest.New(t, nil)
	colored := servertest.Scenes(t)[0]
	colored.Config.ID = "colored"
	colored.Config.Styles = []style.Named{{Name: "green", Style: style.Style{Spec: display.Spec{Bands: []int{1}}}}}
	server.Add(t, colored)
	tests := []struct {
		name, path string
		want       map[string]any // nil: the layer does not cover the pixel
	}{
		{"all bands", infoPath(), map[string]any{"b1": 34.0, "b2": 84.0, "b3": 134.0}},
		{"all bands of a layer that shows some", infoPath("layer", "styled"), map[string]any{"b1": 34.0, "b2": 84.0, "b3": 134.0}},
		{"the first pixel", infoPath("I", "0", "J", "0"), map[string]any{"b1": 0.0, "b2": 50.0, "b3": 100.0}},
		{"the last pixel of a tile", infoPath("I", "255", "J", "255"), map[string]any{"b1": 253.0, "b2": 47.0, "b3": 97.0}},
		{"another tile", infoPath("TileCol", "2201", "I", "0", "J", "0"), map[string]any{"b1": 0.0, "b2": 50.0, "b3": 100.0}},
		{"as an address", "/wmts/1.0.0/map/default/WebMercatorQuad/12/1340/2200/7/20.json", map[string]any{"b1": 34.0, "b2": 84.0, "b3": 134.0}},
		{"one band of the query", infoPath("bidx", "3"), map[string]any{"b1": 134.0}},
		{"one band behind an address", "/wmts/1.0.0/map/default/WebMercatorQuad/12/1340/2200/7/20.json?bidx=3", map[string]any{"b1": 134.0}},
		{"what is computed", infoPath("expression", "b1*2"), map[string]any{"b1": 68.0}},
		{"one band of a style", infoPath("layer", "colored", "style", "green"), map[string]any{"b1": 84.0}},
		{"a band with a name", infoPath("layer", "height"), map[string]any{"height": 21.75}},
		{"a band without data there", infoPath("layer", "height", "I", "5"), map[string]any{"height": nil}},
		{"beside the layer", infoPath("TileCol", "2202", "I", "200", "J", "0"), nil},
		{"in another system", infoPath("TileMatrixSet", "WorldCRS84Quad", "TileMatrix", "0", "TileRow", "0", "TileCol", "1"), nil},
		{"its own grid", infoPath("layer", "utm", "TileMatrixSet", "native-utm", "TileMatrix", "2", "TileRow", "1", "TileCol", "2", "I", "1", "J", "2"), map[string]any{"b1": float64((513 + 2*258) % 256), "b2": float64((513 + 2*258 + 50) % 256), "b3": float64((513 + 2*258 + 100) % 256)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := servertest.DecodeJSON[wmtsFeatures](t, server.Get(t, test.path))
			if got.Type != "FeatureCollection" || got.Features == nil || (len(got.Features) != 0) != (test.want != nil) {
				t.Fatalf("got %+v", got)
			}
			if test.want == nil {
				return
			}
			f := got.Features[0]
			if f.Type != "Feature" || f.ID == "" || f.Geometry == nil || f.Geometry.Type != "Point" {
				t.Errorf("the feature is %+v", f)
			}
			if len(f.Properties) != len(test.want) {
				t.Errorf("the values are %v, want %v", f.Properties, test.want)
			}
			for name, want := range test.want {
				if v, ok := f.Properties[name]; !ok || v != want {
					t.Errorf("%s is %v, want %v", name, v, want)
				}
			}
		})
	}
}

func TestWMTSInfoPosition(t *testing.T) {
	server := servertest.New(t, nil)
	got := servertest.DecodeJSON[wmtsFeatures](t, server.Get(t, infoPath())).Features[0]
	if got.ID != "map.20.7" {
		t.Errorf("the id is %q", got.ID)
	}
	// The pixel's center lies 20.5 pixels into column 2200 of 4096.
	if want := (2200+20.5/256)/4096*360 - 180; math.Abs(got.Geometry.Coordinates[0]-want) > 1e-9 {
		t.Errorf("the longitude is %v, want %v", got.Geometry.Coordinates[0], want)
	}
	if latitude := got.Geometry.Coordinates[1]; latitude < 52.59 || latitude > 52.70 {
		t.Errorf("the latitude is %v", latitude)
	}
}

func TestWMTSInfoAsTextAndHTML(t *testing.T) {
	server := servertest.New(t, nil)
	hostile := servertest.Scenes(t)[1]
	hostile.Config.ID, hostile.Config.Title = "hostile", "<script>alert(1)</script>"
	hostile.Provider.Has.Bands[0].Name = "</td><b>\n"
	hostile.Provider.Has.Bands[0].Unit = "m&m"
	server.Add(t, hostile)
	for _, test := range []struct{ format, extension, mime, want string }{
		{"text/plain", "txt", "text/plain; charset=utf-8", "pixel: 20 7\n</td><b>: 21.75 m&m\n"},
		{"text/html", "html", "text/html; charset=utf-8", `<tr><th scope="row">&lt;/td&gt;&lt;b&gt;</th><td>21.75 m&amp;m</td></tr>`},
	} {
		for _, path := range []string{
			infoPath("layer", "hostile", "InfoFormat", test.format),
			"/wmts/1.0.0/hostile/default/WebMercatorQuad/12/1340/2200/7/20." + test.extension,
		} {
			got := server.Get(t, path)
			if got.Code != http.StatusOK || got.Header().Get("Content-Type") != test.mime || !strings.Contains(got.Body.String(), test.want) {
				t.Errorf("%s: status %d, type %q: %s", path, got.Code, got.Header().Get("Content-Type"), got.Body)
			}
			if strings.Contains(got.Body.String(), "<script>") || !strings.Contains(got.Header().Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("%s contains markup: %v, %s", path, got.Header(), got.Body)
			}
		}
	}
	beside := server.Get(t, infoPath("TileCol", "2202", "I", "200", "J", "0", "InfoFormat", "text/plain")).Body.String()
	if !strings.Contains(beside, "has nothing there") {
		t.Errorf("outside the layer, the text is %q", beside)
	}
	if html := server.Get(t, infoPath("TileCol", "2202", "I", "200", "J", "0", "InfoFormat", "text/html")).Body.String(); !strings.Contains(html, "has nothing there") {
		t.Errorf("outside the layer, the HTML is %q", html)
	}
}

// An error while reading a pixel is not nodata.
func TestWMTSInfoOfABrokenLayer(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.BasePath = "x" })
	got := server.Get(t, infoPath("layer", "broken"))
	if exception := reportOf(t, got).Exceptions[0]; got.Code != 500 || exception.Code != "NoApplicableCode" || strings.Contains(exception.Text, "secret") {
		t.Errorf("%d: %+v", got.Code, exception)
	}
	if got := server.Get(t, "/wmts/1.0.0/broken/default/WebMercatorQuad/12/1340/2200/7/20.json"); got.Code != 500 {
		t.Errorf("the address is %d", got.Code)
	}
}
