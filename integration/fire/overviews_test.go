package fire

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/decode/pool"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"

	tilehttp "tileserver/http"
)

// withoutOverviews returns a server with two workers and a layer "large", whose overviews take a build
// of six seconds, and its catalog. blocks counts those that are read.
func withoutOverviews(t *testing.T, blocks *atomic.Int64) (http.Handler, *layer.Catalog) {
	t.Helper()
	admit := admission.ForWorkers(2)
	admit.Queue, admit.Memory = 512, 640<<20
	decoders := pool.New(pool.Config{Workers: 2})
	catalog := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(256 << 20), Gate: admission.New(admit), Pieces: func() int { return 2 }})
	read := decoding(50 * time.Millisecond)
	provider := &rastertest.Synthetic{
		Name: "large@1", Has: rastertest.Flat(raster.Uint8, 4000, 3900, 1, 256, 256),
		Sample: func(_, _, x, y int) (float64, bool) { return float64((x + y) % 251), true },
		Before: func(ctx context.Context, _ int, ids []raster.BlockID, _ []int) error {
			blocks.Add(int64(len(ids)))
			return read(ctx, decoders, len(ids))
		},
	}
	err := catalog.Add(t.Context(), layer.Config{ID: "large", MaxInlineOverviewBytes: 1 << 20, Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: provider, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: catalog}, RequestTimeout: requestTimeout}), catalog
}

// Clients that ask for one nodata value after the other, and do not wait when they are told to, cost a
// layer without overviews a few builds. Its own pictures are answered as if nobody built anything, and
// so are tiles.
func TestRandomNoDataStopsNoPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var blocks atomic.Int64
		server, catalog := withoutOverviews(t, &blocks)
		ctx, stop := context.WithCancel(t.Context())
		random := clients{ctx: ctx}
		for range 4 {
			random.all.Go(func() {
				for ctx.Err() == nil {
					value := random.answers.Add(1) % 251
					got, _ := get(ctx, server, fmt.Sprintf("/layers/large/preview.png?max_size=100&wait=2&nodata=%d", value))
					if got.Code != http.StatusOK && got.Code != http.StatusServiceUnavailable && ctx.Err() == nil {
						t.Errorf("nodata=%d has the status %d: %s", value, got.Code, got.Body)
					}
					time.Sleep(100 * time.Millisecond)
				}
			})
		}
		time.Sleep(time.Second)
		if got, took := get(t.Context(), server, "/layers/large/preview.png?max_size=90"); got.Code != http.StatusOK || took > 30*time.Second {
			t.Errorf("the first picture in the style of the layer has the status %d after %v", got.Code, took)
		}
		for n := range 100 {
			got, took := get(t.Context(), server, fmt.Sprintf("/tiles/large/image/4/%d/%d.png", n%15, n/15))
			if got.Code != http.StatusOK || took > 500*time.Millisecond {
				t.Errorf("tile %d has the status %d after %v", n, got.Code, took)
			}
			if got, took := get(t.Context(), server, fmt.Sprintf("/layers/large/preview.png?max_size=%d", 100+n)); got.Code != http.StatusOK || took > 100*time.Millisecond {
				t.Errorf("picture %d has the status %d after %v", n, got.Code, took)
			}
			time.Sleep(time.Second)
		}
		stop()
		random.all.Wait()
		time.Sleep(time.Minute) // the last build ends
		const ofTheStyle, ofRequests, allBlocks, ofTiles = 1, 4, 16 * 16, 4 * 100
		if s := catalog.Stats().Overviews; s.Built > ofTheStyle+ofRequests || s.Refused < 1000 {
			t.Errorf("%d requests cost %+v", random.answers.Load(), s)
		}
		if read := blocks.Load(); read > (ofTheStyle+ofRequests)*allBlocks+ofTiles {
			t.Errorf("%d blocks were read of %d", read, allBlocks)
		}
	})
}
