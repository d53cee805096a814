package http_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// http.ParseTime allocates errors for a missing date, so the server must not parse one.
func TestMissingDatesDoNotAllocate(t *testing.T) {
	w := newWorld(t, nil)
	path := "/tiles/map/" + cornerTile + ".png"
	w.get(t, path)
	allocations := func(headers ...string) float64 {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for _, name := range headers {
			r.Header.Set(name, "Fri, 01 Jan 2100 00:00:00 GMT")
		}
		recorder := httptest.NewRecorder()
		return testing.AllocsPerRun(200, func() {
			recorder.Body.Reset()
			clear(recorder.Header())
			w.handler.ServeHTTP(recorder, r)
		})
	}
	if without, with := allocations(), allocations("If-Modified-Since", "If-Unmodified-Since"); without > with {
		t.Errorf("a cached picture takes %.0f allocations without dates and %.0f with two", without, with)
	}
}
