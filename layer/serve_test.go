package layer_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/display"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/style"
)

func mustOpen(t *testing.T, c *layer.Catalog, config layer.Config) *layer.Layer {
	t.Helper()
	l, err := c.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func mustServe(t *testing.T, c *layer.Catalog, layers ...*layer.Layer) {
	t.Helper()
	if err := c.Serve(layers); err != nil {
		t.Fatal(err)
	}
}

// gradientConfig configures a layer that counts how often it is opened.
func gradientConfig(id string, opened *int) layer.Config {
	return layer.Config{ID: id, Open: func(context.Context) (*layer.Dataset, error) {
		*opened++
		source := gradient()
		source.Name = id + "@1"
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}}
}

func TestServeReplacesAllLayersAtOnce(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	opened := 0
	a, b := mustOpen(t, c, gradientConfig("a", &opened)), mustOpen(t, c, gradientConfig("b", &opened))
	if _, err := c.Layer("a"); codeOf(err) != layer.NotFound {
		t.Errorf("a layer is found before Serve: %v", err)
	}
	mustServe(t, c, b, a)
	if err := c.Serve([]*layer.Layer{a, b, a}); err == nil {
		t.Error("two layers are served under one id")
	}
	if got := c.Layers(); !slices.Equal(got, []*layer.Layer{b, a}) {
		t.Errorf("serving %v after a rejected list", got)
	}
	if err := c.Add(t.Context(), gradientConfig("a", &opened)); err == nil || opened != 2 {
		t.Errorf("a duplicate id: %v after %d openings", err, opened)
	}
	if err := c.Add(t.Context(), gradientConfig("c", &opened)); err != nil || len(c.Layers()) != 3 {
		t.Errorf("%v, %d layers", err, len(c.Layers()))
	}
	mustServe(t, c, a)
	if _, err := c.Layer("b"); codeOf(err) != layer.NotFound {
		t.Errorf("a removed layer is found: %v", err)
	}
	if got := c.Stats().Layers; got != 1 {
		t.Errorf("%d layers are counted, want 1", got)
	}
}

// A request that has found its layer is answered even if the layer is removed.
func TestRequestsToRemovedLayersFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, hold := gradient(), make(chan struct{})
		source.Before = func(context.Context, int, []raster.BlockID, []int) error { <-hold; return nil }
		closed := false
		c := layer.NewCatalog(layer.CatalogConfig{})
		err := c.Add(t.Context(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: source, Close: func() error { closed = true; return nil }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		composition := mustPrepare(t, c, previewOf(50))
		var asking sync.WaitGroup
		asking.Go(func() {
			if _, err := composition.Picture(t.Context()); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		mustServe(t, c)
		if closed {
			t.Error("the dataset is closed under a request")
		}
		close(hold)
		asking.Wait()
		if _, err := composition.Picture(t.Context()); err != nil {
			t.Errorf("the same composition, later: %v", err)
		}
	})
}

func TestChangedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1}
		c := newChangingCatalog(t, source, nil)
		l, opened := c.Layers()[0], 0
		last := c.ChangedAt()
		expect := func(what string, changed bool) {
			t.Helper()
			now := c.ChangedAt()
			if changed != now.After(last) || now.Before(last) || now.After(time.Now().Add(time.Microsecond)) {
				t.Errorf("%s: it changed at %v, before that at %v", what, now, last)
			}
			last = now
			time.Sleep(2 * time.Second)
		}
		expect("nothing", false)
		mustPicture(t, c, previewOf(50))
		expect("a picture", false)
		mustServe(t, c, l)
		expect("the same layers", false)
		other := mustOpen(t, c, gradientConfig("other", &opened))
		expect("a layer that is not served", false)
		mustServe(t, c, l, other)
		expect("a new layer", true)
		mustServe(t, c, other, l)
		expect("another order", true)
		source.set(func() { source.version = 2 })
		mustPicture(t, c, previewOf(50))
		expect("a new version of a file", true)
		source.set(func() { source.err = fmt.Errorf("opening: %w", fs.ErrNotExist) })
		l.Describe()
		expect("a file that is gone", true)
		l.Describe()
		expect("a file that stays away", false)
		source.set(func() { source.err = nil })
		l.Describe()
		expect("a file that is back", true)
		mustServe(t, c, other)
		expect("a layer less", true)
	})
}

// Changes at the same clock time have different times.
func TestChangesAreInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock stands still
		c := layer.NewCatalog(layer.CatalogConfig{})
		opened := 0
		l := mustOpen(t, c, gradientConfig("l", &opened))
		for last, i := c.ChangedAt(), 0; i < 10; i++ {
			mustServe(t, c, []*layer.Layer{l}[:(i+1)%2]...)
			now := c.ChangedAt()
			if !now.After(last) {
				t.Fatalf("change %d is at %v, after %v", i, now, last)
			}
			last = now
		}
	})
}

// A rebuilt layer reads no pixels again and opens no file.
func TestRebuiltLayers(t *testing.T) {
	source := gradient()
	opened := 0
	open := func(context.Context) (*layer.Dataset, error) {
		opened++
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20)})
	before := mustOpen(t, c, layer.Config{ID: "l", Open: open})
	mustServe(t, c, before)
	first := mustPicture(t, c, previewOf(300))
	calls := source.Calls()

	own := geo.WebMercatorQuad()
	set := *own
	set.ID = "Own"
	after, err := c.Rebuild(before, layer.Config{
		ID: "l", Title: "After", Abstract: "More", Attribution: "Us", Empty: layer.EmptyNotFound, Open: open,
		Styles: []style.Named{{Name: "gray"}}, TileSets: []*geo.TileMatrixSet{&set},
	})
	if err != nil {
		t.Fatal(err)
	}
	if l := c.Layers()[0]; l != before || l.Title() != "l" {
		t.Errorf("layer %q is served before Serve", l.Title())
	}
	mustServe(t, c, after)
	if l := c.Layers()[0]; l.Title() != "After" || l.Abstract() != "More" || l.Attribution() != "Us" || l.Empty() != layer.EmptyNotFound || len(l.Styles()) != 2 {
		t.Errorf("layer %q, %q, %q, %v with %d styles", l.Title(), l.Abstract(), l.Attribution(), l.Empty(), len(l.Styles()))
	}
	again := mustPicture(t, c, previewOf(300))
	if again.Key != first.Key || again.From != layer.Hit || source.Calls() != calls || opened != 1 {
		t.Errorf("a %s after %d more calls and %d openings, with another key: %v", again.From, source.Calls()-calls, opened, again.Key != first.Key)
	}
	for name, config := range map[string]layer.Config{
		"another id":      {ID: "m", Open: open},
		"a style twice":   {ID: "l", Open: open, Styles: []style.Named{{Name: "a"}, {Name: "a"}}},
		"a set of others": {ID: "l", Open: open, TileSets: []*geo.TileMatrixSet{own}},
	} {
		if _, err := c.Rebuild(after, config); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// The build for a removed layer is canceled, and waiting requests may be retried.
func TestRemovedLayersCancelBuilds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := rows()
		var ended atomic.Int64
		source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
			<-ctx.Done()
			ended.Add(1)
			return context.Cause(ctx)
		}
		c := newOverviewCatalog(t, source, nil)
		composition := mustPrepare(t, c, wholeImage(100))
		var asking sync.WaitGroup
		asking.Go(func() {
			if _, err := composition.Picture(t.Context()); codeOf(err) != layer.Busy {
				t.Errorf("the waiting request got %v, want %v", err, layer.Busy)
			}
		})
		synctest.Wait()
		mustServe(t, c)
		synctest.Wait()
		if s := c.Stats().Overviews; ended.Load() == 0 || len(s.Building) != 0 || s.Failed != 0 {
			t.Errorf("after %d canceled calls, the builder is %+v", ended.Load(), s)
		}
		asking.Wait()
		before := source.Calls()
		if _, err := composition.Picture(t.Context()); codeOf(err) != layer.Busy || source.Calls() != before {
			t.Errorf("a late request got %v and started %d builds", err, source.Calls()-before)
		}
	})
}

// A layer that is served again after its removal has its overviews built.
func TestBuildsForALayerServedAgain(t *testing.T) {
	c := newOverviewCatalog(t, rows(), nil)
	l := c.Layers()[0]
	mustServe(t, c)
	mustServe(t, c, l)
	mustPicture(t, c, wholeImage(100))
	if s := c.Stats().Overviews; s.Built != 1 {
		t.Errorf("got %d builds, want 1", s.Built)
	}
}

// A rebuilt layer shares the running build of its predecessor.
func TestBuildsOutliveRebuilding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, hold := rows(), make(chan struct{})
		source.Before = func(context.Context, int, []raster.BlockID, []int) error { <-hold; return nil }
		c := newOverviewCatalog(t, source, nil)
		var asking sync.WaitGroup
		asking.Go(func() { mustPicture(t, c, wholeImage(100)) })
		synctest.Wait()
		rebuilt, err := c.Rebuild(c.Layers()[0], layer.Config{ID: "l", Title: "New", MaxInlineOverviewBytes: 1000})
		if err != nil {
			t.Fatal(err)
		}
		mustServe(t, c, rebuilt)
		asking.Go(func() { mustPicture(t, c, wholeImage(101)) })
		synctest.Wait()
		close(hold)
		asking.Wait()
		if s := c.Stats().Overviews; s.Built != 1 || source.BlocksMade() != 1200 {
			t.Errorf("%d builds read %d strips, want one of 1200", s.Built, source.BlocksMade())
		}
	})
}

// A dataset that is opened later under an id may have the key of the previous one. It gets the
// cached pixels of that one only if both are known to be the same.
func TestReturningDatasets(t *testing.T) {
	for _, test := range []struct {
		name, before, after string
		same                bool
	}{
		{"known to be the same", "x", "x", true},
		{"known to be another", "x", "y", false},
		{"not known", "", "", false},
	} {
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20)})
		var tags []string
		for round, identity := range []string{test.before, test.after, test.after} {
			source := gradient()
			l := mustOpen(t, c, layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
				return &layer.Dataset{Provider: source, Identity: identity, Close: func() error { return nil }}, nil
			}})
			mustServe(t, c, l)
			tags = append(tags, mustPicture(t, c, previewOf(50)).Key)
			if round == 0 {
				mustServe(t, c) // removed before the second one is opened
			}
		}
		if same := tags[0] == tags[1]; same != test.same {
			t.Errorf("%s: the keys are %q", test.name, tags)
		}
		if same := tags[1] == tags[2]; same != (test.after != "") {
			t.Errorf("%s, taking its place: the keys are %q", test.name, tags)
		}
	}
}

func TestUnsupportedStyles(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	opened := 0
	config := gradientConfig("l", &opened)
	config.Styles = []style.Named{{Name: "odd", Style: style.Style{}}}
	config.Styles[0].Style.Bands = []int{7}
	l := mustOpen(t, c, config)
	var coded *layer.Error
	if err := l.CheckStyles(); !errors.As(err, &coded) || coded.Code != layer.Invalid {
		t.Errorf("got %v", err)
	}
	config.Styles = nil
	if err := mustOpen(t, c, config).CheckStyles(); err != nil {
		t.Error(err)
	}
}

// Readers see one set of layers or the other while the catalog changes.
func TestConcurrentReadersOfAChangingCatalog(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	opened := 0
	var all []*layer.Layer
	for i := range 6 {
		all = append(all, mustOpen(t, c, gradientConfig(fmt.Sprint("l", i), &opened)))
	}
	mustServe(t, c, all[:3]...)
	done := make(chan struct{})
	var reading sync.WaitGroup
	for range 4 {
		reading.Go(func() {
			for last := c.ChangedAt(); ; {
				select {
				case <-done:
					return
				default:
				}
				if layers := c.Layers(); len(layers) != 3 || layers[0] != all[0] && layers[0] != all[3] || layers[0] == all[0] && layers[2] != all[2] {
					t.Errorf("%d layers of both sets", len(layers))
					return
				}
				if now := c.ChangedAt(); now.Before(last) {
					t.Error("the time of the last change decreases")
				} else {
					last = now
				}
			}
		})
	}
	for i := range 200 {
		mustServe(t, c, all[3*(i%2):][:3]...)
	}
	close(done)
	reading.Wait()
}

// Files are closed by the garbage collector, so caches must not reference the dataset of a removed
// layer.
func TestRemovedLayersAreCollected(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100})})
	released := make(chan struct{})
	serveAndRemove := func() {
		source := gradient()
		runtime.AddCleanup(source, func(released chan struct{}) { close(released) }, released)
		l := mustOpen(t, c, layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
		}})
		mustServe(t, c, l)
		request := previewOf(50)
		request.Style.Stretch.Kind = display.MinMax
		mustPicture(t, c, request)
		mustServe(t, c)
	}
	serveAndRemove()
	for range 500 {
		runtime.GC()
		select {
		case <-released:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Errorf("something references the removed layer: %+v", c.Stats())
}

// Discard closes datasets that were never served, except those shared with served layers.
func TestDiscardedLayers(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	closed := make(map[string]int)
	open := func(id string) *layer.Layer {
		config := anyImage(id, id+"@1", "")
		inner := config.Open
		config.Open = func(ctx context.Context) (*layer.Dataset, error) {
			d, err := inner(ctx)
			d.Close = func() error { closed[id]++; return errors.New("cannot close " + id) }
			return d, err
		}
		return mustOpen(t, c, config)
	}
	served, removed, never := open("served"), open("removed"), open("never")
	mustServe(t, c, served, removed)
	mustServe(t, c, served)
	rebuilt, err := c.Rebuild(served, layer.Config{ID: "served"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Discard(rebuilt, removed, never); err == nil || err.Error() != "cannot close never" {
		t.Errorf("got the error %v", err)
	}
	if len(closed) != 1 || closed["never"] != 1 {
		t.Errorf("closed: %v", closed)
	}
}
