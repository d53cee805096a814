package library

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/sourcetest"
)

func TestHiddenFilesAreNotServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, ".hidden/a.tif", ".hidden/.Trash-1000/b.tif", ".hidden/._a.tif", ".hidden/deep/.snapshot/c.tif")
		c := desire()
		c.Paths = []Path{{Text: s.path(".hidden")}} // named itself, so served
		s.mustStart(c)
		s.wantServed("of a folder with hidden files", "a")
		if strings.Contains(s.log.String(), "skipped file") {
			t.Errorf("they are in the log: %s", s.log)
		}
	})
}

func TestAFolderThatBecomesEmptyIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "in/a.tif", "in/b.tif")
		c := desire()
		c.Paths = []Path{{Text: s.path("in")}}
		s.mustStart(c)
		s.reload = func(ctx context.Context) error { return s.Apply(ctx, c) }
		defer s.keepWatching()()
		told := func(when string, want int) {
			t.Helper()
			if got := strings.Count(s.log.String(), "level=WARN msg=\"all files of a folder are gone"); got != want {
				t.Errorf("%s: it was logged %d times, want %d: %s", when, got, want, s.log)
			}
		}
		s.remove("in/a.tif")
		wait(rescan)
		told("with one file less", 0)
		s.remove("in/b.tif")
		wait(5 * rescan)
		s.wantServed("without files", "")
		told("without files", 1)
		s.put("in/a.tif", 0)
		wait(2 * rescan)
		s.remove("in/a.tif")
		s.signals <- os.Interrupt
		synctest.Wait()
		told("at a signal", 2)
	})
}

// The stack may differ each time; the failure is the same.
func TestTheSamePanicIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "b.tif")
		open, depth := s.Library.Open, 0
		var fail func(more int)
		fail = func(more int) {
			if more == 0 {
				panic("out of range")
			}
			fail(more - 1)
		}
		s.Library.Open = func(a dataset.Address, options dataset.Options) layer.Open {
			if options.ID == "a" {
				return func(context.Context) (*layer.Dataset, error) { depth++; fail(depth); return nil, nil }
			}
			return open(a, options)
		}
		s.mustStart(desire())
		defer s.keepWatching()()
		wait(3 * retryInterval)
		if depth < 2 {
			t.Fatalf("it was opened %d times", depth)
		}
		for _, want := range []string{"skipped file", "out of range", "stack="} {
			if got := strings.Count(s.log.String(), want); got != 1 {
				t.Errorf("the log has %q %d times, want once: %s", want, got, s.log)
			}
		}
	})
}

func TestIDsOfRemovedFilesAreBounded(t *testing.T) {
	a := state{
		ids: newIDs(), paths: []servedPath{{location{dataset.Address{Path: "/x", Number: 1}, true, false}, nil}},
		layers: []desiredLayer{{id: "mine", image: dataset.Address{Path: "/y/mine.tif", Number: 1}, isNamed: true}},
	}
	a.ids.claim("mine", a.layers[0].image)
	list := func(paths ...string) (ids []string) {
		a.scans = []folderScan{{files: paths}}
		for _, w := range a.list(nil) {
			ids = append(ids, w.id)
		}
		return ids
	}
	list("/x/1/scene.tif")
	many := make([]origin, maxSpareIDs-1)
	for i := range many {
		many[i] = origin{dataset.Address{Path: fmt.Sprintf("/x/%06d.tif", i), Number: 1}, "/x"}
	}
	a.ids.assign(many)
	if list("/x/3/scene.tif"); len(a.ids.assigned) < maxSpareIDs {
		t.Errorf("%d ids are remembered: they were discarded too early", len(a.ids.assigned))
	}
	a.ids.assign([]origin{{dataset.Address{Path: "/x/one-more.tif", Number: 1}, "/x"}, {dataset.Address{Path: "/x/and-another.tif", Number: 1}, "/x"}})
	if got := list("/x/3/scene.tif"); len(a.ids.assigned) != 1 || len(a.ids.holders) != 2 {
		t.Errorf("of layers %q, %d ids and %d holders are remembered", got, len(a.ids.assigned), len(a.ids.holders))
	}
	if got := list("/x/1/scene.tif", "/x/3/scene.tif"); strings.Join(got, " ") != "mine 1-scene 3-scene" {
		t.Errorf("the layers then are %q", got)
	}
}

// A path whose storage hangs at the start delays the others for a moment. It is told of, asked again,
// and served once it answers, be it a folder or a file.
func TestAPathThatHangsAtTheStart(t *testing.T) {
	for _, every := range []time.Duration{rescan, 0} {
		synctest.Test(t, func(t *testing.T) {
			s := newLibraryTest(t, "a.tif")
			s.files.Put("/nfs/deep/b.tif", nil, time.Hour)
			s.files.Put("/nfs/named.tif", nil, time.Hour)
			s.files.Put("/nfs/plain.tif", nil, time.Hour)
			const timeout = 30 * time.Second
			guarded := guard.Wrap(s.files, guard.Config{Timeout: timeout})
			s.Library = New(Config{Catalog: s.Catalog, Files: guarded, IsRaster: isRaster, Open: s.openImage, Logger: s.Logger})
			s.Library.Open = func(a dataset.Address, options dataset.Options) layer.Open {
				open := s.openImage(a, options)
				return func(ctx context.Context) (*layer.Dataset, error) {
					if _, err := guarded.Open(ctx, a.Path); err != nil {
						return nil, err
					}
					return open(ctx)
				}
			}
			resume := s.files.Hang("nfs")
			d := Desired{Layers: []Layer{mine("mine", "a.tif", layer.Config{}), {ID: "far", Path: "/nfs/named.tif", Place: place("far")}}, Rescan: every}
			for _, path := range []string{"/nfs/deep", "/nfs/plain.tif", folder} {
				d.Paths = append(d.Paths, Path{Text: path})
			}
			began := time.Now()
			s.mustStart(d)
			if took := time.Since(began); took > 4*timeout/10 {
				t.Errorf("the start took %v", took)
			}
			s.wantServed("while one hangs", "mine")
			defer s.keepWatching()()
			time.Sleep(time.Minute)
			problems := strings.Join(s.Problems(), "\n")
			if err := s.Ready(); err != nil || !strings.Contains(problems, "folder /nfs/deep cannot be read: ") {
				t.Errorf("ready: %v; problems: %s", err, problems)
			}
			if !strings.Contains(s.log.String(), `msg="cannot read folder, keeping its layers" path=/nfs/deep`) {
				t.Errorf("the log does not tell of it: %s", s.log)
			}
			resume()
			time.Sleep(2 * time.Minute)
			s.wantServed("when it answers", "mine far b plain")
			if problems := s.Problems(); len(problems) > 0 {
				t.Errorf("problems then: %s", problems)
			}
		})
	}
}

// Folders that take long are listed while others are served. Ready waits for them.
func TestAFolderThatTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		s.files.Put("/slow/b.tif", nil, time.Hour)
		time.AfterFunc(time.Minute, s.files.Hang("slow"))
		d := desire()
		slow := &slowStart{Store: s.files, path: "/slow"}
		s.Config.Files, s.pending.files = slow, slow
		d.Paths = append(d.Paths, Path{Text: "/slow"})
		began := time.Now()
		s.mustStart(d)
		if took := time.Since(began); took != scanPatience {
			t.Errorf("the start took %v, want %v", took, scanPatience)
		}
		s.wantServed("at first", "a")
		defer s.keepWatching()()
		time.Sleep(30 * time.Second)
		if s.Ready() == nil {
			t.Error("it is ready before all folders are listed")
		}
		wait(time.Minute)
		s.wantServed("later", "a b")
		if err := s.Ready(); err != nil {
			t.Error(err)
		}
	})
}

// What a folder allows counts before it is listed, for files that another path has found.
func TestAFolderThatIsNotListedYetSaysWhatItsLayersAllow(t *testing.T) {
	outer, inner := Path{Text: folder}, Path{Text: folder + "/licensed"}
	inner.Access.Strangers.Formats = []string{}
	s := newLibraryTest(t, "a.tif", "licensed/b.tif")
	next, err := s.desired.successor(t.Context(), s.files, Desired{Paths: []Path{outer, inner}})
	if err != nil {
		t.Fatal(err)
	}
	next.noteScans(map[location]folderScan{next.paths[0].location: {files: []string{s.path("a.tif"), s.path("licensed/b.tif")}}})
	list := next.list(nil)
	if len(list) != 2 || list[0].access.Strangers.Formats != nil || list[1].access.Strangers.Formats == nil {
		t.Errorf("the layers are %+v", list)
	}
}

// A reload goes on with the scans that run, and takes what they find.
func TestAScanThatRunsAcrossAReloadIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		s.files.Put("/slow/b.tif", nil, time.Hour)
		resume := s.files.Hang("slow")
		slow := &slowStart{Store: s.files, path: "/slow"}
		s.Config.Files, s.pending.files = slow, slow
		configured := func() Desired { return Desired{Paths: []Path{{Text: folder}, {Text: "/slow"}}} }
		s.mustStart(configured())
		s.reload = func(ctx context.Context) error { return s.Apply(ctx, configured()) }
		defer s.keepWatching()()
		s.signals <- os.Interrupt
		synctest.Wait()
		if running := len(s.scans.running); running != 1 {
			t.Errorf("%d scans run after the reload, want the one from before", running)
		}
		resume()
		wait(settleTime)
		s.wantServed("when it is listed", "a b")
	})
}

// slowStart is a store that answers at once what lies at a path, but lists it as the store below does.
type slowStart struct {
	*sourcetest.Store
	path string
}

func (s *slowStart) Stat(ctx context.Context, path string) (source.State, error) {
	if path == s.path {
		return source.State{Mode: fs.ModeDir}, nil
	}
	return s.Store.Stat(ctx, path)
}
