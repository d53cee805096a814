package http_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/answer"
	"tileserver/http/servertest"
	"tileserver/layer"
)

func BenchmarkTile(b *testing.B) {
	sending := answer.NewSending(answer.SendingConfig{MaxBytes: 64 << 20, MinRate: 16 << 10})
	server := servertest.New(b, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.Sending = sending })
	path := "/tiles/map/" + servertest.CornerTile + ".png"
	etag := server.Get(b, path).Header().Get("ETag")
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
				server.Handler.ServeHTTP(recorder, r)
			}
		})
	}
}
