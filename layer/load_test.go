package layer_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/style"
)

// nowhere returns an area without pixels of the layer "l".
func nowhere(scale int) areas.Area {
	return areas.Tile{TileSet: "WebMercatorQuad", Tile: geo.TileID{Z: 3}, Scale: scale}
}

// operations returns all operations of a catalog that take work.
func operations() map[string]func(context.Context, *layer.Catalog) error {
	pictureOf := func(area areas.Area, format layer.Format) func(context.Context, *layer.Catalog) error {
		return func(ctx context.Context, c *layer.Catalog) error {
			j, err := prepare(c, layer.Request{Area: area, Format: format})
			if err != nil {
				return err
			}
			_, err = j.Picture(ctx)
			return err
		}
	}
	return map[string]func(context.Context, *layer.Catalog) error{
		"picture":     pictureOf(areas.Preview{MaxSize: 100}, layer.PNG),
		"blank":       pictureOf(nowhere(1), layer.PNG),
		"large blank": pictureOf(nowhere(8), layer.JPEG),
		"stack": func(ctx context.Context, c *layer.Catalog) error {
			part := layer.Request{Area: pixels(40, 30)}
			s, err := prepareStack(c, layer.StackRequest{Layers: []layer.Request{part, part}, Width: 40, Height: 30})
			if err != nil {
				return err
			}
			_, err = s.Picture(ctx)
			return err
		},
		"blank stack": func(ctx context.Context, c *layer.Catalog) error {
			s, err := prepareStack(c, layer.StackRequest{Width: 40, Height: 30})
			if err != nil {
				return err
			}
			_, err = s.Picture(ctx)
			return err
		},
		"point": func(ctx context.Context, c *layer.Catalog) error {
			_, err := c.Point(ctx, c.Layers()[0], style.Style{}, nil, geo.Point{X: 5, Y: 5})
			return err
		},
		"statistics": func(ctx context.Context, c *layer.Catalog) error {
			_, err := c.Statistics(ctx, c.Layers()[0], style.Style{})
			return err
		},
	}
}

func TestCanceledRequestsDoNoWork(t *testing.T) {
	for name, route := range operations() {
		synctest.Test(t, func(t *testing.T) {
			source := flat(raster.Uint16, nil)
			c := newCatalog(t, source, func(c *layer.CatalogConfig) { c.Gate = admission.New(admission.Config{Memory: 1 << 30}) })
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := route(ctx, c); codeOf(err) != layer.Canceled {
				t.Errorf("%s: got the error %v, want %s", name, err, layer.Canceled)
			}
			synctest.Wait()
			if stats := c.Stats(); source.Calls() != 0 || stats.Working+stats.Waiting != 0 || cachedEntries(stats) != 0 {
				t.Errorf("%s: %d calls; the activity is %+v", name, source.Calls(), stats)
			}
			if err := route(t.Context(), c); err != nil {
				t.Errorf("%s: the next request got the error %v", name, err)
			}
		})
	}
}

// cachedEntries returns the number of entries in the caches of a catalog.
func cachedEntries(s layer.Stats) (entries int64) {
	for _, c := range []cache.Stats{s.Cache, s.Chains, s.Statistics} {
		for _, space := range c.Spaces {
			entries += int64(space.Entries)
		}
	}
	return entries
}

// All operations but statistics, which have a gate of their own, wait for a slot.
func TestAllOperationsPassTheGate(t *testing.T) {
	for name, route := range operations() {
		want := layer.Busy
		if name == "statistics" {
			want = "none"
		}
		gate := admission.New(admission.Config{})
		c := newCatalog(t, flat(raster.Uint16, nil), func(c *layer.CatalogConfig) { c.Gate = gate })
		_, leave, err := gate.Enter(t.Context(), admission.Work{})
		if err != nil {
			t.Fatal(err)
		}
		if err := route(t.Context(), c); codeOf(err) != want {
			t.Errorf("%s behind a full gate got the error %v, want %s", name, err, want)
		}
		leave()
		if err := route(t.Context(), c); err != nil {
			t.Errorf("%s got the error %v", name, err)
		}
	}
}

func TestBlanksAreCachedByFormatAndSize(t *testing.T) {
	gate := admission.New(admission.Config{})
	c := newCatalog(t, gradient(), func(c *layer.CatalogConfig) { c.Gate = gate })
	at := func(x, scale int) layer.Request {
		return layer.Request{Area: areas.Tile{TileSet: "WebMercatorQuad", Tile: geo.TileID{Z: 3, X: x}, Scale: scale}}
	}
	first, second := mustPicture(t, c, at(0, 1)), mustPicture(t, c, at(1, 1))
	if &first.Bytes[0] != &second.Bytes[0] {
		t.Error("two blanks of one size are not the same bytes")
	}
	large := mustPicture(t, c, at(0, 8))
	if again := mustPicture(t, c, at(0, 8)); &large.Bytes[0] == &again.Bytes[0] {
		t.Error("a large blank is cached")
	}
	_, leave, err := gate.Enter(t.Context(), admission.Work{})
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if got := mustPicture(t, c, at(1, 1)); got.From != layer.Empty {
		t.Errorf("behind a full gate, an area known to be empty is %s", got.From)
	}
}

func TestMemoryOfPicturesIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100, Memory: 5 << 20})
		hold := make(chan struct{})
		var reading atomic.Int64
		source := gradient()
		source.Before = func(context.Context, int, []raster.BlockID, []int) error {
			reading.Add(1)
			<-hold
			return nil
		}
		c := newCatalog(t, source, func(c *layer.CatalogConfig) { c.Gate = gate })
		tile := func(x int) layer.Request {
			return layer.Request{Area: areas.Tile{TileSet: "image", Tile: geo.TileID{Z: 4, X: x}}}
		}
		var wait sync.WaitGroup
		for x := range 4 {
			wait.Go(func() { mustPicture(t, c, tile(x)) })
		}
		synctest.Wait()
		if used := gate.Stats().Bytes; used == 0 || reading.Load() != 2 {
			t.Errorf("%d pictures are rendered at a time, with %d bytes; want 2", reading.Load(), used)
		}
		close(hold)
		wait.Wait()
		if used := gate.Stats().Bytes; used != 0 {
			t.Errorf("%d bytes were not released", used)
		}
		for name, area := range map[string]areas.Area{"picture": areas.Preview{MaxSize: 1000}, "blank": nowhere(8)} {
			_, err := mustPrepare(t, c, layer.Request{Area: area}).Picture(t.Context())
			if codeOf(err) != layer.TooLarge || !errors.Is(err, cache.ErrOverBudget) {
				t.Errorf("a %s over the whole budget got the error %v", name, err)
			}
		}
	})
}

// While the statistics of one layer are computed, the only slot is free for pictures of others,
// however many requests wait for the statistics.
func TestWaitingForStatisticsHoldsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := flat(raster.Uint16, nil)
		hold := make(chan struct{})
		source.Before = func(context.Context, int, []raster.BlockID, []int) error { <-hold; return nil }
		c := newCatalog(t, source, func(c *layer.CatalogConfig) { c.Gate = admission.New(admission.Config{Queue: 100}) })
		err := c.Add(t.Context(), layer.Config{ID: "other", Open: func(context.Context) (*layer.Dataset, error) {
			source := gradient()
			source.Name = "other@1"
			return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for i := range 10 {
			wait.Go(func() {
				mustPicture(t, c, layer.Request{Area: areas.Preview{MaxSize: 100 + i}})
			})
		}
		synctest.Wait()
		if stats := c.Stats(); stats.Working+stats.Waiting != 0 {
			t.Errorf("%d pictures hold slots and %d wait for one", stats.Working, stats.Waiting)
		}
		if p := mustPicture(t, c, layer.Request{Layer: layerOf(t, c, "other"), Area: areas.Preview{MaxSize: 90}}); p.From != layer.Miss {
			t.Errorf("a picture of another layer is a %s", p.From)
		}
		close(hold)
		wait.Wait()
	})
}

// A canceled request gets no slot, even if one is free.
func TestGateRejectsCanceledRequests(t *testing.T) {
	gate := admission.New(admission.Config{Queue: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		if _, _, err := gate.Enter(ctx, admission.Work{}); !errors.Is(err, context.Canceled) {
			t.Fatalf("got the error %v", err)
		}
	}
	if working, waiting := gate.Load(); working+waiting != 0 {
		t.Errorf("%d are at work and %d wait", working, waiting)
	}
}
