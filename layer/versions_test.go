package layer_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// A changingDataset dataset has versions that the test decides on. The layer may call its methods
// concurrently; the test must not.
type changingDataset struct {
	mu             sync.Mutex // guards the fields below
	version        int
	opened         int // number of calls of open
	err            error
	settling       time.Duration
	sameKeys       bool
	failedByChange int
	changedAt      time.Time
}

func (c *changingDataset) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

func (c *changingDataset) open(context.Context) (*layer.Dataset, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opened++; c.err != nil {
		return nil, c.err
	}
	mine := c.version
	source := gradient()
	source.Has.Levels = rastertest.Flat(raster.Uint8, 90, 60, 3, 32, 32).Levels
	if !c.sameKeys {
		source.Name = fmt.Sprint("gradient@", mine)
	}
	source.Sample = func(_, _, _, _ int) (float64, bool) { return float64(mine), true }
	isCurrent := func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return mine == c.version && c.err == nil
	}
	source.Before = func(context.Context, int, []raster.BlockID, []int) error {
		time.Sleep(time.Millisecond)
		if !isCurrent() {
			c.set(func() { c.failedByChange++ })
			return raster.ErrChanged
		}
		return nil
	}
	return &layer.Dataset{
		Provider: source, Close: func() error { return nil }, IsCurrent: isCurrent, ChangedAt: c.changedAt,
		Settle: func(ctx context.Context) error {
			select {
			case <-time.After(c.settling):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		},
	}, nil
}

func newChangingCatalog(t *testing.T, source *changingDataset, blocks *cache.Cache) *layer.Catalog {
	t.Helper()
	c := layer.NewCatalog(layer.CatalogConfig{Cache: blocks, Gate: admission.New(admission.Config{Cheap: 100, Dear: 100, Queue: 100})})
	if err := c.Add(t.Context(), layer.Config{ID: "l", Open: source.open}); err != nil {
		t.Fatal(err)
	}
	return c
}

func previewOf(size int) layer.Request {
	return layer.Request{Area: areas.Preview{MaxSize: size}}
}

// After the next check, requests for a removed dataset fail, and cached pictures of it are not
// shown. It may return.
func TestRemovedDataset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1}
		c := newChangingCatalog(t, source, cache.New(64<<20))
		first := mustPicture(t, c, previewOf(50)).Key
		source.set(func() { source.err = fmt.Errorf("opening: %w", fs.ErrNotExist) })
		time.Sleep(2 * time.Second)
		for range 3 {
			var coded *layer.Error
			if _, err := prepare(c, previewOf(50)); !errors.As(err, &coded) || coded.Code != layer.NotFound {
				t.Errorf("got %v, want %v", err, layer.NotFound)
			}
			if _, err := c.Statistics(t.Context(), layerOf(t, c, "l"), style.Style{}); !errors.As(err, &coded) || coded.Code != layer.NotFound {
				t.Errorf("statistics: got %v, want %v", err, layer.NotFound)
			}
		}
		if got := source.opened; got != 2 {
			t.Errorf("it was opened %d times, want 2: once at the start and once in a second", got)
		}
		source.set(func() { source.err = nil })
		time.Sleep(2 * time.Second)
		if got := mustPicture(t, c, previewOf(50)).Key; got != first {
			t.Errorf("after its return, the picture is %s, want %s", got, first)
		}
	})
}

// A changed dataset that cannot be opened is reported once per distinct error, and the current
// version stays.
func TestReopenErrorsAreReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1}
		var reported []string
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 100, Dear: 100, Queue: 100})})
		report := func(err error) { reported = append(reported, err.Error()) }
		if err := c.Add(t.Context(), layer.Config{ID: "l", Open: source.open, OnReopenError: report}); err != nil {
			t.Fatal(err)
		}
		mustPicture(t, c, previewOf(50))
		for _, reason := range []string{"it is junk", "it is junk", "it is cut"} {
			source.set(func() { source.err = errors.New(reason) })
			time.Sleep(2 * time.Second)
			mustPicture(t, c, previewOf(50))
		}
		if got, want := fmt.Sprint(reported), "[opening: it is junk opening: it is cut]"; got != want {
			t.Errorf("reported %s, want %s", got, want)
		}
	})
}

// Concurrent requests that find a changed dataset share one opening.
func TestConcurrentRequestsShareOneOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1, settling: 300 * time.Millisecond}
		c := newChangingCatalog(t, source, nil)
		source.set(func() { source.version = 2 })
		const callers = 10
		began := time.Now()
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() { mustPicture(t, c, previewOf(50+i)) })
		}
		all.Wait()
		if source.opened != 2 || source.failedByChange == 0 {
			t.Errorf("opened %d times after %d failures, want 2", source.opened, source.failedByChange)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v: openings waited for each other", took)
		}

		source.set(func() { source.version, source.err = 3, errors.New("half written") })
		for i := range callers {
			all.Go(func() {
				j := mustPrepare(t, c, previewOf(100+i))
				if _, err := j.Picture(t.Context()); err == nil {
					t.Error("a picture was rendered")
				}
			})
		}
		all.Wait()
		if source.opened != 3 {
			t.Errorf("opened %d times, want 3: waiting requests share the error", source.opened)
		}
	})
}

// A request that waits for a version may be canceled; the others get the version.
func TestCanceledWaitForAnOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1, settling: time.Second / 2}
		c := newChangingCatalog(t, source, cache.New(64<<20))
		source.set(func() { source.version = 2 })
		var all sync.WaitGroup
		for i := range 3 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
				ctx, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer leave()
				if _, err := mustPrepare(t, c, previewOf(50+i)).Picture(ctx); err == nil && i > 0 {
					t.Error("a picture was rendered within 100 ms")
				}
			})
		}
		all.Go(func() {
			time.Sleep(50 * time.Millisecond)
			mustPicture(t, c, previewOf(70))
		})
		all.Wait()
		if source.opened != 2 {
			t.Errorf("opened %d times, want 2", source.opened)
		}
	})
}

// A changed dataset of the same key gets none of the pixels cached under it.
func TestVersionsOfTheSameKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1, sameKeys: true}
		c := newChangingCatalog(t, source, cache.New(64<<20))
		tags := make(map[string]bool)
		for version := 1; version <= 4; version++ {
			source.set(func() { source.version = version })
			time.Sleep(2 * time.Second)
			p := mustPicture(t, c, previewOf(50))
			tags[p.Key] = true
			if p.From != layer.Miss {
				t.Errorf("version %d is a %s", version, p.From)
			}
		}
		if len(tags) != 4 {
			t.Errorf("four versions have the keys %v", tags)
		}
	})
}

// A panic while the next version is opened is an error like any other: it ends no process, and the
// version before stays.
func TestAPanicWhileAFileIsReopened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reported []error
		source := &changingDataset{version: 1}
		open := func(ctx context.Context) (*layer.Dataset, error) {
			if source.version > 1 {
				panic("a bad file")
			}
			return source.open(ctx)
		}
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20)})
		if err := c.Add(t.Context(), layer.Config{ID: "l", Open: open, OnReopenError: func(err error) { reported = append(reported, err) }}); err != nil {
			t.Fatal(err)
		}
		before := mustPicture(t, c, previewOf(50))
		source.set(func() { source.version = 2 })
		for range 3 {
			time.Sleep(2 * time.Second)
			if got := mustPicture(t, c, previewOf(50)); got.Key != before.Key {
				t.Errorf("the picture is %s, want %s", got.Key, before.Key)
			}
		}
		if panicked := new(cache.PanicError); len(reported) != 1 || !errors.As(reported[0], &panicked) || len(panicked.Stack) == 0 {
			t.Errorf("%v was reported, want the panic once", reported)
		}
	})
}

// Whether a file may still be written to follows from what the server saw. The clock of the machine that
// writes may be wrong; it is believed for a file that the server has not seen before, if that is old.
func TestPicturesOfAFileThatWasSeenToChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const still = 10 * time.Second
		for name, test := range map[string]struct {
			age   time.Duration // of the file, by the clock of who wrote it
			isOld bool          // when it is opened first
		}{
			"old": {time.Hour, true}, "of a moment ago": {time.Second, false}, "of a clock that is behind": {5 * time.Minute, false},
			"of a clock that is ahead": {-time.Hour, false}, "complete when it appeared": {},
		} {
			source := &changingDataset{version: 1}
			appearsComplete := test.age == 0
			if !appearsComplete {
				source.changedAt = time.Now().Add(-test.age)
			}
			c := newChangingCatalog(t, source, cache.New(64<<20))
			check := func(when string, want bool) {
				t.Helper()
				if got := mustPicture(t, c, previewOf(50)).MayBeUnfinished; got != want {
					t.Errorf("a file %s, %s, may be unfinished: %v", name, when, got)
				}
			}
			check("just opened", !test.isOld && !appearsComplete)
			time.Sleep(still)
			check("left alone", false)
			source.set(func() { source.version++ })
			time.Sleep(2 * time.Second)
			check("just changed", !appearsComplete)
			time.Sleep(still)
			check("left alone after its change", false)
		}
	})
}
