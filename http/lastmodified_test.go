package http_test

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestLastModified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		path := "/layers/map/preview.tif?max_size=20"
		time.Sleep(300 * time.Millisecond)
		if got := w.get(t, path).Header().Get("Last-Modified"); got != "" {
			t.Errorf("in the second of a change, which may see another one, Last-Modified is %q", got)
		}
		time.Sleep(5 * time.Second)
		first := w.get(t, path)
		date, etag := first.Header().Get("Last-Modified"), first.Header().Get("ETag")
		if parsed, err := http.ParseTime(date); err != nil || parsed.After(time.Now()) {
			t.Fatalf("Last-Modified is %q: %v", date, err)
		}
		for _, requested := range []string{"bytes=0-9", "bytes=0-9,30-39"} {
			if got := w.with(http.MethodGet, path, "Range", requested); got.Code != http.StatusPartialContent || got.Header().Get("Last-Modified") != date {
				t.Errorf("%s: status %d, Last-Modified %q, of the whole %q", requested, got.Code, got.Header().Get("Last-Modified"), date)
			}
		}
		later := time.Now().UTC().Format(http.TimeFormat)
		check := func(state string, wantCached int) {
			t.Helper()
			for _, test := range []struct {
				name    string
				headers []string
				want    int
			}{
				{"the date", []string{"If-Modified-Since", date}, wantCached},
				{"the date, and another ETag", []string{"If-Modified-Since", date, "If-None-Match", `"other"`}, http.StatusOK},
				{"another date, and the ETag", []string{"If-Modified-Since", "Sat, 01 Jan 2000 00:00:00 GMT", "If-None-Match", etag}, http.StatusNotModified},
				{"a later date", []string{"If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"}, http.StatusOK},
				{"no date", []string{"If-Modified-Since", "yesterday"}, http.StatusOK},
			} {
				if got := w.with(http.MethodGet, path, test.headers...); got.Code != test.want {
					t.Errorf("%s, %s: status %d, want %d", state, test.name, got.Code, test.want)
				}
			}
		}
		check("unchanged", http.StatusNotModified)
		if got := w.with(http.MethodGet, path, "If-Range", date, "Range", "bytes=0-9"); got.Code != http.StatusPartialContent {
			t.Errorf("If-Range with the date is %d", got.Code)
		}

		// Layers come and go: nobody knows which pictures that changes.
		layers := w.catalog.Layers()
		if err := w.catalog.Serve(slices.Delete(layers, len(layers)-1, len(layers))); err != nil {
			t.Fatal(err)
		}
		check("just changed", http.StatusOK)
		time.Sleep(3 * time.Second)
		check("changed", http.StatusOK)
		if got := w.with(http.MethodGet, path, "If-Range", date, "Range", "bytes=0-9"); got.Code != http.StatusOK {
			t.Errorf("If-Range with an old date is %d", got.Code)
		}
		if got := w.with(http.MethodGet, path, "If-Unmodified-Since", date); got.Code != http.StatusPreconditionFailed {
			t.Errorf("If-Unmodified-Since with an old date is %d", got.Code)
		}
		if got := w.with(http.MethodGet, path, "If-Unmodified-Since", later); got.Code != http.StatusPreconditionFailed {
			t.Errorf("If-Unmodified-Since with the time of the change is %d", got.Code)
		}
	})
}
