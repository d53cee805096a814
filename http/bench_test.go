package http_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/answer"
	"tileserver/http/prefetch"
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

// A cached tile of a layer for which prefetches pay is answered as fast with a prefetcher as without.
func BenchmarkFarTile(b *testing.B) {
	for name, p := range map[string]*prefetch.Prefetcher{"prefetching": prefetch.New(8 << 20), "without": nil} {
		server := servertest.New(b, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.Prefetcher = p })
		farTiles(b, server)
		r := httptest.NewRequest(http.MethodGet, farTile(2210, 1350), nil)
		r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
		recorder := httptest.NewRecorder()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				recorder.Body.Reset()
				clear(recorder.Header())
				server.Handler.ServeHTTP(recorder, r)
			}
		})
		p.Close()
	}
}
