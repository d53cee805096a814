package library

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/layer"
)

// TestOfSeveralNamedFilesThoseThatOpenAreServed covers files on the command line and under "paths"
// of a configuration. The library treats both alike.
func TestOfSeveralNamedFilesThoseThatOpenAreServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "junk.tif", "b.tif", "worse.tif")
		s.breakFile("junk.tif", errors.New("it is junk"))
		s.breakFile("worse.tif", errors.New("it is worse"))
		c := desire()
		c.Paths = []Path{{Text: s.path("a.tif")}, {Text: s.path("junk.tif")}, {Text: s.path("b.tif")}, {Text: s.path("worse.tif")}}
		s.mustStart(c)
		defer s.keepWatching()()
		s.wantServed("at the start", "a b")
		for name, reason := range map[string]string{"junk.tif": "it is junk", "worse.tif": "it is worse"} {
			want := `msg="skipped file" path=` + s.path(name) + ` err="` + reason + `"`
			if got := strings.Count(s.log.String(), want); got != 1 {
				t.Errorf("the log has %s %d times:\n%s", want, got, s.log)
			}
			if got := s.times(name); got != 1 {
				t.Errorf("%s was opened %d times", name, got)
			}
		}
		s.breakFile("junk.tif", nil)
		s.put("junk.tif", time.Hour)
		s.reload = func(ctx context.Context) error { return s.Apply(ctx, c) }
		s.signals <- os.Interrupt
		wait(0)
		s.wantServed("when one is mended and the configuration read again", "a junk b")
	})
}

func TestNoNamedFileCanBeOpened(t *testing.T) {
	s := newLibraryTest(t, "junk.tif", "worse.tif")
	s.breakFile("junk.tif", errors.New("it is junk"))
	s.breakFile("worse.tif", errors.New("it is worse"))
	for want, files := range map[string][]string{
		"nothing to serve: no file could be opened": {"junk.tif", "worse.tif"},
		s.path("junk.tif") + ": it is junk":         {"junk.tif"},
	} {
		c := desire()
		c.Paths = nil
		for _, name := range files {
			c.Paths = append(c.Paths, Path{Text: s.path(name)})
		}
		if err := s.Start(t.Context(), c); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %q", files, err, want)
		}
	}
}

// TestALayerThatCannotBeOpenedIsAMistake: an entry of layers must open even if other files open.
func TestALayerThatCannotBeOpenedIsAMistake(t *testing.T) {
	s := newLibraryTest(t, "a.tif", "junk.tif")
	s.breakFile("junk.tif", errors.New("it is junk"))
	c := desire(mine("mine", "junk.tif", layer.Config{}))
	c.Paths = []Path{{Text: s.path("a.tif")}}
	if err := s.Start(t.Context(), c); err == nil || !strings.Contains(err.Error(), "it is junk") {
		t.Errorf("got %v", err)
	}
}
