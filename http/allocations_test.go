package http_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// http.ParseTime allocates nine errors for a missing date, so the server must not parse one. Counts
// differ by a few from run to run: under the race detector, pools drop some of what is returned.
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
	const tolerance = 4
	if without, with := allocations(), allocations("If-Modified-Since", "If-Unmodified-Since"); without > with+tolerance {
		t.Errorf("a cached picture takes %.0f allocations without dates and %.0f with two", without, with)
	}
}
