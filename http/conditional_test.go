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

func TestPictureOrigin(t *testing.T) {
	server := servertest.New(t, nil)
	path := "/tiles/map/" + servertest.CornerTile + ".png"
	first, second, empty := server.Get(t, path), server.Get(t, path), server.Get(t, "/tiles/map/12/0/0@2x.png")
	for _, test := range []struct {
		recorder *httptest.ResponseRecorder
		origin   string
		timed    bool
	}{{first, "MISS", true}, {second, "HIT", false}, {empty, "EMPTY", false}} {
		if got := test.recorder.Header().Get("X-Cache"); got != test.origin {
			t.Errorf("X-Cache is %q, want %q", got, test.origin)
		}
		timing := test.recorder.Header().Get("Server-Timing")
		for _, step := range []string{"plan;dur=", "read;dur=", "sample;dur=", "render;dur=", "encode;dur="} {
			if strings.Contains(timing, step) != test.timed {
				t.Errorf("%s has the Server-Timing %q", test.origin, timing)
			}
		}
		if test.recorder.Header().Get("Vary") != "" {
			t.Errorf("%s: Vary %q", test.origin, test.recorder.Header().Get("Vary"))
		}
	}
	img, _ := servertest.DecodeImage(t, empty)
	if _, _, _, alpha := img.At(100, 100).RGBA(); alpha != 0 || img.Bounds().Dx() != 512 {
		t.Errorf("an empty tile is %v wide, with an alpha of %d", img.Bounds().Dx(), alpha)
	}
}

// conditionally requests a path from a server that has read nothing so far.
func conditionally(t *testing.T, path, ifNoneMatch string) (got *httptest.ResponseRecorder, reads int) {
	server := servertest.New(t, nil)
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("If-None-Match", ifNoneMatch)
	return server.Do(r), server.Reads()
}

func TestNotModifiedReadsNothing(t *testing.T) {
	made := servertest.New(t, nil)
	for _, path := range []string{
		"/tiles/map/" + servertest.CornerTile + ".png",
		"/tiles/height/" + servertest.CornerTile + "@2x.jpg?stretch=dra&colormap_name=viridis",
		"/layers/utm/view.jpg?bbox=15,47.8,15.1,47.9",
		"/layers/map/preview.png",
		"/tiles/map/12/0/0.png",
	} {
		etag := made.Get(t, path).Header().Get("ETag")
		got, reads := conditionally(t, path, etag)
		if got.Code != http.StatusNotModified || reads != 0 || got.Body.Len() != 0 {
			t.Errorf("%s: status %d, %d reads, %d bytes", path, got.Code, reads, got.Body.Len())
		}
		if got.Header().Get("ETag") != etag || got.Header().Get("Cache-Control") == "" {
			t.Errorf("%s: 304 has the headers %v", path, got.Header())
		}
	}
}

func TestIfNoneMatch(t *testing.T) {
	path := "/layers/map/preview.png?max_size=16"
	etag := servertest.New(t, nil).Get(t, path).Header().Get("ETag")
	for header, want := range map[string]int{
		"W/" + etag:                   http.StatusNotModified,
		`"other", ` + etag:            http.StatusNotModified,
		`"a,b",W/"other" , W/` + etag: http.StatusNotModified,
		"*":                           http.StatusNotModified,
		`"other"`:                     http.StatusOK,
		strings.Trim(etag, `"`):       http.StatusOK,
		`"unterminated, ` + etag:      http.StatusOK,
		", ,":                         http.StatusOK,
	} {
		if got, _ := conditionally(t, path, header); got.Code != want || got.Header().Get("ETag") != etag {
			t.Errorf("If-None-Match: %s is %d %s, want %d", header, got.Code, got.Header().Get("ETag"), want)
		}
	}
}

func TestDocumentsHaveValidators(t *testing.T) {
	server := servertest.New(t, nil)
	for _, path := range []string{"/", "/layers", "/layers/map", "/layers/map/tilejson.json"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("If-None-Match", server.Get(t, path).Header().Get("ETag"))
		if got := server.Do(r); got.Code != http.StatusNotModified {
			t.Errorf("%s: status %d, want 304", path, got.Code)
		}
	}
}

func TestCacheControlIsAsConfigured(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.CacheControl = "public, max-age=7" })
	if got := server.Get(t, "/layers/map/preview.png").Header().Get("Cache-Control"); got != "public, max-age=7" {
		t.Errorf("Cache-Control is %q", got)
	}
}
