package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/config"
	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// libraryTest is a folder and a library that serves it. A fake opens the files and counts.
type libraryTest struct {
	*library
	t       *testing.T
	folder  string
	log     *lockedBuffer
	signals chan os.Signal
	reload  func(context.Context) error

	mu           sync.Mutex // guards the fields below
	opened       map[string]int
	broken       map[string]error
	closed       map[string]int
	took         time.Duration
	atOnce, most int
}

func newLibraryTest(t *testing.T, files ...string) *libraryTest {
	s := &libraryTest{
		t: t, folder: t.TempDir(), log: new(lockedBuffer), signals: make(chan os.Signal, 1),
		opened: make(map[string]int), broken: make(map[string]error), closed: make(map[string]int),
	}
	s.library = newLibrary(layer.NewCatalog(layer.CatalogConfig{}), s.layerOf, isRaster, slog.New(slog.NewTextHandler(s.log, nil)))
	for _, name := range files {
		s.put(name, time.Hour)
	}
	return s
}

func (s *libraryTest) layerOf(a dataset.Address, id string, _ int) layer.Config {
	return layer.Config{ID: id, Open: func(context.Context) (*layer.Dataset, error) {
		name, _ := filepath.Rel(s.folder, a.Path)
		name = filepath.ToSlash(name)
		defer s.opening(name)()
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.broken[name]; err != nil {
			return nil, err
		}
		if _, err := os.Stat(a.Path); err != nil {
			return nil, err
		}
		source := &rastertest.Synthetic{Name: id + "@1", Has: rastertest.Flat(raster.Uint8, 33, 21, 3, 32, 32)}
		return &layer.Dataset{Provider: source, Close: func() error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.closed[name]++
			return nil
		}}, nil
	}}
}

// opening counts a file that is being opened, until the returned function is called.
func (s *libraryTest) opening(name string) (end func()) {
	s.mu.Lock()
	s.opened[name]++
	s.atOnce++
	s.most = max(s.most, s.atOnce)
	took := s.took
	s.mu.Unlock()
	time.Sleep(took)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.atOnce--
	}
}

func (s *libraryTest) times(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened[name]
}

func (s *libraryTest) breakFile(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken[name] = err
}

// put writes a file with a modification time some time ago, in the time of the test.
func (s *libraryTest) put(name string, ago time.Duration) {
	s.t.Helper()
	path := writeFile(s.t, s.folder, name+".part", "made up")
	then := time.Now().Add(-ago)
	if err := errors.Join(os.Chtimes(path, then, then), os.Rename(path, s.path(name))); err != nil {
		s.t.Fatal(err)
	}
}

func (s *libraryTest) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.folder, filepath.FromSlash(name))); err != nil {
		s.t.Fatal(err)
	}
}

func (s *libraryTest) config(layers ...config.Layer) config.Config {
	c := config.Default()
	c.Paths, c.Layers = []string{s.folder}, layers
	return c
}

func (s *libraryTest) path(name string) string {
	return filepath.Join(s.folder, filepath.FromSlash(name))
}

func (s *libraryTest) mustStart(c config.Config) {
	s.t.Helper()
	if err := s.start(s.t.Context(), c); err != nil {
		s.t.Fatal(err)
	}
}

// keepWatching watches until the returned function is called.
func (s *libraryTest) keepWatching() (stop func()) {
	ctx, cancel := context.WithCancel(s.t.Context())
	var watching sync.WaitGroup
	watching.Go(func() {
		s.watch(ctx, s.signals, func(ctx context.Context) {
			if err := s.reload(ctx); err != nil {
				s.t.Error(err)
			}
		})
	})
	return func() {
		cancel()
		watching.Wait()
	}
}

// wait waits a little longer than a duration, so that the work due then is done.
func wait(duration time.Duration) {
	time.Sleep(duration + time.Millisecond)
	synctest.Wait()
}

// wantServed checks the layers that requests find.
func (s *libraryTest) wantServed(when, want string) {
	s.t.Helper()
	var ids []string
	for _, l := range s.catalog.Layers() {
		ids = append(ids, l.ID())
	}
	if got := strings.Join(ids, " "); got != want {
		s.t.Errorf("%s: layers %q, want %q", when, got, want)
	}
}

func TestFilesComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "b.tif")
		s.mustStart(s.config())
		defer s.keepWatching()()
		s.wantServed("at the start", "b")
		s.put("deep/c.tif", 0)
		s.put("a.tif", 0)
		s.put("notes.txt", 0)
		time.Sleep(config.DefaultRescan / 2)
		s.wantServed("before anybody looks", "b")
		wait(config.DefaultRescan)
		s.wantServed("with new files", "a b deep-c")
		s.remove("deep")
		s.remove("b.tif")
		wait(config.DefaultRescan)
		s.wantServed("without some", "a")
		s.put("b.tif", 0)
		time.Sleep(2 * config.DefaultRescan)
		s.wantServed("with one that is back", "a b")
		for name, want := range map[string]int{"a.tif": 1, "b.tif": 2, "deep/c.tif": 1} {
			if got := s.times(name); got != want {
				t.Errorf("%s was opened %d times, want %d", name, got, want)
			}
		}
		for _, want := range []string{`msg="layer added" layer=a `, `msg="layer removed" layer=deep-c `, `msg="layer removed" layer=b `, `msg="layer added" layer=b `} {
			if strings.Count(s.log.String(), want) != 1 {
				t.Errorf("the log does not have %q once: %s", want, s.log)
			}
		}
	})
}

// A file is not opened while it is being written, however long that takes, but soon after.
func TestAFileIsNotOpenedWhileWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		s.mustStart(s.config())
		defer s.keepWatching()()
		for range 40 {
			s.put("slow.tif", 0)
			time.Sleep(time.Second)
		}
		if got := s.times("slow.tif"); got != 0 {
			t.Errorf("it was opened %d times while it was written", got)
		}
		time.Sleep(2 * settleTime)
		s.wantServed("soon after it was written", "a slow")
		s.put("future.tif", -24*time.Hour) // the clock of the writing machine is wrong
		time.Sleep(config.DefaultRescan + 2*settleTime)
		s.wantServed("with one of tomorrow", "a future slow")
	})
}

func TestFoldersAreNotScannedWithoutRescan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		c := s.config()
		c.Rescan = 0
		s.mustStart(c)
		s.reload = func(ctx context.Context) error { return s.apply(ctx, c) }
		defer s.keepWatching()()
		s.put("b.tif", 0)
		time.Sleep(24 * time.Hour)
		s.wantServed("after a day", "a")
		s.put("c.tif", 0)
		s.signals <- os.Interrupt
		synctest.Wait()
		s.wantServed("after a signal", "a b")
		wait(settleTime)
		s.wantServed("when the last file has settled", "a b c")
	})
}

func TestAnIDLeadsToOneFileOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "sub/a.tif")
		s.mustStart(s.config())
		stop := s.keepWatching()
		s.wantServed("at the start", "a sub-a")
		s.put("a.tiff", time.Hour)
		wait(config.DefaultRescan)
		s.wantServed("with another file of the name", "a a-tiff sub-a")
		s.remove("a.tif")
		s.put("A.tif", time.Hour)
		wait(config.DefaultRescan)
		s.wantServed("without the first one", "A a-tiff sub-a")
		s.put("a.tif", time.Hour)
		wait(config.DefaultRescan + settleTime)
		s.wantServed("with the first one back", "A a a-tiff sub-a")
		stop()
		s.library = newLibrary(layer.NewCatalog(layer.CatalogConfig{}), s.layerOf, isRaster, s.logger)
		s.mustStart(s.config())
		s.wantServed("after a restart", "A a-tif a-tiff sub-a")
	})
}

func TestAFailedFileIsRetriedWhenItChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "junk.tif")
		s.breakFile("junk.tif", errors.New("it is junk"))
		s.mustStart(s.config())
		defer s.keepWatching()()
		time.Sleep(retryInterval / 2)
		if got := s.times("junk.tif"); got != 1 {
			t.Errorf("it was opened %d times, want once", got)
		}
		s.put("junk.tif", 0)
		time.Sleep(2 * config.DefaultRescan)
		s.breakFile("junk.tif", errors.New("it is cut"))
		s.put("junk.tif", 0)
		time.Sleep(2 * config.DefaultRescan)
		if got := s.times("junk.tif"); got != 3 {
			t.Errorf("it was opened %d times, want once for each change", got)
		}
		s.wantServed("while it is broken", "a")
		for _, want := range []string{"it is junk", "it is cut"} {
			if strings.Count(s.log.String(), want) != 1 {
				t.Errorf("the log does not have %q once: %s", want, s.log)
			}
		}
		s.breakFile("junk.tif", nil) // as after a network failure
		time.Sleep(retryInterval + 2*config.DefaultRescan)
		s.wantServed("after a while", "a junk")
	})
}

func TestManyFilesOpenInParallelWhileServing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const files, each = 400, 100 * time.Millisecond
		s := newLibraryTest(t)
		s.took = each
		for i := range files {
			s.put(fmt.Sprintf("%03d.tif", i), time.Hour)
		}
		began := time.Now()
		s.mustStart(s.config())
		if took := time.Since(began); took < maxStartWait || took > maxStartWait+time.Second {
			t.Errorf("the start took %v, want %v", took, maxStartWait)
		}
		if n := len(s.catalog.Layers()); n < 100 || n > files*3/4 || s.ready() == nil {
			t.Errorf("after %v, %d layers are served, and the server says that it is ready: %v", time.Since(began), n, s.ready())
		}
		defer s.keepWatching()()
		for n := 0; n < files; time.Sleep(each) {
			now := len(s.catalog.Layers())
			if now < n || time.Since(began) > files*each {
				t.Fatalf("after %v, %d layers are served, after %d", time.Since(began), now, n)
			}
			n = now
		}
		if err := s.ready(); err != nil || s.most != maxParallelOpens {
			t.Errorf("it is ready: %v; %d files were opened at a time, want %d", err, s.most, maxParallelOpens)
		}
	})
}

// A panic while a file is opened does not end the server.
func TestAFileThatPanicsIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "b.tif")
		layerOf := s.library.layerOf
		s.library.layerOf = func(a dataset.Address, id string, quality int) layer.Config {
			c := layerOf(a, id, quality)
			if id == "a" {
				c.Open = func(context.Context) (*layer.Dataset, error) { panic("out of range") }
			}
			return c
		}
		s.mustStart(s.config())
		s.wantServed("all the same", "b")
		if !strings.Contains(s.log.String(), "out of range") {
			t.Errorf("the log says nothing of it: %s", s.log)
		}
	})
}

func TestLayersOfAnUnreadableFolderRemain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "in/a.tif", "in/deep/b.tif")
		c := s.config()
		c.Paths = []string{s.path("in")}
		s.mustStart(c)
		defer s.keepWatching()()
		if err := os.Rename(s.path("in"), s.path("away")); err != nil {
			t.Fatal(err)
		}
		writeFile(t, s.folder, "in", "no folder any more")
		time.Sleep(5 * config.DefaultRescan)
		s.wantServed("while there is no saying what is in it", "a deep-b")
		if got := strings.Count(s.log.String(), "cannot read folder"); got != 1 {
			t.Errorf("it was logged %d times: %s", got, s.log)
		}
		s.remove("in")
		wait(config.DefaultRescan)
		s.wantServed("when it is gone", "")
	})
}

func TestAnEmptyFolderIsWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t)
		s.mustStart(s.config())
		defer s.keepWatching()()
		if !strings.Contains(s.log.String(), "nothing to serve yet") {
			t.Errorf("the log says %s", s.log)
		}
		s.put("a.tif", 0)
		time.Sleep(2 * config.DefaultRescan)
		s.wantServed("later", "a")
	})
}

func TestAnUnchangedLayerIsNotRebuilt(t *testing.T) {
	s := newLibraryTest(t, "a.tif", "b.tif", "c.tif")
	colors := func() any { return map[any]any{1: map[string]any{"color": "#ff0000", "label": "One"}} }
	own := config.Layer{ID: "mine", Path: s.path("a.tif"), Style: config.Style{Bidx: []int{1}, Colormap: colors()}}
	other := config.Layer{ID: "other", Path: s.path("b.tif"), Title: "Before"}
	s.mustStart(s.config(own, other))
	s.wantServed("at the start", "mine other c")
	before := s.catalog.Layers()
	own.Colormap, other.Title = colors(), "After"
	if err := s.apply(t.Context(), s.config(own, other)); err != nil {
		t.Fatal(err)
	}
	after := s.catalog.Layers()
	if before[0] != after[0] || before[1] == after[1] || before[2] != after[2] || after[1].Title() != "After" {
		t.Errorf("of %v came %v, want the second one to be another", before, after)
	}
	c := s.config(other)
	c.Styles = []config.NamedStyle{{Name: "gray", Style: config.Style{Bidx: []int{1}}}}
	if err := s.apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	s.openReady(t.Context())
	s.wantServed("with a layer less", "other a c")
	for _, l := range s.catalog.Layers() {
		if _, err := l.Style("gray"); err != nil {
			t.Errorf("layer %q: %v", l.ID(), err)
		}
	}
	for name, want := range map[string]int{"a.tif": 2, "b.tif": 1, "c.tif": 1} {
		if got := s.times(name); got != want {
			t.Errorf("%s was opened %d times, want %d", name, got, want)
		}
	}
}

func TestAnInvalidConfigurationChangesNothing(t *testing.T) {
	s := newLibraryTest(t, "a.tif", "b.tif", "junk.tif")
	s.breakFile("junk.tif", errors.New("it is junk"))
	own := config.Layer{ID: "mine", Path: s.path("a.tif")}
	s.mustStart(s.config(own))
	before := s.catalog.Layers()
	changedAt := s.catalog.ChangedAt()
	for name, change := range map[string]func(*config.Config){
		"is the id of": func(c *config.Config) { c.Layers = append(c.Layers, config.Layer{ID: "b", Path: s.path("a.tif")}) },
		"another layer has the id": func(c *config.Config) {
			c.Layers = []config.Layer{{ID: "twice", Path: s.path("a.tif")}, {ID: "twice", Path: s.path("b.tif")}}
		},
		"it is junk": func(c *config.Config) {
			c.Layers = append(c.Layers, config.Layer{ID: "claimed", Path: s.path("junk.tif")})
		},
		"none.tif": func(c *config.Config) { c.Paths = append(c.Paths, s.path("none.tif")) },
		"bidx":     func(c *config.Config) { c.Layers[0].Bidx = []int{0} },
		"band":     func(c *config.Config) { c.Layers[0].Bidx = []int{4} },
		"styles[0]": func(c *config.Config) {
			c.Styles = []config.NamedStyle{{Name: "odd", Style: config.Style{Stretch: "much"}}}
		},
		"tile matrix set":  func(c *config.Config) { c.TileMatrixSets = tileMatrixSets(t, map[string]any{"id": "x"}) },
		"no-such-set.json": func(c *config.Config) { c.TileMatrixSets = tileMatrixSets(t, s.path("no-such-set.json")) },
	} {
		c := s.config(own)
		c.Layers = slices.Clone(c.Layers)
		change(&c)
		if err := s.apply(t.Context(), c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want something about %q", err, name)
		}
	}
	if !slices.Equal(s.catalog.Layers(), before) || !s.catalog.ChangedAt().Equal(changedAt) {
		t.Error("the layers are others")
	}
	s.put("claimed.tif", time.Hour)
	if err := s.apply(t.Context(), s.config(own)); err != nil {
		t.Fatal(err)
	}
	s.openReady(t.Context())
	s.wantServed("when what was wrong is away", "mine b claimed")
}

// tileMatrixSets returns a tile matrix set as the configuration reads it.
func tileMatrixSets(t *testing.T, written any) []config.TileMatrixSet {
	t.Helper()
	sets := make([]config.TileMatrixSet, 1)
	if err := sets[0].UnmarshalValue(written); err != nil {
		t.Fatal(err)
	}
	return sets
}

// Files opened for a rejected configuration are closed, once, and no others.
func TestFilesOfAnInvalidConfigurationAreClosed(t *testing.T) {
	for name, wrong := range map[string]config.Layer{
		"one does not open":       {ID: "wrong", Path: "junk.tif"},
		"one cannot have a style": {ID: "wrong", Path: "b.tif", Style: config.Style{Bidx: []int{4}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newLibraryTest(t, "a.tif", "b.tif", "c.tif", "junk.tif")
			s.breakFile("junk.tif", errors.New("it is junk"))
			own := config.Layer{ID: "mine", Path: s.path("a.tif")}
			right := config.Config{Layers: []config.Layer{own}}
			if err := s.apply(t.Context(), right); err != nil {
				t.Fatal(err)
			}
			wrong.Path = s.path(wrong.Path)
			refused := config.Config{Layers: []config.Layer{own, {ID: "fine", Path: s.path("c.tif")}, wrong}}
			refused.Layers[0].Title = "Another"
			if err := s.apply(t.Context(), refused); err == nil {
				t.Fatal("the configuration was not rejected")
			}
			for _, file := range []string{"b.tif", "c.tif"} {
				if s.closed[file] != s.opened[file] {
					t.Errorf("%s was opened %d times and closed %d times", file, s.opened[file], s.closed[file])
				}
			}
			if s.closed["a.tif"] != 0 || s.opened["c.tif"] != 1 {
				t.Errorf("what is served was closed %d times; %d others were opened", s.closed["a.tif"], s.opened["c.tif"])
			}
		})
	}
}

// nameIn assigns a name to a file that is named itself.
func nameIn(names *ids, a dataset.Address) name {
	names.assign([]origin{originOf(a)})
	return names.assigned[a]
}

// The configuration may move its own ids, but not take the id of another file.
func TestIDsOfTheConfiguration(t *testing.T) {
	given := newIDs()
	a, b := dataset.Address{Path: "/x/a.tif", Number: 1}, dataset.Address{Path: "/y/b.tif", Number: 1}
	given.claim("height", a)
	if err := given.checkClaim("height", b); err != nil {
		t.Errorf("it may not be moved: %v", err)
	}
	given.claim("a", b)
	if got := nameIn(given, a); got.id != "a-tif" {
		t.Errorf("a file gets %q, which is another's", got.id)
	}
	for id, want := range map[string]bool{"a-tif": false, "a": true, "new": true, "a--b": true, "a/b": false, "": false} {
		if err := given.checkClaim(id, b); (err == nil) != want {
			t.Errorf("%q: %v", id, err)
		}
	}
	if err := given.checkClaim("a-tif", a); err != nil {
		t.Errorf("a file may not be given its own id: %v", err)
	}
	if clone := given.clone(); nameIn(clone, b).id != "b" || given.holders["b"] == b {
		t.Error("what is given by a clone is given by the first one")
	}
}
