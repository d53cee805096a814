package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/config"
)

// TestOfSeveralNamedFilesThoseThatOpenAreServed covers files on the command line and under "paths"
// of a configuration. The library treats both alike.
func TestOfSeveralNamedFilesThoseThatOpenAreServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "junk.tif", "b.tif", "worse.tif")
		s.breakFile("junk.tif", errors.New("it is junk"))
		s.breakFile("worse.tif", errors.New("it is worse"))
		c := s.config()
		c.Paths = []string{s.path("a.tif"), s.path("junk.tif"), s.path("b.tif"), s.path("worse.tif")}
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
		s.reload = func(ctx context.Context) error { return s.apply(ctx, c) }
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
		c := s.config()
		c.Paths = nil
		for _, name := range files {
			c.Paths = append(c.Paths, s.path(name))
		}
		if err := s.start(t.Context(), c); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %q", files, err, want)
		}
	}
}

// TestALayerThatCannotBeOpenedIsAMistake: an entry of layers must open even if other files open.
func TestALayerThatCannotBeOpenedIsAMistake(t *testing.T) {
	s := newLibraryTest(t, "a.tif", "junk.tif")
	s.breakFile("junk.tif", errors.New("it is junk"))
	c := s.config(config.Layer{ID: "mine", Path: s.path("junk.tif")})
	c.Paths = []string{s.path("a.tif")}
	if err := s.start(t.Context(), c); err == nil || !strings.Contains(err.Error(), "it is junk") {
		t.Errorf("got %v", err)
	}
}

func TestABlockThatIsTooLargeNamesTheOption(t *testing.T) {
	folder := t.TempDir()
	mustRun(t, "demo", "--save", folder)
	code, _, stderr := runProgram(t, append([]string{"serve", "--in-flight", "1MiB", filepath.Join(folder, "demo.tif")}, freePorts...)...)
	if code != exitFailure || !strings.HasSuffix(stderr, "; give more with --in-flight, which is 1MiB\n") {
		t.Errorf("exit code %d, it says %s", code, stderr)
	}
}
