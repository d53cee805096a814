package fire

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/decode/pool"
	"tileserver/http/answer"
	"tileserver/http/serve"
	"tileserver/internal/threadtime"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"

	tilehttp "tileserver/http"
)

// requestTimeout is that of the servers under test.
const requestTimeout = 10 * time.Second

// A reading is what a layer does before it returns some blocks.
type reading func(ctx context.Context, decoders *pool.Pool, blocks int) error

// serverOf returns a server with two workers and a layer for each id.
func serverOf(t *testing.T, layers map[string]reading) http.Handler {
	t.Helper()
	return sendingServerOf(t, layers, nil)
}

// sendingServerOf does what serverOf does, with a budget of answers.
func sendingServerOf(t *testing.T, layers map[string]reading, sending *answer.Sending) http.Handler {
	t.Helper()
	admit := admission.ForWorkers(2)
	admit.Queue, admit.Memory = 512, 640<<20
	decoders := pool.New(pool.Config{Workers: 2, Clock: threadtime.Wall})
	catalog := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admit)})
	for id, read := range layers {
		provider := &rastertest.Synthetic{
			Name: id + "@1", Has: rastertest.Flat(raster.Uint8, 16384, 16384, 1, 256, 256),
			Sample: func(_, _, x, y int) (float64, bool) { return float64((x + y) % 251), true },
			Before: func(ctx context.Context, _ int, ids []raster.BlockID, _ []int) error {
				return read(ctx, decoders, len(ids))
			},
		}
		err := catalog.Add(t.Context(), layer.Config{ID: id, Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: provider, Close: func() error { return nil }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: catalog}, RequestTimeout: requestTimeout, Sending: sending})
}

// decoding takes a time for each block on a worker.
func decoding(each time.Duration) reading {
	return func(ctx context.Context, decoders *pool.Pool, blocks int) error {
		return decoders.Run(ctx, sleepingTasks{blocks, each})
	}
}

type sleepingTasks struct {
	count int
	each  time.Duration
}

func (s sleepingTasks) Len() int     { return s.count }
func (s sleepingTasks) Do(int) error { time.Sleep(s.each); return nil }

// hanging never returns by itself.
func hanging(ctx context.Context, _ *pool.Pool, _ int) error {
	defer admission.Wait(ctx)()
	<-ctx.Done()
	return context.Cause(ctx)
}

// get asks for an address and returns the answer and how long it took.
func get(ctx context.Context, handler http.Handler, address string) (*httptest.ResponseRecorder, time.Duration) {
	return getUnless(ctx, handler, address, "")
}

// getUnless asks for an address unless its picture has an ETag.
func getUnless(ctx context.Context, handler http.Handler, address, etag string) (*httptest.ResponseRecorder, time.Duration) {
	start, recorder := time.Now(), httptest.NewRecorder()
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	handler.ServeHTTP(recorder, request)
	return recorder, time.Since(start)
}

func tileOf(id string, n int) string {
	return fmt.Sprintf("/tiles/%s/image/6/%d/%d.png", id, n%64, n/64)
}

func viewOf(id string, n int) string {
	return fmt.Sprintf("/layers/%s/view.png?crs=image&bbox=%d,%d,%d,%d&width=512&height=512&rescale=0,255", id, 512*(n%32), 512*(n/32), 512*(n%32+1), 512*(n/32+1))
}

// Clients of a test ask until it ends.
type clients struct {
	ctx     context.Context
	all     sync.WaitGroup
	answers atomic.Int64
}

// start lets count clients ask for addresses, each for one after the other.
func (c *clients) start(handler http.Handler, count int, address func(n int) string) {
	var next atomic.Int64
	for range count {
		c.all.Go(func() {
			for c.ctx.Err() == nil {
				if got, _ := get(c.ctx, handler, address(int(next.Add(1)))); got.Code == http.StatusOK {
					c.answers.Add(1)
				} else if wait, err := strconv.Atoi(got.Header().Get("Retry-After")); err == nil {
					time.Sleep(time.Duration(wait) * time.Second)
				}
			}
		})
	}
}

// Cheap tiles of a layer are answered as on an idle server, however many clients ask for dear views of
// another.
func TestTilesDoNotWaitForViews(t *testing.T) {
	for _, count := range []int{4, 16} {
		synctest.Test(t, func(t *testing.T) {
			server := serverOf(t, map[string]reading{"dear": decoding(300 * time.Millisecond), "cheap": decoding(2 * time.Millisecond)})
			get(t.Context(), server, viewOf("dear", 1000)) // from which the server learns
			ctx, stop := context.WithCancel(t.Context())
			dear := clients{ctx: ctx}
			dear.start(server, count, func(n int) string { return viewOf("dear", n) })
			time.Sleep(time.Second)
			for n := range 50 {
				got, took := get(t.Context(), server, tileOf("cheap", n)+"?rescale=0,255")
				if got.Code != http.StatusOK || took > 310*time.Millisecond { // the rest of a task of a view
					t.Errorf("beside %d views, tile %d: status %d after %v", count, n, got.Code, took)
				}
				time.Sleep(100 * time.Millisecond)
			}
			stop()
			dear.all.Wait()
			time.Sleep(time.Second) // tasks end
			if dear.answers.Load() == 0 {
				t.Error("no view was answered")
			}
		})
	}
}

// What is cached, and what the client has already, is answered at once while dear views have all slots
// and queues.
func TestHitsGoOnWhileViewsFillTheLanes(t *testing.T) {
	const tiles, turns = 10, 20
	synctest.Test(t, func(t *testing.T) {
		server := serverOf(t, map[string]reading{"dear": decoding(300 * time.Millisecond), "cheap": decoding(2 * time.Millisecond), "stalled": hanging})
		etags := make(map[string]string)
		for n := range tiles {
			address := tileOf("cheap", n) + "?rescale=0,255"
			got, _ := get(t.Context(), server, address)
			etags[address] = got.Header().Get("ETag")
		}
		ctx, stop := context.WithCancel(t.Context())
		others := clients{ctx: ctx}
		defer time.Sleep(time.Second) // tasks end
		defer others.all.Wait()
		defer stop()
		others.start(server, 600, func(n int) string { return viewOf("dear", n) })
		others.start(server, 600, func(n int) string { return tileOf("stalled", n%4095) + "?rescale=0,255" })
		synctest.Wait()
		if got, _ := get(t.Context(), server, tileOf("stalled", 4095)+"?rescale=0,255"); got.Code != http.StatusServiceUnavailable {
			t.Fatalf("beside all clients, another tile: status %d: %s", got.Code, got.Body)
		}
		for turn := range turns {
			for address, etag := range etags {
				hit, took := get(t.Context(), server, address)
				if hit.Code != http.StatusOK || hit.Header().Get("X-Cache") != "HIT" || took > 0 {
					t.Fatalf("turn %d: status %d, %s after %v", turn, hit.Code, hit.Header().Get("X-Cache"), took)
				}
				if same, took := getUnless(t.Context(), server, address, etag); same.Code != http.StatusNotModified || took > 0 {
					t.Fatalf("turn %d: a picture that the client has: status %d after %v", turn, same.Code, took)
				}
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
}

// While the storage of a layer hangs, others lose a second, once, and then nothing.
func TestAStalledLayerStopsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := serverOf(t, map[string]reading{"stalled": hanging, "sound": decoding(2 * time.Millisecond)})
		ctx, stop := context.WithCancel(t.Context())
		others := clients{ctx: ctx}
		others.start(server, 64, func(n int) string { return tileOf("stalled", n) + "?rescale=0,255" })
		time.Sleep(2 * time.Second)
		const tiles = 500
		start, slowest := time.Now(), time.Duration(0)
		for n := range tiles {
			got, took := get(t.Context(), server, tileOf("sound", n)+"?rescale=0,255")
			if slowest = max(slowest, took); got.Code != http.StatusOK {
				t.Errorf("tile %d: status %d", n, got.Code)
			}
			time.Sleep(50 * time.Millisecond)
		}
		lost := time.Since(start) - tiles*52*time.Millisecond
		t.Logf("%d tiles lost %v, the slowest took %v", tiles, lost, slowest)
		if lost > tiles*52*time.Millisecond/10 || slowest > 2*time.Second {
			t.Errorf("%d tiles lost %v, the slowest took %v", tiles, lost, slowest)
		}
		stop()
		others.all.Wait()
		time.Sleep(time.Second) // tasks end
	})
}

// What cannot be answered in time is refused at once, with the time until the queue has drained.
func TestWhatWouldBeLateIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := serverOf(t, map[string]reading{"dear": decoding(time.Second)})
		for n := range 10 { // from which the server learns
			get(t.Context(), server, viewOf("dear", n))
		}
		ctx, stop := context.WithCancel(t.Context())
		others := clients{ctx: ctx}
		others.start(server, 8, func(n int) string { return viewOf("dear", 100+n) })
		synctest.Wait()
		got, took := get(t.Context(), server, viewOf("dear", 50))
		if got.Code != http.StatusServiceUnavailable || took > time.Millisecond {
			t.Errorf("status %d after %v", got.Code, took)
		}
		if wait, err := strconv.Atoi(got.Header().Get("Retry-After")); err != nil || wait < 5 || wait > 20 {
			t.Errorf("Retry-After is %q", got.Header().Get("Retry-After"))
		}
		stop()
		others.all.Wait()
		time.Sleep(time.Second) // tasks end
	})
}

// While clients ask for the statistics of a layer that hangs, those of another layer are computed.
func TestStatisticsOfAStalledLayerStopNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := serverOf(t, map[string]reading{"stalled": hanging, "sound": decoding(2 * time.Millisecond)})
		ctx, stop := context.WithCancel(t.Context())
		others := clients{ctx: ctx}
		for range 2 { // so that one of them always waits
			others.all.Go(func() {
				for ctx.Err() == nil {
					get(ctx, server, "/layers/stalled/statistics")
				}
			})
			time.Sleep(requestTimeout / 2)
		}
		time.Sleep(requestTimeout)
		if got, _ := get(t.Context(), server, "/layers/sound/statistics"); got.Code != http.StatusOK {
			t.Errorf("the other layer has the status %d: %s", got.Code, got.Body)
		}
		stop()
		others.all.Wait()
		time.Sleep(time.Second) // tasks end
	})
}
