package http_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tileserver/geo"
	tilehttp "tileserver/http"
	"tileserver/http/prefetch"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// farTiles is a layer of 40 by 30 tiles of zoom 12 from 2200, 1340, each a block that takes 300 milliseconds.
func farTiles(t testing.TB, server *servertest.Server) *rastertest.Synthetic {
	t.Helper()
	far := &rastertest.Synthetic{Name: "far@1", Has: rastertest.Flat(raster.Uint8, 40*256, 30*256, 1, 256, 256)}
	far.Sample = func(_, _, x, y int) (float64, bool) { return float64((x + y) % 256), true }
	far.Before = func(context.Context, int, []raster.BlockID, []int) error {
		time.Sleep(300 * time.Millisecond)
		return nil
	}
	quad := geo.WebMercatorQuad()
	corner, resolution := quad.Bounds(geo.TileID{Z: 12, X: 2200, Y: 1340}), quad.Matrices[12].Resolution
	placement, err := geo.NewAffinePlacement(geo.Affine{A: resolution, C: corner.MinX, E: -resolution, F: corner.MaxY})
	if err != nil {
		t.Fatal(err)
	}
	err = server.Catalog.Add(t.Context(), layer.Config{ID: "far", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: far, CRS: quad.CRS, Placement: placement, IsFar: true, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return far
}

// prefetching serves a far layer and prefetches.
func prefetching(t testing.TB) (server *servertest.Server, p *prefetch.Prefetcher, far *rastertest.Synthetic) {
	t.Helper()
	server = servertest.New(t, func(shared *layer.CatalogConfig, config *tilehttp.Config) {
		shared.Cache.BoundAhead(8 << 20)
		p = prefetch.New(shared.Cache.MaxAheadBytes())
		config.Prefetcher = p
	})
	return server, p, farTiles(t, server)
}

// farTile returns the address of a tile of the far layer.
func farTile(x, y int) string { return fmt.Sprintf("/tiles/far/12/%d/%d.png", x, y) }

// pan asks for views of 4 by 3 tiles from left to right, and returns how many tiles of the last pan it waited for.
func pan(t *testing.T, server *servertest.Server, address func(view, x, y int) (string, http.Header)) (waited int) {
	t.Helper()
	for view := range 4 {
		waited = 0
		first := 2202
		if view > 0 {
			first = 2205 + view
		}
		for x := first; x < 2206+view; x++ {
			for y := 1345; y < 1348; y++ {
				path, header := address(view, x, y)
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.Header = header
				began := time.Now()
				if got := server.Do(r); got.Code != http.StatusOK {
					t.Fatalf("%s has status %d: %s", path, got.Code, got.Body)
				}
				if time.Since(began) > 0 {
					waited++
				}
			}
		}
		time.Sleep(2 * time.Second)
	}
	return waited
}

func TestViewersOfAllProtocolsHardlyWait(t *testing.T) {
	for name, address := range map[string]func(x, y int) string{
		"XYZ": farTile,
		"OGC API": func(x, y int) string {
			return fmt.Sprintf("/ogc/collections/far/map/tiles/WebMercatorQuad/12/%d/%d?f=png", y, x)
		},
		"WMTS": func(x, y int) string {
			return fmt.Sprintf("/wmts/1.0.0/far/default/WebMercatorQuad/12/%d/%d.png", y, x)
		},
		"TMS": func(x, y int) string { return fmt.Sprintf("/tms/1.0.0/far@WebMercatorQuad/12/%d/%d.png", x, 4095-y) },
	} {
		synctest.Test(t, func(t *testing.T) {
			server, p, _ := prefetching(t)
			waited := pan(t, server, func(_, x, y int) (string, http.Header) { return address(x, y), nil })
			if waited != 0 || p.Stats().Loaded == 0 {
				t.Errorf("%s: the viewer waited for %d tiles of the last pan, and the statistics are %+v", name, waited, p.Stats())
			}
			p.Close()
		})
	}
}

// Several people may share an address, and several addresses may use the same program.
func TestViewersAreToldApart(t *testing.T) {
	program := func(name string) http.Header { return http.Header{"User-Agent": {name}} }
	through := func(address string) http.Header { return http.Header{"X-Forwarded-For": {address}} }
	for name, test := range map[string]struct {
		header  func(view int) http.Header
		viewers int
	}{
		"one":           {func(int) http.Header { return program("a") }, 1},
		"two programs":  {func(view int) http.Header { return program(string(rune('a' + view%2))) }, 2},
		"two addresses": {func(view int) http.Header { return through(fmt.Sprintf("192.0.2.%d", view%2)) }, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			server, p, _ := prefetching(t)
			proxied := server.Handler
			server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.RemoteAddr = "10.0.0.1:1"
				proxied.ServeHTTP(w, r)
			})
			pan(t, server, func(view, x, y int) (string, http.Header) {
				return farTile(x, y), test.header(view)
			})
			if got := p.Stats().Viewers; got != test.viewers {
				t.Errorf("%s: there are %d viewers, want %d", name, got, test.viewers)
			}
			p.Close()
		})
	}
}

func TestMetricsTellHitsAndWasteOfPrefetches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, p, far := prefetching(t)
		metrics := tilehttp.NewMetrics(tilehttp.MetricsConfig{Registry: prometheus.NewRegistry(), Catalog: server.Catalog, Prefetcher: p})
		pan(t, server, func(_, x, y int) (string, http.Header) { return farTile(x, y), nil })
		operators := servertest.Server{Handler: tilehttp.NewAdminHandler(tilehttp.AdminConfig{Metrics: metrics, Hosts: []string{"example.com"}})}
		got := operators.Get(t, "/metrics").Body.String()
		for _, line := range []string{
			`tileserver_prefetch_viewers 1`, `tileserver_prefetch_tiles_total{outcome="loaded"} 9`, `tileserver_prefetch_tiles_total{outcome="failed"} 0`,
			`tileserver_prefetch_max_bytes 8.388608e+06`, `tileserver_prefetch_loaded_total{space="blocks"} 9`,
			`tileserver_prefetch_used_total{space="blocks"} 6`, `tileserver_prefetch_wasted_total{space="blocks"} 0`,
			`tileserver_prefetch_unused_bytes{space="blocks"} 197`, // kB, of three blocks
		} {
			if !strings.Contains(got, "\n"+line) {
				t.Errorf("the metrics lack %s", line)
			}
		}
		if far.BlocksMade() != 12+3+9 {
			t.Errorf("%d blocks were read", far.BlocksMade())
		}
		p.Close()
	})
}
