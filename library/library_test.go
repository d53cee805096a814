package library

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/dataset"
	"tileserver/display"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/source/sourcetest"
	"tileserver/style"
)

// libraryTest is a library that serves a folder of a fake store. A fake opens the files and counts.
type libraryTest struct {
	*Library
	t       *testing.T
	files   *sourcetest.Store
	log     *lockedBuffer
	signals chan os.Signal
	reload  func(context.Context) error

	mu           sync.Mutex // guards the fields below
	opened       map[string]int
	broken       map[string]error
	held         map[string]int // opened and not closed
	took         time.Duration
	atOnce, most int
}

// lockedBuffer is a buffer for a log that is written and read at the same time.
type lockedBuffer struct {
	mu     sync.Mutex // guards the field below
	buffer strings.Builder
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// folder is the folder that is served.
const folder = "/maps"

// rescan is how often the folder is scanned.
const rescan = 10 * time.Second

func newLibraryTest(t *testing.T, files ...string) *libraryTest {
	s := &libraryTest{
		t: t, files: sourcetest.NewStore(), log: new(lockedBuffer), signals: make(chan os.Signal, 1),
		opened: make(map[string]int), broken: make(map[string]error), held: make(map[string]int),
	}
	s.Library = s.newLibrary()
	s.files.MakeFolder(folder)
	for _, name := range files {
		s.put(name, time.Hour)
	}
	return s
}

func (s *libraryTest) newLibrary() *Library {
	return New(Config{
		Catalog: layer.NewCatalog(layer.CatalogConfig{}), Files: s.files, IsRaster: isRaster, Open: s.openImage,
		Logger: slog.New(slog.NewTextHandler(s.log, nil)),
	})
}

// isRaster goes by the extension.
func isRaster(name string) bool {
	return slices.Contains([]string{".tif", ".tiff", ".btf"}, strings.ToLower(filepath.Ext(name)))
}

func (s *libraryTest) openImage(a dataset.Address, options dataset.Options) layer.Open {
	return func(ctx context.Context) (*layer.Dataset, error) {
		name := strings.TrimPrefix(a.Path, folder+"/")
		defer s.opening(name)()
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.broken[name]; err != nil {
			return nil, err
		}
		if _, err := s.files.Stat(ctx, a.Path); err != nil {
			return nil, err
		}
		s.held[name]++
		source := &rastertest.Synthetic{Name: options.ID + "@1", Has: rastertest.Flat(raster.Uint8, 33, 21, 3, 32, 32)}
		return &layer.Dataset{Provider: source, Close: func() error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.held[name]--
			return nil
		}}, nil
	}
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
	s.files.Put(s.path(name), []byte("made up"), ago)
}

func (s *libraryTest) remove(name string) { s.files.Remove(s.path(name)) }

func (s *libraryTest) path(name string) string { return path.Join(folder, name) }

// desire asks for the folder, and for layers with settings.
func desire(layers ...Layer) Desired {
	return Desired{Layers: layers, Paths: []Path{{Text: folder}}, Rescan: rescan}
}

// mine returns a layer with settings for a file in the folder.
func mine(id, name string, settings layer.Config) Layer {
	return Layer{ID: id, Path: path.Join(folder, name), Settings: settings, Written: settings, Place: place(id)}
}

// place is the Place of an entry.
type place string

func (p place) Mistake(key string, err error) error { return fmt.Errorf("%s: %w", p.Of(key), err) }
func (p place) Of(key string) string                { return strings.TrimSuffix(string(p)+"."+key, ".") }

func (s *libraryTest) mustStart(d Desired) {
	s.t.Helper()
	if err := s.Start(s.t.Context(), d); err != nil {
		s.t.Fatal(err)
	}
}

// keepWatching watches until the returned function is called.
func (s *libraryTest) keepWatching() (stop func()) {
	ctx, cancel := context.WithCancel(s.t.Context())
	var watching sync.WaitGroup
	watching.Go(func() {
		s.Watch(ctx, s.signals, func(ctx context.Context) {
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
	for _, l := range s.Catalog.Layers() {
		ids = append(ids, l.ID())
	}
	if got := strings.Join(ids, " "); got != want {
		s.t.Errorf("%s: layers %q, want %q", when, got, want)
	}
}

func TestFilesComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "b.tif")
		s.mustStart(desire())
		defer s.keepWatching()()
		s.wantServed("at the start", "b")
		s.put("deep/c.tif", 0)
		s.put("a.tif", 0)
		s.put("notes.txt", 0)
		time.Sleep(rescan / 2)
		s.wantServed("before anybody looks", "b")
		wait(rescan)
		s.wantServed("with new files", "a b deep-c")
		s.remove("deep")
		s.remove("b.tif")
		wait(rescan)
		s.wantServed("without some", "a")
		s.put("b.tif", 0)
		time.Sleep(2 * rescan)
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
		s.mustStart(desire())
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
		time.Sleep(rescan + 2*settleTime)
		s.wantServed("with one of tomorrow", "a future slow")
	})
}

func TestFoldersAreNotScannedWithoutRescan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		c := desire()
		c.Rescan = 0
		s.mustStart(c)
		s.reload = func(ctx context.Context) error { return s.Apply(ctx, c) }
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

func TestReadinessWaitsForFiles(t *testing.T) {
	s := newLibraryTest(t, "a.tif")
	if err := s.Apply(t.Context(), desire()); err != nil {
		t.Fatal(err)
	}
	if s.Ready() == nil {
		t.Error("it is ready before its file is opened")
	}
	s.mustStart(desire())
	if err := s.Ready(); err != nil || s.Skipped() != 0 {
		t.Errorf("after the start: %v, %d files skipped", err, s.Skipped())
	}
}

func TestAnIDLeadsToOneFileOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "sub/a.tif")
		s.mustStart(desire())
		stop := s.keepWatching()
		s.wantServed("at the start", "a sub-a")
		s.put("a.tiff", time.Hour)
		wait(rescan)
		s.wantServed("with another file of the name", "a a-tiff sub-a")
		s.remove("a.tif")
		s.put("A.tif", time.Hour)
		wait(rescan)
		s.wantServed("without the first one", "A a-tiff sub-a")
		s.put("a.tif", time.Hour)
		wait(rescan + settleTime)
		s.wantServed("with the first one back", "A a a-tiff sub-a")
		stop()
		s.Library = s.newLibrary()
		s.mustStart(desire())
		s.wantServed("after a restart", "A a-tif a-tiff sub-a")
	})
}

func TestAFailedFileIsRetriedWhenItChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "junk.tif")
		s.breakFile("junk.tif", errors.New("it is junk"))
		s.mustStart(desire())
		defer s.keepWatching()()
		time.Sleep(retryInterval / 2)
		if got := s.times("junk.tif"); got != 1 {
			t.Errorf("it was opened %d times, want once", got)
		}
		s.put("junk.tif", 0)
		time.Sleep(2 * rescan)
		s.breakFile("junk.tif", errors.New("it is cut"))
		s.put("junk.tif", 0)
		time.Sleep(2 * rescan)
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
		time.Sleep(retryInterval + 2*rescan)
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
		s.mustStart(desire())
		if took := time.Since(began); took < maxStartWait || took > maxStartWait+time.Second {
			t.Errorf("the start took %v, want %v", took, maxStartWait)
		}
		if n := len(s.Catalog.Layers()); n < 100 || n > files*3/4 || s.Ready() == nil {
			t.Errorf("after %v, %d layers are served, and the server says that it is ready: %v", time.Since(began), n, s.Ready())
		}
		defer s.keepWatching()()
		for n := 0; n < files; time.Sleep(each) {
			now := len(s.Catalog.Layers())
			if now < n || time.Since(began) > files*each {
				t.Fatalf("after %v, %d layers are served, after %d", time.Since(began), now, n)
			}
			n = now
		}
		if err := s.Ready(); err != nil || s.most != maxParallelOpens {
			t.Errorf("it is ready: %v; %d files were opened at a time, want %d", err, s.most, maxParallelOpens)
		}
	})
}

// A panic while a file is opened does not end the server.
func TestAFileThatPanicsIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "b.tif")
		open := s.Library.Open
		s.Library.Open = func(a dataset.Address, options dataset.Options) layer.Open {
			if options.ID == "a" {
				return func(context.Context) (*layer.Dataset, error) { panic("out of range") }
			}
			return open(a, options)
		}
		s.mustStart(desire())
		s.wantServed("all the same", "b")
		if !strings.Contains(s.log.String(), "out of range") {
			t.Errorf("the log says nothing of it: %s", s.log)
		}
	})
}

func TestLayersOfAnUnreadableFolderRemain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "in/a.tif", "in/deep/b.tif")
		c := desire()
		c.Paths = []Path{{Text: s.path("in")}}
		s.mustStart(c)
		defer s.keepWatching()()
		s.files.Fail(s.path("in"), errors.New("no folder any more"))
		time.Sleep(5 * rescan)
		s.wantServed("while there is no saying what is in it", "a deep-b")
		if got := strings.Count(s.log.String(), "cannot read folder"); got != 1 {
			t.Errorf("it was logged %d times: %s", got, s.log)
		}
		s.files.Fail(s.path("in"), nil)
		s.remove("in")
		wait(rescan)
		s.wantServed("when it is gone", "")
	})
}

func TestAnEmptyFolderIsWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t)
		s.mustStart(desire())
		defer s.keepWatching()()
		if !strings.Contains(s.log.String(), "nothing to serve yet") {
			t.Errorf("the log says %s", s.log)
		}
		s.put("a.tif", 0)
		time.Sleep(2 * rescan)
		s.wantServed("later", "a")
	})
}

// bands returns settings that show some bands.
func bands(indexes ...int) layer.Config {
	return layer.Config{Style: style.Style{Spec: display.Spec{Bands: indexes}}}
}

func TestAnUnchangedLayerIsNotRebuilt(t *testing.T) {
	s := newLibraryTest(t, "a.tif", "b.tif", "c.tif")
	own := mine("mine", "a.tif", bands(0))
	other := mine("other", "b.tif", layer.Config{Title: "Before"})
	s.mustStart(desire(own, other))
	s.wantServed("at the start", "mine other c")
	before := s.Catalog.Layers()
	own = mine("mine", "a.tif", bands(0))
	other = mine("other", "b.tif", layer.Config{Title: "After"})
	if err := s.Apply(t.Context(), desire(own, other)); err != nil {
		t.Fatal(err)
	}
	after := s.Catalog.Layers()
	if before[0] != after[0] || before[1] == after[1] || before[2] != after[2] || after[1].Title() != "After" {
		t.Errorf("of %v came %v, want the second one to be another", before, after)
	}
	d := desire(other)
	d.Shared.Styles = []style.Named{{Name: "gray", Style: bands(0).Style}}
	d.Shared.Written = "gray"
	if err := s.Apply(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	s.openReady(t.Context())
	s.wantServed("with a layer less", "other a c")
	for _, l := range s.Catalog.Layers() {
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

// Layers without settings allow what their path says. A change rebuilds them without opening files.
func TestLayersAllowWhatTheirPathSays(t *testing.T) {
	s := newLibraryTest(t, "a.tif", "b.tif")
	d := desire(mine("mine", "a.tif", layer.Config{}))
	d.Paths[0].Access.Strangers.Formats = []string{"png"}
	s.mustStart(d)
	s.wantServed("at the start", "mine b")
	before := s.Catalog.Layers()
	if mine, b := before[0].Access(), before[1].Access(); mine.Strangers.Formats != nil || len(b.Strangers.Formats) != 1 {
		t.Errorf("the layers allow %v and %v", mine, b)
	}
	for _, formats := range [][]string{{"png"}, {"png", "jpg"}} {
		d.Paths = []Path{{Text: folder}}
		d.Paths[0].Access.Strangers.Formats = formats
		if err := s.Apply(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		after := s.Catalog.Layers()
		if isSame := before[1] == after[1]; isSame != (len(formats) == 1) || len(after[1].Access().Strangers.Formats) != len(formats) || before[0] != after[0] {
			t.Errorf("after %v, the layers are the same: %v, %v", formats, before[0] == after[0], isSame)
		}
	}
	if s.times("b.tif") != 1 {
		t.Errorf("b.tif was opened %d times", s.times("b.tif"))
	}
}

// The nearest path that contains a file says what its layer allows, whichever path finds the file.
func TestTheNearestPathSaysWhatALayerAllows(t *testing.T) {
	wide, none := Path{Text: folder}, Path{Text: folder + "/deep/../licensed/"}
	none.Access.Strangers.Formats = []string{}
	file := Path{Text: folder + "/licensed/c.tif"}
	for name, paths := range map[string][]Path{
		"outer first": {wide, none, file}, "inner first": {file, none, wide},
	} {
		t.Run(name, func(t *testing.T) {
			s := newLibraryTest(t, "a.tif", "deep/d.tif", "licensed/b.tif", "licensed/c.tif", "licensed/deep/b.tif", "licensed2/e.tif")
			s.mustStart(Desired{Paths: paths})
			s.wantClosed("licensed/b.tif", "licensed/deep/b.tif")
		})
	}
}

// wantClosed checks that strangers get no format of the layers of some files, and all of others.
func (s *libraryTest) wantClosed(names ...string) {
	s.t.Helper()
	var closed []string
	for _, h := range s.Library.opened {
		if h.layer.Access().Strangers.Formats != nil {
			closed = append(closed, strings.TrimPrefix(h.image.Path, folder+"/"))
		}
	}
	if slices.Sort(closed); !slices.Equal(closed, names) {
		s.t.Errorf("closed to strangers: %q, want %q", closed, names)
	}
}

func TestAnInvalidConfigurationChangesNothing(t *testing.T) {
	s := newLibraryTest(t, "a.tif", "b.tif", "junk.tif")
	s.breakFile("junk.tif", errors.New("it is junk"))
	own := mine("mine", "a.tif", layer.Config{})
	s.mustStart(desire(own))
	before := s.Catalog.Layers()
	changedAt := s.Catalog.ChangedAt()
	plain := layer.Config{}
	for want, d := range map[string]Desired{
		`b.id: "b" is the id of /maps/b.tif`:                      desire(own, mine("b", "a.tif", plain)),
		`twice: another layer has the id`:                         desire(mine("twice", "a.tif", plain), mine("twice", "b.tif", plain)),
		`claimed.path: /maps/junk.tif: it is junk`:                desire(own, mine("claimed", "junk.tif", plain)),
		`gone.path: no such file or folder: /maps/`:               desire(own, mine("gone", "none.tif", plain)),
		`no such file or folder: /maps/none.tif`:                  {Layers: []Layer{own}, Paths: []Path{{Text: "/maps/none.tif"}}},
		`third: no such file or folder: /maps/none.`:              {Layers: []Layer{own}, Paths: []Path{{Text: "/maps/none.tif", Place: place("third")}}},
		`mine: layer "mine", style "default": there is no band 4`: desire(mine("mine", "a.tif", bands(3))),
	} {
		if err := s.Apply(t.Context(), d); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if !slices.Equal(s.Catalog.Layers(), before) || !s.Catalog.ChangedAt().Equal(changedAt) {
		t.Error("the layers are others")
	}
	s.put("claimed.tif", time.Hour)
	if err := s.Apply(t.Context(), desire(own)); err != nil {
		t.Fatal(err)
	}
	s.openReady(t.Context())
	s.wantServed("when what was wrong is away", "mine b claimed")
}

// All mistakes are reported at once, and Check changes nothing.
func TestCheckListsAllMistakes(t *testing.T) {
	s := newLibraryTest(t, "a.tif")
	d := desire(mine("one", "none.tif", layer.Config{}), mine("a/b", "a.tif", layer.Config{}))
	d.Paths = append(d.Paths, Path{Text: "/maps/gone.tif"})
	want := []string{"a/b.id: ", "one.path: no such file", "no such file or folder: /maps/gone.tif"}
	err := s.Check(t.Context(), d)
	found := Mistakes(nil)
	if !errors.As(err, &found) || len(found) != len(want) {
		t.Fatalf("got %v, want %d mistakes", err, len(want))
	}
	for i, mistake := range found {
		if !strings.HasPrefix(mistake.Error(), want[i]) {
			t.Errorf("mistake %d is %v, want %q", i, mistake, want[i])
		}
	}
	s.mustStart(desire())
	s.wantServed("after a check", "a")
}

// Files opened for a rejected configuration are closed, once, and no others.
func TestFilesOfAnInvalidConfigurationAreClosed(t *testing.T) {
	for name, wrong := range map[string]Layer{
		"one does not open":       mine("wrong", "junk.tif", layer.Config{}),
		"one cannot have a style": mine("wrong", "b.tif", bands(3)),
	} {
		t.Run(name, func(t *testing.T) {
			s := newLibraryTest(t, "a.tif", "b.tif", "c.tif", "junk.tif")
			s.breakFile("junk.tif", errors.New("it is junk"))
			if err := s.Apply(t.Context(), Desired{Layers: []Layer{mine("mine", "a.tif", layer.Config{})}}); err != nil {
				t.Fatal(err)
			}
			own := mine("mine", "a.tif", layer.Config{Title: "Another"})
			if err := s.Apply(t.Context(), Desired{Layers: []Layer{own, mine("fine", "c.tif", layer.Config{}), wrong}}); err == nil {
				t.Fatal("the configuration was not rejected")
			}
			for _, file := range []string{"b.tif", "c.tif"} {
				if s.held[file] != 0 {
					t.Errorf("%s was opened %d times, and %d are not closed", file, s.opened[file], s.held[file])
				}
			}
			if s.held["a.tif"] != s.opened["a.tif"] || s.opened["c.tif"] != 1 {
				t.Errorf("of what is served, %d of %d are not closed; %d others were opened", s.held["a.tif"], s.opened["a.tif"], s.opened["c.tif"])
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
