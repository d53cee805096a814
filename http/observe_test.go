package http_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

func TestRequestLogLine(t *testing.T) {
	var log bytes.Buffer
	server := servertest.New(t, logInto(&log))
	r := httptest.NewRequest(http.MethodGet, "/tiles/map/"+servertest.CornerTile+".png?key=private", nil)
	r.Header.Set("X-Request-Id", "edge-7.a_B")
	got := server.Do(r)
	if id := got.Header().Get("X-Request-Id"); id != "edge-7.a_B" {
		t.Errorf("the request id is %q", id)
	}
	var line map[string]any
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatalf("not one line: %v: %s", err, log.String())
	}
	for key, want := range map[string]any{
		"level": "INFO", "request": "edge-7.a_B", "method": "GET", "route": "/tiles/{layer}/{z}/{x}/{tile}",
		"status": 200.0, "bytes": float64(got.Body.Len()), "layer": "map", "cache": "MISS",
	} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
	}
	if _, ok := line["duration"]; !ok || strings.Contains(log.String(), "private") {
		t.Errorf("the line is %s", log.String())
	}
}

// The log says what the client was told to do, so that an operator can help.
func TestLogHasTheMessagesOfClients(t *testing.T) {
	for path, message := range map[string]string{
		"/tiles/plain/" + servertest.CornerTile + ".png":      `the layer has no known place on the earth; use crs=image, or for tiles the tile matrix set "image"`,
		"/tiles/map/" + servertest.CornerTile + "?tilesize=7": "tilesize must be 256, or 2 to 4 times that, not 7",
		"/layers/map/preview.png?style=loud":                  `the layer has no style "loud"; use default`,
	} {
		var log bytes.Buffer
		server := servertest.New(t, logInto(&log))
		_, told := servertest.ErrorOf(t, server.Get(t, path))
		var line struct{ Error string }
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("not one line: %v: %s", err, log.String())
		}
		if !strings.HasPrefix(told, message) || !strings.Contains(line.Error, message) {
			t.Errorf("%s: the client got %q and the log %q, want %q in both", path, told, line.Error, message)
		}
	}
}

func TestInvalidRequestIDsAreReplaced(t *testing.T) {
	server := servertest.New(t, nil)
	seen := make(map[string]bool)
	for _, id := range []string{"", "two words", "line\nbreak", strings.Repeat("a", 65), "<b>"} {
		r := httptest.NewRequest(http.MethodGet, "/layers", nil)
		r.Header.Set("X-Request-Id", id)
		got := server.Do(r).Header().Get("X-Request-Id")
		if got == "" || got == id || seen[got] {
			t.Errorf("request id %q becomes %q", id, got)
		}
		seen[got] = true
	}
}

func TestMetrics(t *testing.T) {
	public, admin := servertest.NewObserved(t, nil)
	path := "/tiles/map/" + servertest.CornerTile + ".png"
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("If-None-Match", public.Get(t, path).Header().Get("ETag"))
	public.Do(r)
	public.Get(t, path)
	public.Get(t, "/tiles/map/12/0/0.png")
	public.Get(t, "/tiles/a-name-of-a-stranger/0/0/0.png")
	public.Get(t, "/a-path-of-a-stranger")
	scrape := admin.Get(t, "/metrics")
	body := scrape.Body.String()
	for _, want := range []string{
		`tileserver_http_requests_total{route="/tiles/{layer}/{z}/{x}/{tile}",status="2xx"} 3`,
		`tileserver_http_requests_total{route="/tiles/{layer}/{z}/{x}/{tile}",status="3xx"} 1`,
		`tileserver_http_requests_total{route="/tiles/{layer}/{z}/{x}/{tile}",status="4xx"} 1`,
		`tileserver_http_requests_total{route="none",status="4xx"} 1`,
		`tileserver_http_request_duration_seconds_count{route="/tiles/{layer}/{z}/{x}/{tile}",status="2xx"} 3`,
		`tileserver_pictures_total{origin="MISS"} 1`,
		`tileserver_pictures_total{origin="HIT"} 1`,
		`tileserver_pictures_total{origin="EMPTY"} 1`,
		`tileserver_pictures_total{origin="NOT_MODIFIED"} 1`,
		`tileserver_picture_step_duration_seconds_count{step="encode"} 1`,
		`tileserver_cache_max_bytes 6.7108864e+07`,
		`tileserver_cache_space_entries{space="pictures"} 3`,
		`tileserver_cache_misses_total{space="blocks"}`,
		`tileserver_pictures_working 0`,
		`tileserver_pictures_waiting 0`,
		`tileserver_layers 7`,
		`tileserver_decoded_blocks_total 42`,
		`tileserver_decoded_code_blocks_total 17`,
		`tileserver_damaged_code_blocks_total 1`,
		`tileserver_remote_requests_total{origin="https://example.org"} 9`,
		`tileserver_remote_slowdowns_total{origin="https://example.org"} 3`,
		`tileserver_remote_requests_max{origin="https://example.org"} 16`,
		`tileserver_gpu_up 1`,
		`tileserver_gpu_starts_total 2`,
		`tileserver_gpu_failures_total 1`,
		`tileserver_gpu_batches_total{kernel="test"} 4`,
		`tileserver_gpu_batches_failed_total{kernel="test"} 1`,
		`tileserver_gpu_jobs_total{kernel="test"} 4000`,
		`tileserver_gpu_offers_total{place="gpu",reason="faster"} 5`,
		`tileserver_gpu_offers_total{place="cores",reason="slower"} 6`,
		`tileserver_gpu_estimated_work{kernel="test"} 100`,
		`tileserver_gpu_estimated_seconds{kernel="test",place="cores"} 3`,
		`tileserver_gpu_estimated_seconds{kernel="test",place="gpu"} 1`,
		`tileserver_gpu_break_even_work{kernel="test"} 20`,
		`tileserver_decode_workers 3`,
		`go_goroutines `,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the metrics have no %s", want)
		}
	}
	if strings.Contains(body, "stranger") {
		t.Error("a label comes from a client")
	}
}

func TestAdminRoutesAreNotPublic(t *testing.T) {
	public, _ := servertest.NewObserved(t, nil)
	for _, path := range []string{"/metrics", "/healthz", "/readyz", "/debug/pprof/", "/debug/cache", "/debug/version"} {
		if got := public.Get(t, path); got.Code != http.StatusNotFound {
			t.Errorf("public %s: status %d", path, got.Code)
		}
	}
}
