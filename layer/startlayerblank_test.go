package layer_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// An emptyProvider is an image without stored blocks.
type emptyProvider struct{ *rastertest.Synthetic }

func (emptyProvider) Empty(context.Context, int, raster.Rect) (bool, error) { return true, nil }

// imageOf opens a square image with this side.
func imageOf(t *testing.T, c *layer.Catalog, id string, side int, isStored bool) *layer.Layer {
	t.Helper()
	synthetic := &rastertest.Synthetic{Name: id, Has: rastertest.Flat(raster.Uint8, side, side, 1, 256, 256)}
	var source raster.Provider = synthetic
	if !isStored {
		source = emptyProvider{synthetic}
	}
	l, err := c.Open(t.Context(), layer.Config{ID: id, Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestBlankLayerIsNotShownFirst(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	if got := c.StartLayerID(); got != "" {
		t.Errorf("without layers the first is %q", got)
	}
	void := imageOf(t, c, "void", 2000, false)
	mustServe(t, c, void)
	if got := c.StartLayerID(); got != "void" {
		t.Errorf("the only layer is %q", got)
	}
	mustServe(t, c, void, imageOf(t, c, "small", 100, true), imageOf(t, c, "large", 500, true), imageOf(t, c, "abyss", 3000, false))
	if got := c.StartLayerID(); got != "large" {
		t.Errorf("the first is %q, not the largest with pixels", got)
	}
}

// A countingProvider counts how often it is asked for emptiness.
type countingProvider struct {
	*rastertest.Synthetic
	asked atomic.Int64
}

func (p *countingProvider) Empty(context.Context, int, raster.Rect) (bool, error) {
	p.asked.Add(1)
	runtime.Gosched()
	return false, nil
}

// Concurrent requests after a change share one choice of the start layer.
func TestStartLayerIsChosenOnce(t *testing.T) {
	source := &countingProvider{Synthetic: &rastertest.Synthetic{Name: "x", Has: rastertest.Flat(raster.Uint8, 90, 70, 1, 32, 32)}}
	c := layer.NewCatalog(layer.CatalogConfig{})
	mustServe(t, c, mustOpen(t, c, layer.Config{ID: "x", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}}))
	c.StartLayerID()
	alone := source.asked.Swap(0)
	c.NoteChange()
	var wait sync.WaitGroup
	for range 100 {
		wait.Go(func() { c.StartLayerID() })
	}
	wait.Wait()
	if got := source.asked.Load(); got != alone || alone == 0 {
		t.Errorf("the image was asked %d times by all requests, and %d times by one", got, alone)
	}
}
