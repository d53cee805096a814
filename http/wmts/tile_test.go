package wmts_test

import (
	"net/http"
	"strings"
	"testing"

	"tileserver/http/servertest"
	"tileserver/style"
)

func TestWMTSTile(t *testing.T) {
	server := servertest.New(t, nil)
	named := servertest.Scenes(t)[0]
	named.Config.ID, named.Config.Styles = "named", []style.Named{{Name: "swapped", Style: servertest.Scenes(t)[4].Config.Style}}
	server.Add(t, named)
	tests := []struct{ name, query, resource, xyz string }{
		{"png", edit(tileQuery), "map/default/WebMercatorQuad/12/1340/2200.png", "map/12/2200/1340.png"},
		{"jpeg", edit(tileQuery, "format", "image/jpeg"), "map/default/WebMercatorQuad/12/1340/2200.jpg", "map/12/2200/1340.jpg"},
		{"jpeg by its long name", edit(tileQuery, "format", "image/jpeg"), "map/default/WebMercatorQuad/12/1340/2200.jpeg", "map/12/2200/1340.jpg"},
		{"webp", edit(tileQuery, "format", "image/webp"), "map/default/WebMercatorQuad/12/1340/2200.webp", "map/12/2200/1340.webp"},
		{"the last column and row", edit(tileQuery, "TileRow", "1341", "TileCol", "2202"), "map/default/WebMercatorQuad/12/1341/2202.png", "map/12/2202/1341.png"},
		{"another set", edit(tileQuery, "TileMatrixSet", "WorldCRS84Quad", "TileMatrix", "0", "TileRow", "0", "TileCol", "1"), "map/default/WorldCRS84Quad/0/0/1.png", "map/WorldCRS84Quad/0/1/0.png"},
		{"a set whose levels begin with one", edit(tileQuery, "layer", "utm", "TileMatrixSet", "UTM33WGS84Quad", "TileMatrix", "1", "TileRow", "0", "TileCol", "0"), "utm/default/UTM33WGS84Quad/1/0/0.png", "utm/UTM33WGS84Quad/0/0/0.png"},
		{"its own grid", edit(tileQuery, "layer", "utm", "TileMatrixSet", "native-utm", "TileMatrix", "2", "TileRow", "1", "TileCol", "2"), "utm/default/native-utm/2/1/2.png", "utm/native-utm/2/2/1.png"},
		{"an empty style", edit(tileQuery, "style", ""), "map/default/WebMercatorQuad/12/1340/2200.png", "map/12/2200/1340.png"},
		{"a named style", edit(tileQuery, "layer", "named", "style", "swapped"), "named/swapped/WebMercatorQuad/12/1340/2200.png", "named/12/2200/1340.png?style=swapped"},
		{"a style of the query", edit(tileQuery, "rescale", "0,90"), "map/default/WebMercatorQuad/12/1340/2200.png?rescale=0,90", "map/12/2200/1340.png?rescale=0,90"},
		{"a style in capitals", edit(tileQuery, "RESCALE", "0,90"), "map/default/WebMercatorQuad/12/1340/2200.png?rescale=0,90", "map/12/2200/1340.png?rescale=0,90"},
		{"the style of the path", edit(tileQuery), "map/default/WebMercatorQuad/12/1340/2200.png?style=Bogus", "map/12/2200/1340.png"},
		{"what others do not like empty", edit(tileQuery, "empty", "204"), "map/default/WebMercatorQuad/12/1340/2200.png?empty=404", "map/12/2200/1340.png"},
		{"a level that is finer than the layer", edit(tileQuery, "TileMatrix", "13", "TileRow", "0", "TileCol", "0"), "map/default/WebMercatorQuad/13/0/0.png", "map/13/0/0.png"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := server.Get(t, "/tiles/"+test.xyz)
			if want.Code != http.StatusOK {
				t.Fatalf("%s: status %d: %s", test.xyz, want.Code, want.Body)
			}
			for _, path := range []string{test.query, "/wmts/1.0.0/" + test.resource} {
				got := server.Get(t, path)
				if got.Code != http.StatusOK {
					t.Fatalf("%s: status %d: %s", path, got.Code, got.Body)
				}
				if got.Body.String() != want.Body.String() || got.Header().Get("ETag") != want.Header().Get("ETag") {
					t.Errorf("%s is not %s", path, test.xyz)
				}
				if mime := got.Header().Get("Content-Type"); mime != want.Header().Get("Content-Type") {
					t.Errorf("%s has the type %q", path, mime)
				}
			}
		})
	}
}

// Names of parameters and operations ignore case.
func TestWMTSNamesInAnyCase(t *testing.T) {
	server := servertest.New(t, nil)
	for _, query := range []string{tileQuery, tileQuery + infoQuery + "&request=", "service=WMTS&request=GetCapabilities&acceptversions=1.0.0&sections=contents"} {
		if strings.HasSuffix(query, "&request=") {
			query = strings.TrimPrefix(edit(query, "request", "GetFeatureInfo"), "/wmts?")
		}
		want := server.Get(t, "/wmts?"+query)
		if want.Code != http.StatusOK {
			t.Fatalf("%s: status %d: %s", query, want.Code, want.Body)
		}
		for _, fold := range []func(string) string{strings.ToLower, strings.ToUpper} {
			parts := strings.Split(query, "&")
			for i, part := range parts {
				name, value, _ := strings.Cut(part, "=")
				parts[i] = fold(name) + "=" + value
			}
			if got := server.Get(t, "/wmts?"+strings.Join(parts, "&")); got.Body.String() != want.Body.String() {
				t.Errorf("%v differs from %s", parts, query)
			}
		}
	}
}

func TestMissingWMTSResources(t *testing.T) {
	server := servertest.New(t, nil)
	for path, status := range map[string]int{
		"nope/default/WebMercatorQuad/12/1340/2200.png":          404,
		"map/nope/WebMercatorQuad/12/1340/2200.png":              404,
		"map/default/Moon/12/1340/2200.png":                      404,
		"map/default/image/0/0/0.png":                            404,
		"map/default/WebMercatorQuad/99/1340/2200.png":           404,
		"map/default/WebMercatorQuad/12/1339/2200.png":           404,
		"map/default/WebMercatorQuad/12/1340/2203.png":           404,
		"map/default/WebMercatorQuad/12/1340/2200.gif":           404,
		"map/default/WebMercatorQuad/12/1340/2200.tif":           404,
		"map/default/WebMercatorQuad/12/1340/2200.auto":          404,
		"map/default/WebMercatorQuad/12/a/2200.png":              400,
		"map/default/WebMercatorQuad/12/01340/2200.png":          400,
		"map/default/WebMercatorQuad/12/1340/2200.png?rescale=1": 400,
		"map/default/WebMercatorQuad/12/1340/2200.png?%zz":       400,
		"map/default/WebMercatorQuad/12/1340/2200/256/0.json":    404,
		"map/default/WebMercatorQuad/12/1340/2200/0/0.gml":       404,
		"map/default/WebMercatorQuad/12/1340/2200/0/x.json":      400,
		"WMTSCapabilities.xml/Bogus":                             404,
		"broken/default/WebMercatorQuad/12/1340/2200.png":        500,
	} {
		got := server.Get(t, "/wmts/1.0.0/"+path)
		if got.Code != status {
			t.Errorf("%s: status %d, want %d", path, got.Code, status)
		}
		code, message := servertest.ErrorOf(t, got)
		if advice := "its tiles are at /tiles/map/image/"; strings.Contains(path, "/image/") && !strings.Contains(message, advice) {
			t.Errorf("%s: message %q lacks %q", path, message, advice)
		}
		if code == "" || message == "" || strings.Contains(message, "secret") {
			t.Errorf("%s is %q, %q", path, code, message)
		}
	}
}
