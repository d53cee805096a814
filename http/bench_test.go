package http_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func BenchmarkTile(b *testing.B) {
	w := newWorld(b, nil)
	path := "/tiles/map/" + cornerTile + ".png"
	etag := w.get(b, path).Header().Get("ETag")
	for name, header := range map[string]string{"kept": "", "not modified": etag} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			if header != "" {
				r.Header.Set("If-None-Match", header)
			}
			recorder := httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				recorder.Body.Reset()
				clear(recorder.Header())
				w.handler.ServeHTTP(recorder, r)
			}
		})
	}
}
