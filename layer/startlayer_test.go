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
