package integration

import (
	"net/http"
	"strconv"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

func TestRevalidationAnswers304(t *testing.T) {
	s := newWorld(t)
	for _, path := range []string{
		"/tiles/colors/" + cornerTile + ".png", "/tiles/colors/12/100/100.png", "/layers/heights/preview.webp", "/layers/colors",
		"/layers/colors/tilejson.json", "/layers/heights/statistics", "/",
	} {
		first := get(t, s.maps+path)
		etag := first.header.Get("ETag")
		if etag == "" || first.header.Get("Cache-Control") == "" {
			t.Errorf("%s: ETag %q, Cache-Control %q", path, etag, first.header.Get("Cache-Control"))
			continue
		}
		again := ask(t, http.MethodGet, s.maps+path, http.Header{"If-None-Match": {`"other", W/` + etag}})
		if again.status != http.StatusNotModified || len(again.body) != 0 || again.header.Get("ETag") != etag {
			t.Errorf("%s: status %d, %d bytes, ETag %s; want 304 without any and %s", path, again.status, len(again.body), again.header.Get("ETag"), etag)
		}
		if changed := ask(t, http.MethodGet, s.maps+path, http.Header{"If-None-Match": {`"other"`}}); changed.status != http.StatusOK {
			t.Errorf("%s: status %d for a client with another ETag, want 200", path, changed.status)
		}
	}
}

func TestNotModifiedReadsNothing(t *testing.T) {
	folder := t.TempDir()
	writeTIFF(t, folder, "colors.tif", tifftest.File{Images: []tifftest.Image{colors()}})
	tile := "/tiles/colors/" + cornerTile + ".png"
	etag := get(t, start(t, "serve", folder).maps+tile).header.Get("ETag")

	replica := start(t, "serve", folder)
	if a := ask(t, http.MethodGet, replica.maps+tile, http.Header{"If-None-Match": {etag}}); a.status != http.StatusNotModified {
		t.Errorf("a replica answers the ETag of another replica with %d, want 304", a.status)
	}
	if decoded := replica.metric(t, decodedBlocks); decoded != 0 {
		t.Errorf("%d blocks were decoded for a 304, want none", decoded)
	}
}

func TestHEADIsGETWithoutABody(t *testing.T) {
	s := newWorld(t)
	for _, path := range []string{"/tiles/colors/" + cornerTile + ".png", "/layers", "/layers/plain/preview.jpg", "/"} {
		whole, head := get(t, s.maps+path), ask(t, http.MethodHead, s.maps+path, nil)
		if head.status != http.StatusOK || len(head.body) != 0 {
			t.Errorf("%s: status %d, %d bytes", path, head.status, len(head.body))
		}
		if got, want := head.header.Get("Content-Length"), strconv.Itoa(len(whole.body)); got != want {
			t.Errorf("%s: Content-Length %s, want %s", path, got, want)
		}
		for _, name := range []string{"Content-Type", "ETag", "Cache-Control"} {
			if head.header.Get(name) != whole.header.Get(name) {
				t.Errorf("%s: %s is %q, want %q", path, name, head.header.Get(name), whole.header.Get(name))
			}
		}
	}
	if a := ask(t, http.MethodHead, s.maps+"/layers/none", nil); a.status != http.StatusNotFound {
		t.Errorf("a missing resource: status %d", a.status)
	}
	if a := ask(t, http.MethodPost, s.maps+"/layers", nil); a.status != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", a.status)
	}
}
