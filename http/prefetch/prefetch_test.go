package prefetch_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/geo"
	"tileserver/http/prefetch"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// delay is how long a block of the far image takes.
const delay = 300 * time.Millisecond

// A far image of 40 by 30 tiles, each a block, and a server that prefetches.
type far struct {
	t          *testing.T
	image      *rastertest.Synthetic
	cache      *cache.Cache
	gate       *admission.Gate
	catalog    *layer.Catalog
	prefetcher *prefetch.Prefetcher
	zoom       int // of the image's own pixels

	reading atomic.Int64 // calls of the image now
	isDown  atomic.Bool  // whether all blocks fail
}

func newFar(t *testing.T, aheadBytes int64) *far {
	f := &far{t: t, cache: cache.New(256 << 20), gate: admission.New(admission.Config{Cheap: 4, Dear: 1, Queue: 100})}
	f.cache.BoundAhead(aheadBytes)
	f.prefetcher = prefetch.New(f.cache.MaxAheadBytes())
	info := rastertest.Flat(raster.Uint8, 40*256, 30*256, 3, 256, 256)
	f.image = &rastertest.Synthetic{Name: "far@1", Has: info, Before: f.wait, Sample: func(_, _, x, y int) (float64, bool) { return float64((x + y) % 256), true }}
	f.catalog = layer.NewCatalog(layer.CatalogConfig{Cache: f.cache, Gate: f.gate})
	err := f.catalog.Add(t.Context(), layer.Config{ID: "far", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: f.image, IsFar: true, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	set, _ := f.layer().TileSet(tilesets.ImageID)
	f.zoom = set.MaxZoom
	return f
}

func (f *far) layer() *layer.Layer {
	l, err := f.catalog.Layer("far")
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

// wait is how a block comes over the network.
func (f *far) wait(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
	f.reading.Add(1)
	defer f.reading.Add(-1)
	defer admission.Wait(ctx)()
	select {
	case <-time.After(delay):
		if f.isDown.Load() {
			return errors.New("the network is down")
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ask asks for a tile as a client does, and returns how long it took.
func (f *far) ask(client uint64, x, y int) time.Duration {
	began := time.Now()
	picture, err := f.catalog.Prepare(layer.Request{Layer: f.layer(), Format: layer.PNG, Area: areas.Tile{TileSet: tilesets.ImageID, Tile: geo.TileID{Z: f.zoom, X: x, Y: y}}})
	if err != nil {
		f.t.Error(err)
		return 0
	}
	defer f.prefetcher.Asked(picture, func() uint64 { return client }).Done()
	if _, err := picture.Picture(f.t.Context()); err != nil && !f.isDown.Load() {
		f.t.Error(err)
	}
	return time.Since(began)
}

// show asks for tiles, six at a time, and returns how many it waited for.
func (f *far) show(client uint64, tiles [][2]int) (waited int) {
	rand.New(rand.NewPCG(1, uint64(len(tiles)))).Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
	connections, all, count := make(chan struct{}, 6), sync.WaitGroup{}, atomic.Int64{}
	for _, at := range tiles {
		connections <- struct{}{}
		all.Go(func() {
			if f.ask(client, at[0], at[1]) >= delay/2 {
				count.Add(1)
			}
			<-connections
		})
	}
	all.Wait()
	return int(count.Load())
}

// end checks that nothing goes on once the server stops. The bubble of synctest finds goroutines.
func (f *far) end() {
	f.prefetcher.Close()
	synctest.Wait()
	if n := f.reading.Load(); n != 0 {
		f.t.Errorf("%d reads go on", n)
	}
	if s := f.gate.Stats(); s.Bytes != 0 {
		f.t.Errorf("%d bytes of work remain", s.Bytes)
	}
}

func (f *far) blocks() cache.SpaceStats { return f.cache.Stats().Spaces[0] }

// box returns the tiles of some columns and rows.
func box(x0, y0, x1, y1 int) (tiles [][2]int) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			tiles = append(tiles, [2]int{x, y})
		}
	}
	return tiles
}

func TestAViewerThatPansHardlyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFar(t, 32<<20)
		if waited := f.show(1, box(2, 3, 7, 7)); waited != 20 {
			t.Errorf("the viewer waited for %d tiles of the first view, want all 20", waited)
		}
		asked, waited := 0, 0
		for pan := range 10 {
			time.Sleep(time.Second)
			asked += 4
			waited += f.show(1, box(7+pan, 3, 8+pan, 7))
		}
		if waited != 4 { // those of the first pan
			t.Errorf("the viewer waited for %d of %d tiles", waited, asked)
		}
		time.Sleep(time.Second)
		blocks, stats := f.blocks(), f.prefetcher.Stats()
		if blocks.AheadUsed != 36 || blocks.AheadLoaded != 40 || stats.Loaded != 40 || stats.Viewers != 1 {
			t.Errorf("the statistics are %+v and %+v", blocks, stats)
		}
		if made := f.image.BlocksMade(); made != 64 {
			t.Errorf("%d blocks were read, want 64", made)
		}
		f.end()
	})
}

func TestScatteredRequestsCauseNoPrefetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, random := newFar(t, 32<<20), rand.New(rand.NewPCG(1, 2))
		asked := make(map[[2]int]bool)
		for range 60 {
			at := [2]int{random.IntN(40), random.IntN(30)}
			asked[at] = true
			f.ask(1, at[0], at[1])
			time.Sleep(200 * time.Millisecond)
		}
		if made := f.image.BlocksMade(); made != len(asked) {
			t.Errorf("%d blocks were read for %d tiles", made, len(asked))
		}
		f.end()
	})
}

// Each client has a walk of its own. Two that look elsewhere are no viewer that jumps.
func TestClientsAreToldApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFar(t, 32<<20)
		for pan := range 4 {
			for client := range uint64(2) {
				x, y := 2+pan, 2+20*int(client)
				if waited := f.show(client, box(x, y, x+4, y+3)); pan >= 2 && waited != 0 {
					t.Errorf("client %d waited for %d tiles of pan %d", client, waited, pan)
				}
				time.Sleep(time.Second)
			}
		}
		f.end()
	})
}

func TestABusyServerPrefetchesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFar(t, 32<<20)
		busy, stop := context.WithCancel(t.Context())
		for range 4 {
			go f.gate.Run(t.Context(), admission.Work{}, func(context.Context) error {
				<-busy.Done()
				return nil
			})
		}
		synctest.Wait()
		picture := func(x int) *layer.Composition {
			p, err := f.catalog.Prepare(layer.Request{Layer: f.layer(), Format: layer.PNG, Area: areas.Tile{TileSet: tilesets.ImageID, Tile: geo.TileID{Z: f.zoom, X: x / 4, Y: x % 4}}})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		for pan := range 5 {
			for tile := range 4 {
				f.prefetcher.Asked(picture(4*pan+tile), func() uint64 { return 1 }).Done()
			}
			if pan > 1 {
				time.Sleep(time.Second)
			}
		}
		if made := f.image.BlocksMade(); made != 0 {
			t.Errorf("%d blocks were read", made)
		}
		stop()
		time.Sleep(time.Second)
		if made := f.image.BlocksMade(); made != 4 {
			t.Errorf("%d blocks were read once the server had time, want a column of 4", made)
		}
		f.end()
	})
}

func TestWhatIsLoadedAheadIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bound = 8 << 20
		f := newFar(t, bound)
		for client := range uint64(6) {
			for pan := range 3 { // and nobody asks for what comes next
				x, y := 2+6*int(client)+3*pan, 2+pan
				f.show(client, box(x-3*pan, y, x-3*pan+6, y+5))
				time.Sleep(3 * time.Second)
				if ahead := f.blocks().AheadBytes; ahead > bound {
					t.Fatalf("%d bytes are loaded ahead, want at most %d", ahead, bound)
				}
			}
		}
		if f.blocks().AheadLoaded == 0 {
			t.Error("nothing was loaded ahead")
		}
		f.end()
	})
}

func TestAWalkThatGoesElsewhereCancelsItsPrefetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFar(t, 32<<20)
		f.show(1, box(2, 3, 7, 8))
		time.Sleep(time.Second)
		f.show(1, box(7, 3, 8, 8))
		time.Sleep(100 * time.Millisecond) // it settles, and loads begin
		if n := f.reading.Load(); n != 4 {
			t.Errorf("%d tiles are being loaded ahead, want 4", n)
		}
		go f.ask(1, 30, 20)
		synctest.Wait()
		if n := f.reading.Load(); n != 1 {
			t.Errorf("%d reads go on, want that of the tile", n)
		}
		time.Sleep(10 * time.Second)
		if blocks, stats := f.blocks(), f.prefetcher.Stats(); blocks.AheadLoaded != 0 || stats.Canceled != 4 || stats.Loaded != 0 {
			t.Errorf("the statistics are %+v and %+v", blocks, stats)
		}
		f.end()
	})
}

func TestClosingCancelsAllPrefetches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFar(t, 32<<20)
		f.show(1, box(2, 3, 7, 8))
		time.Sleep(time.Second)
		f.show(1, box(7, 3, 8, 8))
		time.Sleep(100 * time.Millisecond)
		f.end()
		f.show(1, box(8, 3, 9, 8))
		time.Sleep(time.Second)
		f.end()
		if stats := f.prefetcher.Stats(); stats.Viewers != 0 || stats.Loaded != 0 {
			t.Errorf("the statistics are %+v", stats)
		}
	})
}

func TestAfterAFailureNothingMoreIsTried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFar(t, 32<<20)
		f.show(1, box(2, 3, 12, 9))
		time.Sleep(time.Second)
		f.show(1, box(12, 3, 14, 9))
		f.isDown.Store(true)
		time.Sleep(10 * time.Second)
		if stats := f.prefetcher.Stats(); stats.Failed == 0 || stats.Failed > 4 || stats.Loaded != 0 {
			t.Errorf("the statistics are %+v", stats)
		}
		f.end()
	})
}

func TestWhereItDoesNotPayNobodyIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFar(t, 32<<20)
		near := &rastertest.Synthetic{Name: "near@1", Has: rastertest.Flat(raster.Uint8, 3000, 2000, 3, 256, 256)}
		err := f.catalog.Add(t.Context(), layer.Config{ID: "near", Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: near, Close: func() error { return nil }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		l, err := f.catalog.Layer("near")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []layer.Request{
			{Layer: l, Format: layer.PNG, Area: areas.Tile{TileSet: tilesets.ImageID}},
			{Layer: f.layer(), Format: layer.PNG, Area: areas.Level{Width: 256, Height: 256}},
		} {
			picture, err := f.catalog.Prepare(r)
			if err != nil {
				t.Fatal(err)
			}
			f.prefetcher.Asked(picture, func() uint64 { t.Error("a client is recognized in vain"); return 1 }).Done()
		}
		if n := f.prefetcher.Stats().Viewers; n != 0 {
			t.Errorf("%d viewers are remembered", n)
		}
		f.end()
	})
}

func TestNoPrefetcherIsOne(t *testing.T) {
	none := prefetch.New(0)
	none.Asked(nil, nil).Done()
	if none.Stats() != (prefetch.Stats{}) || none != nil {
		t.Error("a prefetcher without bytes does something")
	}
	none.Close()
}

// To note a tile that is answered costs the answer nothing that can be noticed, and allocates nothing.
func BenchmarkAsked(b *testing.B) {
	catalog := layer.NewCatalog(layer.CatalogConfig{})
	image := &rastertest.Synthetic{Name: "far@1", Has: rastertest.Flat(raster.Uint8, 40*256, 30*256, 3, 256, 256)}
	err := catalog.Add(b.Context(), layer.Config{ID: "far", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: image, IsFar: true, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	l, _ := catalog.Layer("far")
	picture, err := catalog.Prepare(layer.Request{Layer: l, Format: layer.PNG, Area: areas.Tile{TileSet: tilesets.ImageID}})
	if err != nil {
		b.Fatal(err)
	}
	p := prefetch.New(1 << 20)
	defer p.Close()
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		p.Asked(picture, func() uint64 { return i % 8 }).Done()
	}
}
