package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	tilehttp "tileserver/http"
	"tileserver/http/admin"
	"tileserver/http/serve"
	"tileserver/layer"
)

func TestRequestLogLine(t *testing.T) {
	var log bytes.Buffer
	w := newWorld(t, logInto(&log))
	r := httptest.NewRequest(http.MethodGet, "/tiles/map/"+cornerTile+".png?key=private", nil)
	r.Header.Set("X-Request-Id", "edge-7.a_B")
	got := w.do(r)
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

func TestInvalidRequestIDsAreReplaced(t *testing.T) {
	w := newWorld(t, nil)
	seen := make(map[string]bool)
	for _, id := range []string{"", "two words", "line\nbreak", strings.Repeat("a", 65), "<b>"} {
		r := httptest.NewRequest(http.MethodGet, "/layers", nil)
		r.Header.Set("X-Request-Id", id)
		got := w.do(r).Header().Get("X-Request-Id")
		if got == "" || got == id || seen[got] {
			t.Errorf("request id %q becomes %q", id, got)
		}
		seen[got] = true
	}
}

// newObservedWorld returns a world with metrics, and one with its admin handler.
func newObservedWorld(t *testing.T, ready func(context.Context) error) (*world, *world) {
	registry := prometheus.NewRegistry()
	var catalog *layer.Catalog
	public := newWorld(t, nil)
	catalog = public.catalog
	metrics := tilehttp.NewMetrics(tilehttp.MetricsConfig{
		Registry: registry, Catalog: catalog,
		Decoding: func() tilehttp.DecodingStats {
			return tilehttp.DecodingStats{Decoded: 42, Workers: 3, CodeBlocks: 17, DamagedCodeBlocks: 1}
		},
	})
	public.handler = tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: catalog}, Metrics: metrics})
	admin := tilehttp.NewAdminHandler(tilehttp.AdminConfig{Config: admin.Config{Catalog: catalog, Ready: ready, Version: "1.2.3"}, Metrics: metrics})
	return public, &world{handler: admin}
}

func TestMetrics(t *testing.T) {
	public, admin := newObservedWorld(t, nil)
	path := "/tiles/map/" + cornerTile + ".png"
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("If-None-Match", public.get(t, path).Header().Get("ETag"))
	public.do(r)
	public.get(t, path)
	public.get(t, "/tiles/map/12/0/0.png")
	public.get(t, "/tiles/a-name-of-a-stranger/0/0/0.png")
	public.get(t, "/a-path-of-a-stranger")
	scrape := admin.get(t, "/metrics")
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

func TestAdminRoutes(t *testing.T) {
	_, admin := newObservedWorld(t, nil)
	for _, path := range []string{
		"/healthz", "/readyz", "/metrics", "/debug/version", "/debug/cache", "/debug/pprof/", "/debug/pprof/goroutine?debug=1",
		"/debug/pprof/cmdline", "/debug/pprof/symbol", "/debug/plan/map/WebMercatorQuad/" + cornerTile,
	} {
		if got := admin.get(t, path); got.Code != http.StatusOK || got.Body.Len() == 0 {
			t.Errorf("%s: status %d", path, got.Code)
		}
		if got := admin.do(httptest.NewRequest(http.MethodHead, path, nil)); got.Code != http.StatusOK {
			t.Errorf("HEAD %s: status %d", path, got.Code)
		}
	}
	if got := decodeJSON[map[string]any](t, admin.get(t, "/debug/version")); got["version"] != "1.2.3" || got["go"] == "" {
		t.Errorf("the version is %v", got)
	}
	for path, want := range map[string]int{
		"/layers": 404, "/debug/plan/map/WebMercatorQuad/a/0/0": 400, "/debug/plan/nope/image/0/0/0": 404,
		"/debug/plan/map/image/99/0/0": 404, "/debug/plan/map/image/0/0/0?bidx=0": 400,
	} {
		if got := admin.get(t, path); got.Code != want {
			t.Errorf("%s: status %d, want %d", path, got.Code, want)
		}
	}
}

func TestAdminRoutesAreNotPublic(t *testing.T) {
	public, _ := newObservedWorld(t, nil)
	for _, path := range []string{"/metrics", "/healthz", "/readyz", "/debug/pprof/", "/debug/cache", "/debug/version"} {
		if got := public.get(t, path); got.Code != http.StatusNotFound {
			t.Errorf("public %s: status %d", path, got.Code)
		}
	}
}

func TestReadiness(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{{nil, http.StatusOK}, {errors.New("opening layers"), http.StatusServiceUnavailable}} {
		_, admin := newObservedWorld(t, func(context.Context) error { return test.err })
		if got := admin.get(t, "/readyz"); got.Code != test.want {
			t.Errorf("with %v, /readyz: status %d, want %d", test.err, got.Code, test.want)
		}
		if got := admin.get(t, "/healthz"); got.Code != http.StatusOK {
			t.Errorf("with %v, /healthz: status %d", test.err, got.Code)
		}
	}
}

func TestDebugPlanAndCache(t *testing.T) {
	public, admin := newObservedWorld(t, nil)
	type plan struct {
		ETag         string
		Level        int
		Scale        []float64
		Blocks, Kept int
		Parts        []struct {
			Rect, Window []int
			Blocks       []struct {
				Column, Row int
				Kept        bool
			}
		}
	}
	path := "/debug/plan/height/WebMercatorQuad/" + cornerTile + "?resampling=nearest"
	before := decodeJSON[plan](t, admin.get(t, path))
	if before.Blocks == 0 || before.Kept != 0 || len(before.Parts) != 1 || len(before.Parts[0].Blocks) != before.Blocks || public.calls() != 0 {
		t.Errorf("the plan is %+v after %d reads", before, public.calls())
	}
	tile := public.get(t, "/tiles/height/"+cornerTile+".png?resampling=nearest")
	after := decodeJSON[plan](t, admin.get(t, path))
	if after.Kept != after.Blocks || after.ETag != tile.Header().Get("ETag") || !after.Parts[0].Blocks[0].Kept {
		t.Errorf("after the tile %s the plan is %+v", tile.Header().Get("ETag"), after)
	}
	empty := decodeJSON[plan](t, admin.get(t, "/debug/plan/map/WebMercatorQuad/12/0/0"))
	if empty.Blocks != 0 || empty.Parts == nil || len(empty.Parts) != 0 {
		t.Errorf("the plan of an empty tile is %+v", empty)
	}
	kept := decodeJSON[struct {
		MaxBytes  int64 `json:"max_bytes"`
		UsedBytes int64 `json:"used_bytes"`
		Spaces    []struct {
			Name    string
			Entries int
		}
	}](t, admin.get(t, "/debug/cache"))
	if kept.MaxBytes != 64<<20 || kept.UsedBytes <= 0 || len(kept.Spaces) == 0 {
		t.Errorf("the cache is %+v", kept)
	}
}
