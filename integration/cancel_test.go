package integration

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/decode/blocks"
	"tileserver/decode/pool"
	"tileserver/decode/tiff"
	"tileserver/decode/tiff/tifftest"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/source"

	tilehttp "tileserver/http"
)

// slowCodec waits before it decodes each block, on the clock of a synctest bubble.
type slowCodec struct{ blocks.Codec }

const blockTime = time.Second

func (c slowCodec) Decode(job *blocks.Job) error {
	time.Sleep(blockTime)
	return c.Codec.Decode(job)
}

// slowWorld returns the handler of a layer of 40 x 30 blocks, each of them one tile, and the pool
// with the only worker that decodes them.
func slowWorld(t *testing.T, gate *admission.Gate) (http.Handler, *pool.Pool) {
	t.Helper()
	img := repeated(40, 30, 256)
	data, err := tifftest.File{Images: []tifftest.Image{img}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	codecs := blocks.AllCodecs()
	codecs[blocks.PackBits] = slowCodec{codecs[blocks.PackBits]}
	pool := pool.New(pool.Config{Workers: 1, Budget: cache.NewBudget(64 << 20)})
	catalog := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(256 << 20), Gate: gate})
	err = catalog.Add(t.Context(), layer.Config{ID: "slow", Open: func(ctx context.Context) (*layer.Dataset, error) {
		f, err := tiff.Open(ctx, source.NewBytes("slow.tif", data), tiff.Config{Pool: pool, Codecs: codecs, Key: "slow"})
		if err != nil {
			return nil, err
		}
		return &layer.Dataset{Provider: f.Images()[0], Close: f.Close}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: catalog}}), pool
}

// A client that drags a map requests many tiles and cancels most requests before the answers
// arrive. Canceled requests must not cost decoding.
func TestCanceledRequestsAreNotDecoded(t *testing.T) {
	const requests, stay = 1000, 20 * time.Millisecond
	for name, gate := range map[string][2]int{
		"while they wait to be made":         {2, requests},
		"while their blocks wait for a turn": {requests, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gate := admission.New(admission.Config{Cheap: gate[0], Dear: gate[0], Queue: gate[1]})
				handler, pool := slowWorld(t, gate)
				var all sync.WaitGroup
				statuses := make([]int, requests)
				for i := range requests {
					all.Go(func() {
						ctx, leave := context.WithCancel(t.Context())
						defer time.AfterFunc(stay, leave).Stop()
						statuses[i] = askHandler(ctx, handler, fmt.Sprintf("/tiles/slow/image/6/%d/%d.png?resampling=nearest", i%40, i/40))
					})
				}
				all.Wait()
				for i, status := range statuses {
					if status != 499 {
						t.Fatalf("request %d: status %d, want 499", i, status)
					}
				}
				synctest.Wait()
				if working, waiting := gate.Load(); working > 1 || waiting > 0 {
					t.Errorf("%d pictures are still being rendered for canceled requests, and %d wait", working, waiting)
				}
				time.Sleep(requests * blockTime) // enough time for any remaining work
				if decoded := pool.Stats().Decoded; decoded > requests*5/100 {
					t.Errorf("%d blocks were decoded for canceled requests, of %d", decoded, requests)
				} else {
					t.Logf("%d blocks were decoded for canceled requests, of %d", decoded, requests)
				}
				if status := askHandler(t.Context(), handler, "/tiles/slow/image/6/39/29.png"); status != http.StatusOK {
					t.Errorf("status of the next request: %d", status)
				}
			})
		})
	}
}

func askHandler(ctx context.Context, handler http.Handler, address string) (status int) {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequestWithContext(ctx, http.MethodGet, address, nil))
	return recorder.Code
}

// A second client gets its picture although the client that asked first has canceled.
func TestCancelingOneRequestKeepsTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, pool := slowWorld(t, admission.New(admission.Config{Cheap: 2, Dear: 2, Queue: 10}))
		var all sync.WaitGroup
		var first, second int
		const address = "/tiles/slow/image/6/20/20.png"
		all.Go(func() {
			ctx, leave := context.WithTimeout(t.Context(), blockTime/2)
			defer leave()
			first = askHandler(ctx, handler, address)
		})
		all.Go(func() {
			time.Sleep(blockTime / 4)
			second = askHandler(t.Context(), handler, address)
		})
		all.Wait()
		if first == http.StatusOK || second != http.StatusOK {
			t.Errorf("the canceled request got status %d, the other one %d", first, second)
		}
		if decoded := pool.Stats().Decoded; decoded > 9 {
			t.Errorf("%d blocks were decoded, want at most the 9 that the tile touches", decoded)
		}
	})
}
