package library

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"tileserver/dataset"
	"tileserver/layer"
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
		ids: newIDs(), paths: []servedPath{{dataset.Address{Path: "/x", Number: 1}, true}},
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
