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

func TestAPictureAfterAPrefetchReadsNothing(t *testing.T) {
	kept := cache.New(64 << 20)
	kept.BoundAhead(8 << 20)
	source := gradient()
	c := newCatalog(t, source, func(config *layer.CatalogConfig) { config.Cache = kept })
	request := layer.Request{Format: layer.PNG, Area: areas.Level{X: 200, Y: 100, Width: 300, Height: 200}}
	if isLoaded, err := mustPrepare(t, c, request).Prefetch(t.Context()); !isLoaded || err != nil {
		t.Fatalf("a prefetch loads something: %t, %v", isLoaded, err)
	}
	if isLoaded, err := mustPrepare(t, c, request).Prefetch(t.Context()); isLoaded || err != nil {
		t.Fatalf("the same prefetch loads something: %t, %v", isLoaded, err)
	}
	read := source.BlocksMade()
	if _, err := mustPrepare(t, c, request).Picture(t.Context()); err != nil {
		t.Fatal(err)
	}
	if read == 0 || source.BlocksMade() != read {
		t.Errorf("%d blocks were read before the picture, and %d for it", read, source.BlocksMade()-read)
	}
	if isLoaded, err := mustPrepare(t, c, request).Prefetch(t.Context()); isLoaded || err != nil {
		t.Fatalf("the prefetch of a cached picture loads something: %t, %v", isLoaded, err)
	}
	for _, s := range kept.Stats().Spaces {
		if s.Name == "blocks" && (s.AheadLoaded != int64(read) || s.AheadUsed != int64(read) || s.AheadBytes != 0) {
			t.Errorf("the statistics are %+v", s)
		}
	}
}

func TestOverviewsAreNotPrefetched(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, nil)
	isLoaded, err := mustPrepare(t, c, layer.Request{Format: layer.PNG, Area: areas.Preview{MaxSize: 100}}).Prefetch(t.Context())
	if isLoaded || err != nil || source.BlocksMade() != 0 {
		t.Errorf("%d blocks were read: %t, %v", source.BlocksMade(), isLoaded, err)
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
	c := newCatalog(t, source, func(config *layer.CatalogConfig) { config.Gate = gate })
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
