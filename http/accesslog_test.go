package http_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

func TestAccessLogSelectsRequests(t *testing.T) {
	const fine, failing, missing = "/layers/map/preview.png", "/layers/broken/preview.png", "/layers/none/preview.png"
	for _, test := range []struct {
		name   string
		access tilehttp.AccessLog
		slow   time.Duration
		level  slog.Level
		path   string
		want   string // in the only line; empty: there is no line
	}{
		{"a request that went well", tilehttp.AccessLogProblems, 0, slog.LevelDebug, fine, ""},
		{"a mistake of the client", tilehttp.AccessLogProblems, 0, slog.LevelDebug, missing, ""},
		{"a mistake of a WMTS client", tilehttp.AccessLogProblems, 0, slog.LevelDebug, "/wmts?service=WMTS&request=GetTile", ""},
		{"a failure", tilehttp.AccessLogProblems, 0, slog.LevelInfo, failing, `"level":"ERROR","msg":"request failed"`},
		{"a slow request", tilehttp.AccessLogProblems, time.Nanosecond, slog.LevelInfo, fine, `"level":"WARN","msg":"slow request"`},
		{"a slow failure", tilehttp.AccessLogProblems, time.Nanosecond, slog.LevelInfo, failing, `"msg":"request failed"`},
		{"a request that is fast enough", tilehttp.AccessLogProblems, time.Hour, slog.LevelInfo, fine, ""},
		{"all requests", tilehttp.AccessLogAll, 0, slog.LevelInfo, fine, `"level":"INFO","msg":"request"`},
		{"all requests, of which only warnings are wanted", tilehttp.AccessLogAll, 0, slog.LevelWarn, fine, ""},
		{"all slow requests", tilehttp.AccessLogAll, time.Nanosecond, slog.LevelWarn, fine, `"msg":"slow request"`},
		{"a bug, where no request is wanted", tilehttp.AccessLogOff, 0, slog.LevelInfo, "/layers/panicking/preview.png", `"msg":"request failed"`},
		{"no request", tilehttp.AccessLogOff, time.Nanosecond, slog.LevelDebug, failing, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) {
				config.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: test.level}))
				config.AccessLog, config.SlowRequest = test.access, test.slow
			})
			server.Get(t, test.path)
			got := log.String()
			if test.want == "" && got != "" || !strings.Contains(got, test.want) || strings.Count(got, "\n") > 1 {
				t.Errorf("the log has %q, want %q", got, test.want)
			}
		})
	}
}
