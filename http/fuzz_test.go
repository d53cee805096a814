package http_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// What a client may write behind an address never is the server's fault.
func FuzzAddresses(f *testing.F) {
	for _, route := range publicRoutes {
		path, query, _ := strings.Cut(route.path, "?")
		f.Add(path, query)
	}
	f.Add("/tiles/map/12/2200/1340@2x.png", "bidx=1&rescale=0,1&stretch=&colormap_name=viridis_r&nodata=0&resampling=cubic&quality=3")
	f.Add("/layers/utm/view.png", "bbox=15,47.8,15.1,47.9&crs=EPSG:3035&width=3&height=5")
	w := newWorld(f, nil)
	f.Fuzz(func(t *testing.T, path, query string) {
		if strings.Contains(path, "broken") || strings.Contains(path, "panicking") {
			t.Skip()
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = &url.URL{Path: path, RawQuery: query}
		if got := w.do(r); got.Code >= http.StatusInternalServerError {
			t.Errorf("%d: %s", got.Code, got.Body)
		}
	})
}
