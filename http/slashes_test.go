package http_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

func TestExtraSlashes(t *testing.T) {
	server := servertest.New(t, nil)
	for path, want := range map[string]string{ // path to its redirect, or ""
		"/layers/":     "http://example.com/layers",
		"/layers/map/": "http://example.com/layers/map",
		"/layers//map": "http://example.com/layers/map",
		"//tiles/map/" + servertest.CornerTile + ".png?v=1&a": "http://example.com/tiles/map/" + servertest.CornerTile + ".png?v=1&a",
		"/tiles/map/" + servertest.CornerTile + ".png/":       "http://example.com/tiles/map/" + servertest.CornerTile + ".png",
		"/ogc//collections":         "http://example.com/ogc/collections",
		"///":                       "http://example.com/",
		"//evil.example/layers/../": "",
		"//evil.example//":          "",
		"/nothing/":                 "",
		"/tiles//" + servertest.CornerTile + ".png":                    "",
		"/wmts/1.0.0/map//WebMercatorQuad/12/1340/2200.png":            "",
		"/wmts/1.0.0/map//WebMercatorQuad/12/1340/2200/1/1.json":       "",
		"/ogc/collections/map/styles//map/tiles/WebMercatorQuad":       "",
		"/ogc/collections/map/styles//map/tiles/WebMercatorQuad/0/0/0": "",
	} {
		got := server.Get(t, "http://example.com"+path)
		if want == "" {
			if got.Code != http.StatusNotFound {
				t.Errorf("%s: status %d", path, got.Code)
			}
			continue
		}
		if got.Code != http.StatusPermanentRedirect || got.Header().Get("Location") != want {
			t.Errorf("%s: status %d, Location %q, want %q", path, got.Code, got.Header().Get("Location"), want)
		}
		if control := got.Header().Get("Cache-Control"); control != "no-cache" { // without it, caches may keep a redirect without limit
			t.Errorf("%s redirects with Cache-Control %q", path, control)
		}
		if found := server.Get(t, want); found.Code != http.StatusOK {
			t.Errorf("%s redirects to %s, which has status %d", path, want, found.Code)
		}
	}
	for _, path := range []string{"/ogc/", "/tms/", "/tms/1.0.0/"} {
		if got := server.Get(t, path); got.Code != http.StatusOK {
			t.Errorf("%s, an existing address: status %d", path, got.Code)
		}
	}
}

func TestExtraSlashesBehindAProxy(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, c *tilehttp.Config) { c.BasePath = "/maps" })
	if got := server.Get(t, "/maps//layers/"); got.Header().Get("Location") != "http://example.com/maps/layers" {
		t.Errorf("below the base path, Location is %q", got.Header().Get("Location"))
	}
	server = servertest.New(t, nil)
	headers := map[string]string{"X-Forwarded-Prefix": "/imagery", "X-Forwarded-Host": "maps.example", "X-Forwarded-Proto": "https"}
	for _, path := range []string{"/imagery/layers/", "/imagery//layers", "/layers/"} {
		if got := server.GetThrough("127.0.0.1:1", path, headers); got.Header().Get("Location") != "https://maps.example/imagery/layers" {
			t.Errorf("%s redirects to %q", path, got.Header().Get("Location"))
		}
	}
}

func TestUpperCaseExtensions(t *testing.T) {
	server := servertest.New(t, nil)
	for path, query := range map[string]string{"/tiles/map/" + servertest.CornerTile: "", "/layers/map/preview": "", "/layers/map/view": "?bbox=0,0,100,50&crs=image"} {
		small, large := server.Get(t, path+".png"+query), server.Get(t, path+".PNG"+query)
		if large.Code != http.StatusOK || large.Body.String() != small.Body.String() || large.Header().Get("ETag") != small.Header().Get("ETag") {
			t.Errorf("%s.PNG is %d", path, large.Code)
		}
	}
}

func TestFavicon(t *testing.T) {
	got := servertest.New(t, nil).Get(t, "/favicon.ico")
	if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "image/svg+xml" || !strings.HasPrefix(got.Body.String(), "<svg") {
		t.Errorf("the icon: status %d, type %s", got.Code, got.Header().Get("Content-Type"))
	}
}

// A star does not cover Authorization, and old browsers take it for the name of a header.
func TestCORSHeaders(t *testing.T) {
	server := servertest.New(t, nil)
	r := httptest.NewRequest(http.MethodOptions, "/layers/map/view.tif", nil)
	r.Header.Set("Access-Control-Request-Headers", "authorization, range, if-match")
	preflight := server.Do(r)
	for _, name := range []string{"Authorization", "Range", "If-Match", "If-None-Match", "*"} {
		if !contains(preflight.Header().Get("Access-Control-Allow-Headers"), name) {
			t.Errorf("%s is not in Access-Control-Allow-Headers: %q", name, preflight.Header().Get("Access-Control-Allow-Headers"))
		}
	}
	exposed := server.Send(http.MethodGet, "/layers/map/preview.tif", "Range", "bytes=0-9").Header().Get("Access-Control-Expose-Headers")
	for _, name := range []string{"Accept-Ranges", "Content-Range", "ETag", "Retry-After", "X-Cache"} {
		if !contains(exposed, name) {
			t.Errorf("%s is not in Access-Control-Expose-Headers: %q", name, exposed)
		}
	}
}

// contains reports whether a list of headers contains a name.
func contains(list, name string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(part) == name {
			return true
		}
	}
	return false
}
