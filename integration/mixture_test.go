package integration

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// keepDate restores the modification time of a file, as copies and builds do.
func keepDate(t testing.TB, path string, modified time.Time) {
	t.Helper()
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
}

// replaceBy replaces a file atomically by one with other data.
func replaceBy(t *testing.T, path string, data []byte, modified time.Time) {
	t.Helper()
	next := writeFile(t, filepath.Dir(path), "next", data)
	keepDate(t, next, modified)
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

// longestPause is the maximum pause of a writer between two steps. A server considers a file
// complete after two seconds without changes.
const longestPause = 1500 * time.Millisecond

// writer changes a file in place, step by step.
type writer struct {
	t          *testing.T
	path       string
	old        time.Time     // modification time before the change
	pause      time.Duration // after a step; 0 is a short one
	began      time.Time     // start of the last step
	hasStalled bool          // a pause was too long; this happens on a busy machine
}

func (w *writer) step(do func() error) {
	w.t.Helper()
	began := time.Now()
	if err := do(); err != nil {
		w.t.Fatal(err)
	}
	w.hasStalled = w.hasStalled || !w.began.IsZero() && time.Since(w.began) > longestPause
	w.began = began
	time.Sleep(cmp.Or(w.pause, 15*time.Millisecond))
}

// writeOver overwrites a file in place, in several steps.
func (w *writer) writeOver(data []byte) {
	w.t.Helper()
	f, err := os.OpenFile(w.path, os.O_WRONLY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	const pieces = 20
	for i := range pieces {
		w.writePiece(f, data, i, pieces)
	}
}

// writePiece overwrites one of a number of pieces of a file.
func (w *writer) writePiece(f *os.File, data []byte, i, pieces int) {
	w.t.Helper()
	from, to := i*len(data)/pieces, (i+1)*len(data)/pieces
	w.step(func() error {
		_, err := f.WriteAt(data[from:to], int64(from))
		return err
	})
}

// writeSlowly returns a way to overwrite a file in place with pauses, a few seconds in all.
func writeSlowly(pause time.Duration) func(w *writer, data []byte) {
	return func(w *writer, data []byte) {
		w.t.Helper()
		w.pause = pause
		f, err := os.OpenFile(w.path, os.O_WRONLY, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		defer f.Close()
		pieces := int(min(3*time.Second/pause, 10))
		for i := range pieces {
			w.writePiece(f, data, i, pieces)
		}
	}
}

// synchronize overwrites a file as rsync --inplace --times does: block by block, not in order, and at
// the end with the date of the original.
func (w *writer) synchronize(data []byte) {
	w.t.Helper()
	w.pause = 300 * time.Millisecond
	f, err := os.OpenFile(w.path, os.O_WRONLY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	const pieces = 8
	for _, i := range []int{0, 3, 4, 7, 1, 6, 2, 5} {
		w.writePiece(f, data, i, pieces)
	}
	date := w.old.Add(time.Duration(crc32.ChecksumIEEE(data)%1000) * time.Second)
	w.step(func() error { return os.Chtimes(w.path, date, date) })
}

// changes lists the ways in which programs change files.
var changes = []struct {
	name string
	to   func(w *writer, next []byte)
}{
	{"another file in its place", func(w *writer, next []byte) { replaceBy(w.t, w.path, next, time.Now()) }},
	{"another file of the same date", func(w *writer, next []byte) { replaceBy(w.t, w.path, next, w.old) }},
	{"written over", (*writer).writeOver},
	{"written over with pauses of 100 ms", writeSlowly(100 * time.Millisecond)},
	{"written over with pauses of 300 ms", writeSlowly(300 * time.Millisecond)},
	{"written over with pauses of 1 s", writeSlowly(time.Second)},
	{"synchronized in place", (*writer).synchronize},
	{"cut off and written again", func(w *writer, next []byte) {
		w.step(func() error { return os.Truncate(w.path, int64(len(next)/2)) })
		w.writeOver(next)
	}},
	{"removed and written again", func(w *writer, next []byte) {
		w.step(func() error { return os.Remove(w.path) })
		w.step(func() error { return os.WriteFile(w.path, nil, 0o644) })
		w.writeOver(next)
	}},
}

// TestEveryAnswerIsOfOneVersion requests pictures all the time while the file changes. Both
// versions have the same size.
func TestEveryAnswerIsOfOneVersion(t *testing.T) {
	t.Parallel() // the server and the writers mostly wait
	versions := map[color.NRGBA][]byte{red: uniform(t, 1, red), blue: uniform(t, 1, blue)}
	if len(versions[red]) != len(versions[blue]) {
		t.Fatalf("files of %d and %d bytes", len(versions[red]), len(versions[blue]))
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, change := range changes {
		for _, cacheSize := range []string{"0", "64MiB"} {
			t.Run(fmt.Sprintf("%s, cache of %s", change.name, cacheSize), func(t *testing.T) {
				t.Parallel()
				path := writeFile(t, t.TempDir(), "a.tif", versions[red])
				keepDate(t, path, old)
				h := startHammer(t, start(t, "serve", path, "--cache", cacheSize))
				h.watch(func(next color.NRGBA) (isJudged bool) {
					w := writer{t: t, path: path, old: old}
					change.to(&w, versions[next])
					return !w.hasStalled
				})
			})
		}
	}
}

// TestOverviewsThatAreWrittenBesideAFile writes overviews in another color than the file, in pieces and
// not in order, as gdaladdo -ro does. Pictures are of the file, or of the whole overviews.
func TestOverviewsThatAreWrittenBesideAFile(t *testing.T) {
	t.Parallel()
	path := writeFile(t, t.TempDir(), "a.tif", uniform(t, 1, red))
	keepDate(t, path, time.Now().Add(-time.Hour))
	s := start(t, "serve", path)
	h := startHammerOf(t, s.maps+"/layers/a/preview.png?max_size=150", s.maps+"/layers/a/preview.png?max_size=140")
	eventually(t, "pictures of the file are shown", func() bool { return h.answered.Load() > 2 || t.Failed() })
	overviews := uniformOf(t, 150, 100, 1, blue)
	began := time.Now()
	w := writer{t: t, path: writeFile(t, filepath.Dir(path), "a.tif.ovr", make([]byte, len(overviews))), old: began.Add(-time.Hour)}
	w.synchronize(overviews)
	if w.hasStalled {
		h.excused = append(h.excused, span{began, time.Now().Add(longestPause)})
	}
	eventually(t, "the overviews are shown", func() bool {
		c, _, err := h.look(h.addresses[0])
		return err == nil && c == blue
	})
	h.finish(blue)
}

// TestAFileThatIsRemoved checks that the server stops serving a removed file at its next check,
// although its open file can still be read.
func TestAFileThatIsRemoved(t *testing.T) {
	t.Parallel()
	path := writeFile(t, t.TempDir(), "a.tif", uniform(t, 1, red))
	s := start(t, "serve", path)
	const preview = "/layers/a/preview.png"
	get(t, s.maps+preview)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the layer is gone", func() bool { return ask(t, http.MethodGet, s.maps+preview, nil).status != http.StatusOK })
	for range 20 {
		if status, code, message := getError(t, s.maps+preview); status != http.StatusNotFound || code != "not_found" || message != "the file is gone" {
			t.Fatalf("got %d %s %q, want %d", status, code, message, http.StatusNotFound)
		}
		time.Sleep(10 * time.Millisecond)
	}
	writeFile(t, filepath.Dir(path), filepath.Base(path), uniform(t, 2, blue))
	eventually(t, "the layer is back", func() bool {
		a := ask(t, http.MethodGet, s.maps+preview, nil)
		if a.status != http.StatusOK {
			return false
		}
		c, err := colorOfWhole(a.body)
		return err == nil && c == blue
	})
}
