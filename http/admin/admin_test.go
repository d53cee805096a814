package admin_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"tileserver/http/servertest"
)

func TestAdminRoutes(t *testing.T) {
	_, admin := servertest.NewObserved(t, nil)
	for _, path := range []string{
		"/healthz", "/readyz", "/metrics", "/debug/version", "/debug/cache", "/debug/pprof/", "/debug/pprof/goroutine?debug=1",
		"/debug/pprof/cmdline", "/debug/pprof/symbol", "/debug/plan/map/WebMercatorQuad/" + servertest.CornerTile,
	} {
		if got := admin.Get(t, path); got.Code != http.StatusOK || got.Body.Len() == 0 {
			t.Errorf("%s: status %d", path, got.Code)
		}
		if got := admin.Do(httptest.NewRequest(http.MethodHead, path, nil)); got.Code != http.StatusOK {
			t.Errorf("HEAD %s: status %d", path, got.Code)
		}
	}
	if got := servertest.DecodeJSON[map[string]any](t, admin.Get(t, "/debug/version")); got["version"] != "1.2.3" || got["go"] == "" {
		t.Errorf("the version is %v", got)
	}
	for path, want := range map[string]int{
		"/layers": 404, "/debug/plan/map/WebMercatorQuad/a/0/0": 400, "/debug/plan/nope/image/0/0/0": 404,
		"/debug/plan/map/image/99/0/0": 404, "/debug/plan/map/image/0/0/0?bidx=0": 400,
	} {
		if got := admin.Get(t, path); got.Code != want {
			t.Errorf("%s: status %d, want %d", path, got.Code, want)
		}
	}
}

func TestReadiness(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{{nil, http.StatusOK}, {errors.New("opening layers"), http.StatusServiceUnavailable}} {
		_, admin := servertest.NewObserved(t, func(context.Context) error { return test.err })
		if got := admin.Get(t, "/readyz"); got.Code != test.want {
			t.Errorf("with %v, /readyz: status %d, want %d", test.err, got.Code, test.want)
		}
		if got := admin.Get(t, "/healthz"); got.Code != http.StatusOK {
			t.Errorf("with %v, /healthz: status %d", test.err, got.Code)
		}
	}
}

func TestDebugPlanAndCache(t *testing.T) {
	public, admin := servertest.NewObserved(t, nil)
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
	path := "/debug/plan/height/WebMercatorQuad/" + servertest.CornerTile + "?resampling=nearest"
	before := servertest.DecodeJSON[plan](t, admin.Get(t, path))
	if before.Blocks == 0 || before.Kept != 0 || len(before.Parts) != 1 || len(before.Parts[0].Blocks) != before.Blocks || public.Reads() != 0 {
		t.Errorf("the plan is %+v after %d reads", before, public.Reads())
	}
	tile := public.Get(t, "/tiles/height/"+servertest.CornerTile+".png?resampling=nearest")
	after := servertest.DecodeJSON[plan](t, admin.Get(t, path))
	if after.Kept != after.Blocks || after.ETag != tile.Header().Get("ETag") || !after.Parts[0].Blocks[0].Kept {
		t.Errorf("after the tile %s the plan is %+v", tile.Header().Get("ETag"), after)
	}
	type gpu struct {
		GPU struct {
			Ready      bool
			Tile, Went []struct {
				Place, Reason string
				Count         int
			}
			Kernels []map[string]any
		}
	}
	want := `{{true [] [{cores slower 6} {gpu faster 5}] [map[break_even_work:20 kernel:test on_cores_seconds:3 on_gpu_seconds:1 work:100]]}}`
	if got := fmt.Sprint(servertest.DecodeJSON[gpu](t, admin.Get(t, path))); got != want {
		t.Errorf("the plan says of the GPU %s, want %s", got, want)
	}
	empty := servertest.DecodeJSON[plan](t, admin.Get(t, "/debug/plan/map/WebMercatorQuad/12/0/0"))
	if empty.Blocks != 0 || empty.Parts == nil || len(empty.Parts) != 0 {
		t.Errorf("the plan of an empty tile is %+v", empty)
	}
	kept := servertest.DecodeJSON[struct {
		MaxBytes  int64 `json:"max_bytes"`
		UsedBytes int64 `json:"used_bytes"`
		Spaces    []struct {
			Name    string
			Entries int
		}
	}](t, admin.Get(t, "/debug/cache"))
	if kept.MaxBytes != 64<<20 || kept.UsedBytes <= 0 || len(kept.Spaces) == 0 {
		t.Errorf("the cache is %+v", kept)
	}
}

// Arguments of the command line may be signed addresses.
func TestTheCommandLineIsNotTold(t *testing.T) {
	_, admin := servertest.NewObserved(t, nil)
	if got := admin.Get(t, "/debug/pprof/cmdline").Body.String(); got != os.Args[0] {
		t.Errorf("it is told as %q, want %q", got, os.Args[0])
	}
}
