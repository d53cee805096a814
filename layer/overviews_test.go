package layer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/overviewbuild"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// rows returns an image with blocks of one row and without overviews.
func rows() *rastertest.Synthetic {
	return &rastertest.Synthetic{
		Name: "rows@1", Has: rastertest.Flat(raster.Uint8, 1500, 1200, 1, 1500, 1),
		Sample: func(_, _, x, y int) (float64, bool) { return float64((x/3 + y) % 200), true },
	}
}

// newOverviewCatalog returns a catalog whose layer "l" needs background builds of overviews.
func newOverviewCatalog(t *testing.T, source raster.Provider, change func(*layer.CatalogConfig)) *layer.Catalog {
	t.Helper()
	config := layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100, Memory: 1 << 30})}
	if change != nil {
		change(&config)
	}
	c := layer.NewCatalog(config)
	err := c.Add(t.Context(), layer.Config{ID: "l", MaxInlineOverviewBytes: 1000, Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// wholeImage returns a request that needs overviews.
func wholeImage(size int) layer.Request {
	return layer.Request{Area: areas.Preview{MaxSize: size}}
}

func errorOf(t *testing.T, c *layer.Catalog, r layer.Request) error {
	t.Helper()
	_, err := mustPrepare(t, c, r).Picture(t.Context())
	return err
}

// Many concurrent requests wait for one build, hold no slot meanwhile, and get the picture that a
// layer without limits would render.
func TestPicturesWaitForOverviews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, hold := rows(), make(chan struct{})
		source.Before = func(context.Context, int, []raster.BlockID, []int) error { <-hold; return nil }
		c := newOverviewCatalog(t, source, nil)
		var wait sync.WaitGroup
		var mu sync.Mutex
		got := make(map[int]string)
		for i := range 12 {
			wait.Go(func() {
				p := mustPicture(t, c, wholeImage(100+i))
				mu.Lock()
				defer mu.Unlock()
				got[100+i] = string(p.Bytes)
			})
		}
		synctest.Wait()
		if s := c.Stats(); s.Working+s.Waiting != 0 || len(s.Overviews.Building) != 1 || s.Overviews.Building["l"] != 0 {
			t.Errorf("during the build the activity is %+v", s)
		}
		if c.Stats().Admission.Bytes == 0 {
			t.Error("a build reserves no memory")
		}
		close(hold)
		wait.Wait()
		synctest.Wait()
		if source.BlocksMade() != 1200 {
			t.Errorf("%d strips were read, want 1200", source.BlocksMade())
		}
		if s := c.Stats(); s.Overviews.Built != 1 || s.Overviews.Failed != 0 || len(s.Overviews.Building) != 0 || s.Admission.Bytes != 0 {
			t.Errorf("afterwards the builder is %+v, and %d bytes are in use", s.Overviews, s.Admission.Bytes)
		}
		plain := layer.NewCatalog(layer.CatalogConfig{Gate: admission.New(admission.Config{})})
		err := plain.Add(t.Context(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: rows(), Close: func() error { return nil }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		for size, bytes := range got {
			if string(mustPicture(t, plain, wholeImage(size)).Bytes) != bytes {
				t.Errorf("the picture of %d pixels differs from one of a layer without a bound", size)
			}
		}
	})
}

// A request that waits for longer than the timeout gets the progress and a retry time. The build
// continues, and its overviews are cached.
func TestLongBuildsReportProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := rows()
		source.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
			time.Sleep(time.Duration(len(ids)) * 200 * time.Millisecond)
			return nil
		}
		c := newOverviewCatalog(t, source, nil)
		begun := time.Now()
		err := errorOf(t, c, wholeImage(100))
		if codeOf(err) != layer.Busy || time.Since(begun) != overviewbuild.DefaultTimeout {
			t.Fatalf("after %v got the error %v", time.Since(begun), err)
		}
		var busy *layer.Error
		for percent := -1; ; time.Sleep(busy.RetryAfter) {
			started := time.Now()
			if err := errorOf(t, c, wholeImage(101)); err == nil {
				break
			} else if !errors.As(err, &busy) || time.Since(started) != 0 {
				t.Fatalf("after %v got the error %v", time.Since(started), err)
			}
			var now int
			if _, err := fmt.Sscanf(busy.Message, `the overviews of layer "l" are being built: %d %%`, &now); err != nil || now < percent || now > 100 {
				t.Fatalf("after %d %%: %s", percent, busy.Message)
			}
			percent = now
			if busy.RetryAfter < time.Second || busy.RetryAfter > time.Minute {
				t.Errorf("RetryAfter is %v", busy.RetryAfter)
			}
			if part := c.Stats().Overviews.Building["l"]; int(100*part) != now {
				t.Errorf("the catalog says %v, the error %d %%", part, now)
			}
		}
		if source.BlocksMade() != 1200 {
			t.Errorf("%d strips were read, want 1200", source.BlocksMade())
		}
	})
}

// A failed build is an error, never a blank. Requests get the error for a while; then the build is
// retried.
func TestFailedBuildsAreReportedAndRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, torn := rows(), errors.New("the disk is torn")
		var broken atomic.Bool
		broken.Store(true)
		source.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
			if broken.Load() && ids[len(ids)-1].Row > 700 {
				return torn
			}
			return nil
		}
		c := newOverviewCatalog(t, source, nil)
		for range 5 {
			if err := errorOf(t, c, wholeImage(100)); codeOf(err) != layer.Unavailable || !errors.Is(err, torn) {
				t.Fatalf("got the error %v", err)
			}
		}
		synctest.Wait()
		if s := c.Stats().Overviews; s.Failed != 1 || len(s.Building) != 0 {
			t.Errorf("the builder is %+v", s)
		}
		broken.Store(false)
		if err := errorOf(t, c, wholeImage(100)); !errors.Is(err, torn) {
			t.Errorf("at once, it was tried again: %v", err)
		}
		time.Sleep(time.Minute)
		if p := mustPicture(t, c, wholeImage(100)); p.From != layer.Miss {
			t.Errorf("the picture is a %s", p.From)
		}
	})
}

func TestCloseCancelsBuilds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := rows()
		source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
			<-ctx.Done()
			return ctx.Err()
		}
		c := newOverviewCatalog(t, source, nil)
		result := make(chan error)
		go func() { result <- errorOf(t, c, wholeImage(100)) }()
		synctest.Wait()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := <-result; codeOf(err) != layer.Busy || !strings.Contains(err.Error(), "stopping") {
			t.Errorf("the waiting request got the error %v", err)
		}
		if err := errorOf(t, c, wholeImage(101)); codeOf(err) != layer.Busy {
			t.Errorf("a later request got the error %v", err)
		}
	})
}

// Overviews of a superseded version are useless.
func TestChangedDatasetCancelsItsBuild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		version := 1
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100})})
		err := c.Add(t.Context(), layer.Config{ID: "l", MaxInlineOverviewBytes: 1000, Open: func(context.Context) (*layer.Dataset, error) {
			mine, source := version, rows()
			source.Name = fmt.Sprint("rows@", mine)
			source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
				if mine == 1 {
					<-ctx.Done() // the build of version 1 never ends
				}
				return ctx.Err()
			}
			return &layer.Dataset{Provider: source, Close: func() error { return nil }, IsCurrent: func() bool { return mine == version }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		first := make(chan layer.Picture)
		go func() { first <- mustPicture(t, c, wholeImage(100)) }()
		synctest.Wait()
		time.Sleep(2 * time.Second)
		version = 2
		second := mustPicture(t, c, wholeImage(100))
		if got := <-first; got.Key != second.Key {
			t.Error("the request for the old version did not get the new one")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Overviews that do not fit into the cache are not built over and over.
func TestOverviewsLargerThanTheCache(t *testing.T) {
	c := newOverviewCatalog(t, rows(), func(c *layer.CatalogConfig) { c.Cache = cache.New(1000) })
	if err := errorOf(t, c, wholeImage(100)); codeOf(err) != layer.TooLarge {
		t.Errorf("got the error %v, want %s", err, layer.TooLarge)
	}
	c = newOverviewCatalog(t, rows(), func(c *layer.CatalogConfig) { c.Cache = nil })
	if err := errorOf(t, c, wholeImage(100)); err != nil {
		t.Errorf("without a cache, which bounds nothing, got the error %v", err)
	}
}

func TestBuildsShareThePictureBudget(t *testing.T) {
	c := newOverviewCatalog(t, rows(), func(c *layer.CatalogConfig) { c.Gate = admission.New(admission.Config{Memory: 1 << 20}) })
	if err := errorOf(t, c, wholeImage(100)); codeOf(err) != layer.TooLarge || !errors.Is(err, cache.ErrOverBudget) {
		t.Errorf("got the error %v", err)
	}
}

// Each part of a large picture may need a build.
func TestPicturesOfSeveralParts(t *testing.T) {
	source := &rastertest.Synthetic{
		Name: "wide@1", Has: rastertest.Flat(raster.Uint8, 131072, 3, 3, 4096, 1),
		Sample: func(_, band, x, y int) (float64, bool) { return float64((x/100 + 7*y + band) % 200), true },
	}
	c := newOverviewCatalog(t, source, func(c *layer.CatalogConfig) { c.Cache, c.MaxPixels = cache.New(1200<<10), 1<<20 })
	if err := errorOf(t, c, wholeImage(65536)); err != nil {
		t.Errorf("got the error %v", err)
	}
	if built := c.Stats().Overviews.Built; built < 2 {
		t.Errorf("%d builds sufficed; the test must need several", built)
	}
}

// Jobs of a superseded version do not cancel the builds of the current one.
func TestJobsOfSupersededVersionsDoNotCancelBuilds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		version, opened := 1, 0
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100})})
		err := c.Add(t.Context(), layer.Config{ID: "l", MaxInlineOverviewBytes: 1000, Open: func(context.Context) (*layer.Dataset, error) {
			mine, source := version, rows()
			opened++
			source.Name = fmt.Sprint("rows@", mine)
			source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
				if mine == 1 {
					<-ctx.Done() // the build of version 1 never ends
				}
				time.Sleep(time.Second)
				return ctx.Err()
			}
			return &layer.Dataset{Provider: source, Close: func() error { return nil }, IsCurrent: func() bool { return mine == version }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		picked := wholeImage(100)
		picked.Style.Resampling = resample.Nearest // needs a build of its own
		var wait sync.WaitGroup
		wait.Go(func() { mustPicture(t, c, wholeImage(100)) })
		synctest.Wait()
		for range 4 {
			wait.Go(func() { mustPicture(t, c, picked) })
		}
		synctest.Wait()
		time.Sleep(2 * time.Second)
		version = 2
		mustPicture(t, c, wholeImage(100))
		wait.Wait()
		if s := c.Stats().Overviews; s.Failed != 1 || s.Built != 2 || opened != 2 {
			t.Errorf("the dataset was opened %d times, and the builder is %+v; want 2, and only the build of version 1 to fail", opened, s)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}
