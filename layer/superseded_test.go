package layer_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/layer"
	"tileserver/raster"
)

// Requests to a layer that has been replaced by a rebuilt one may not know yet that the dataset has
// changed. They must not cancel the build for the next version.
func TestSupersededLayersDoNotCancelBuilds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var version atomic.Int64
		version.Store(1)
		hold := make(chan struct{})
		open := func(context.Context) (*layer.Dataset, error) {
			mine, source := version.Load(), rows()
			isCurrent := func() bool { return mine == version.Load() }
			source.Name = fmt.Sprint("rows@", mine)
			source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
				if !isCurrent() {
					return raster.ErrChanged
				}
				select {
				case <-hold:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return &layer.Dataset{Provider: source, Close: func() error { return nil }, IsCurrent: isCurrent}, nil
		}
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100})})
		config := layer.Config{ID: "l", MaxInlineOverviewBytes: 1000, Open: open}
		before := mustOpen(t, c, config)
		mustServe(t, c, before)
		time.Sleep(2 * time.Second)
		composition := mustPrepare(t, c, wholeImage(100)) // finds the dataset to be current
		after, err := c.Rebuild(before, config)
		if err != nil {
			t.Fatal(err)
		}
		mustServe(t, c, after)
		version.Store(2)
		var asking sync.WaitGroup
		var served, superseded layer.Picture
		asking.Go(func() { served = mustPicture(t, c, wholeImage(100)) })
		synctest.Wait()
		asking.Go(func() {
			if superseded, err = composition.Picture(t.Context()); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		if s := c.Stats().Overviews; s.Failed != 0 || len(s.Building) != 1 {
			t.Errorf("the builder is %+v, want it to build for the layer that is served", s)
		}
		close(hold)
		asking.Wait()
		if served.Key == composition.Key() || superseded.Key != served.Key {
			t.Errorf("the pictures are %s of the layer that is served, and %s; the one of version 1 was %s", served.Key, superseded.Key, composition.Key())
		}
		synctest.Wait()
		if s := c.Stats().Overviews; s.Built != 1 {
			t.Errorf("the builder is %+v", s)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A layer and the one rebuilt from it may each detect a change to a dataset of the same key. The
// two new versions get different keys.
func TestSupersededLayersShareNoKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1, sameKeys: true}
		c := newChangingCatalog(t, source, cache.New(64<<20))
		before := c.Layers()[0]
		composition := mustPrepare(t, c, previewOf(90))
		after, err := c.Rebuild(before, layer.Config{ID: "l", Open: source.open})
		if err != nil {
			t.Fatal(err)
		}
		mustServe(t, c, after)
		source.set(func() { source.version = 20 })
		second, err := composition.Picture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		source.set(func() { source.version = 30 })
		third := mustPicture(t, c, previewOf(90))
		if second.Key == third.Key {
			t.Errorf("two versions have the key %s", third.Key)
		}
		for want, p := range map[uint8]layer.Picture{20: second, 30: third} {
			if got := at(decodedPicture(t, p), 45, 30); got.R != want {
				t.Errorf("got %v, want the samples of version %d", got, want)
			}
		}
	})
}
