package layer_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
)

// addDataset adds a layer "dear" of a gradient to a catalog.
func addDataset(t *testing.T, c *layer.Catalog, change func(*layer.Dataset)) *layer.Layer {
	t.Helper()
	err := c.Add(t.Context(), layer.Config{ID: "dear", Open: func(context.Context) (*layer.Dataset, error) {
		d := &layer.Dataset{Provider: gradient(), Close: func() error { return nil }}
		change(d)
		return d, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return layerOf(t, c, "dear")
}

func TestAPrefetchPaysForWhatIsFarOrDearToDecode(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*layer.Dataset)
		want   bool
	}{
		"near":            {func(*layer.Dataset) {}, false},
		"near, DEFLATE":   {func(d *layer.Dataset) { d.DecodingTime = 4 * time.Nanosecond }, false},
		"near, JPEG 2000": {func(d *layer.Dataset) { d.DecodingTime = 45 * time.Nanosecond }, true},
		"far":             {func(d *layer.Dataset) { d.IsFar = true }, true},
	} {
		c := newCatalog(t, gradient(), nil)
		l := addDataset(t, c, test.change)
		picture := mustPrepare(t, c, layer.Request{Layer: l, Format: layer.PNG, Area: areas.Level{Width: 300, Height: 200}})
		if got := picture.PaysPrefetch(); got != test.want {
			t.Errorf("%s: it pays: %t", name, got)
		}
	}
}

// ahead returns a cache in which some bytes may be loaded ahead.
func ahead(bytes int64) *cache.Cache {
	c := cache.New(64 << 20)
	c.BoundAhead(bytes)
	return c
}

func TestAPictureAfterAPrefetchReadsNothing(t *testing.T) {
	kept := ahead(8 << 20)
	source := gradient()
	c := newCatalog(t, source, func(config *layer.CatalogConfig) { config.Cache = kept })
	request := layer.Request{Format: layer.PNG, Area: areas.Level{X: 200, Y: 100, Width: 300, Height: 200}}
	if bytes, err := mustPrepare(t, c, request).Prefetch(t.Context()); bytes == 0 || err != nil {
		t.Fatalf("a prefetch loads %d bytes, %v", bytes, err)
	}
	if bytes, err := mustPrepare(t, c, request).Prefetch(t.Context()); bytes != 0 || err != nil {
		t.Fatalf("the same prefetch loads %d bytes, %v", bytes, err)
	}
	read := source.BlocksMade()
	if _, err := mustPrepare(t, c, request).Picture(t.Context()); err != nil {
		t.Fatal(err)
	}
	if read == 0 || source.BlocksMade() != read {
		t.Errorf("%d blocks were read before the picture, and %d for it", read, source.BlocksMade()-read)
	}
	if bytes, err := mustPrepare(t, c, request).Prefetch(t.Context()); bytes != 0 || err != nil {
		t.Fatalf("the prefetch of a cached picture loads %d bytes, %v", bytes, err)
	}
	for _, s := range kept.Stats().Spaces {
		if s.Name == "blocks" && (s.AheadLoaded != int64(read) || s.AheadUsed != int64(read) || s.AheadBytes != 0) {
			t.Errorf("the statistics are %+v", s)
		}
	}
}

func TestOverviewsAreNotPrefetched(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, func(config *layer.CatalogConfig) { config.Cache = ahead(8 << 20) })
	bytes, err := mustPrepare(t, c, layer.Request{Format: layer.PNG, Area: areas.Preview{MaxSize: 100}}).Prefetch(t.Context())
	if bytes != 0 || err != nil || source.BlocksMade() != 0 {
		t.Errorf("%d blocks were read: %d, %v", source.BlocksMade(), bytes, err)
	}
}

func TestAPrefetchGivesWayToAPicture(t *testing.T) {
	gate := admission.New(admission.Config{Cheap: 1, Dear: 1, Queue: 9})
	source, began := gradient(), make(chan struct{})
	source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
		close(began)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	c := newCatalog(t, source, func(config *layer.CatalogConfig) { config.Gate, config.Cache = gate, ahead(8<<20) })
	prefetch := mustPrepare(t, c, layer.Request{Format: layer.PNG, Area: areas.Level{Width: 300, Height: 200}})
	ended := make(chan error)
	go func() {
		_, err := prefetch.Prefetch(t.Context())
		ended <- err
	}()
	<-began
	err := gate.Run(t.Context(), admission.Work{}, func(context.Context) error { return <-ended })
	if !errors.Is(err, admission.ErrOutranked) {
		t.Errorf("the error is %v", err)
	}
}

// What does not fit would be evicted at once, or evict what was loaded ahead for others.
func TestWhatIsTooLargeIsNotPrefetched(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, func(config *layer.CatalogConfig) { config.Cache = ahead(1 << 20) })
	bytes, err := mustPrepare(t, c, layer.Request{Format: layer.PNG, Area: areas.Level{Width: 2000, Height: 2000}}).Prefetch(t.Context())
	if bytes != 0 || err != nil || source.BlocksMade() != 0 {
		t.Errorf("%d blocks were read: %d, %v", source.BlocksMade(), bytes, err)
	}
}

func TestABugInAPrefetchIsAnError(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, func(config *layer.CatalogConfig) { config.Cache = ahead(8 << 20) })
	source.Before = func(context.Context, int, []raster.BlockID, []int) error { panic("a bug") }
	_, err := mustPrepare(t, c, layer.Request{Format: layer.PNG, Area: areas.Level{Width: 300, Height: 200}}).Prefetch(t.Context())
	if bug := new(cache.PanicError); !errors.As(err, &bug) {
		t.Errorf("the error is %v", err)
	}
}

func TestOtherTilesHaveTheStyleOfATile(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	request := tileAt(t, c, 12)
	request.Style.Bands = []int{2}
	picture := mustPrepare(t, c, request)
	l, tile, ok := picture.Tile()
	if !ok || l.ID() != "l" || tile != request.Area {
		t.Fatalf("the tile is %v of %v", tile, l)
	}
	next := tile
	next.Tile.X++
	other, err := picture.OtherTile(next.Tile)
	if err != nil {
		t.Fatal(err)
	}
	request.Area = next
	if want := mustPrepare(t, c, request).Key(); other.Key() != want || other.Key() == picture.Key() {
		t.Error("the other tile is not the one that a request would get")
	}
	if _, _, ok := mustPrepare(t, c, layer.Request{Format: layer.PNG, Area: areas.Level{Width: 300, Height: 200}}).Tile(); ok {
		t.Error("a rectangle of the image is a tile")
	}
}
