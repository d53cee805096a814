package ogc_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// No address below the root of the API causes an internal error, and every error is a problem
// document with its status.
func FuzzOGCAddresses(f *testing.F) {
	for _, address := range []string{
		"/ogc", "/ogc/", "/ogc/?f=html", "/ogc/api", "/ogc/conformance", "/ogc/collections?limit=2&offset=1", "/ogc/collections/utm",
		"/ogc/collections/utm/styles/default?f=html", "/ogc/collections/map/map/tiles/WebMercatorQuad",
		"/ogc/collections/map/styles/default/map/tiles/WebMercatorQuad/12/1340/2200?f=webp",
		"/ogc/collections/map/map?subset=Lat(50:52),Lon(13:14)&crs=[EPSG:3857]&width=20&bgcolor=navy",
		"/ogc/map/tiles/WebMercatorQuad/12/1340/2200?f=jpeg&collections=height,map",
		"/ogc/map?f=png&bbox=50,13,52,14&bbox-crs=[EPSG:4326]&collections=map,utm&height=9",
		"/ogc/tileMatrixSets", "/ogc/tileMatrixSets/WorldCRS84Quad?version=1.0",
	} {
		path, query, _ := strings.Cut(address, "?")
		f.Add(path, query, "")
	}
	f.Add("/ogc/map", "center=12,45&scale-denominator=1e7&transparent=false&f=jpeg", "image/*")
	f.Add("/ogc/map/tiles/WorldCRS84Quad/3/1/8", "collections=flat,utm&empty=204", "image/webp;q=0.3, */*;q=0")
	f.Add("/ogc/collections/flat/styles/dim/map", "subset=Lat(41:42)&subset=Lon(3:400)&width=9&bgcolor=0x123456", "text/html")
	server := newServer(f)
	f.Fuzz(func(t *testing.T, path, query, accept string) {
		if !strings.HasPrefix(path, "/ogc/") {
			return
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = &url.URL{Path: path, RawQuery: query}
		r.Header.Set("Accept", accept)
		got := server.Do(r)
		if got.Code >= http.StatusInternalServerError {
			t.Fatalf("%d: %s", got.Code, got.Body)
		}
		if got.Header().Get("Content-Type") == "application/problem+json" && decodeProblem(t, got).Status != got.Code {
			t.Errorf("%d: %s", got.Code, got.Body)
		}
	})
}
