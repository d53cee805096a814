package integration

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// whole is the colour of an answer, or why it has none: no answer, an error, or a
// mixture of two versions.
func whole(t *testing.T, address string) (c color.NRGBA, status int, err error) {
	a, err := tryAsk(t, http.MethodGet, address, nil)
	if err != nil || a.status != http.StatusOK {
		return c, a.status, err
	}
	picture, _, err := image.Decode(bytes.NewReader(a.body))
	if err != nil {
		return c, a.status, err
	}
	c, err = colorOf(cropped(picture, 300, 200))
	return c, a.status, err
}

// keepDate gives a file the time that it had: copies and builds do that.
func keepDate(t *testing.T, path string, modified time.Time) {
	t.Helper()
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
}

// replaceBy puts a file in the place of another in one go.
func replaceBy(t *testing.T, path string, data []byte, modified time.Time) {
	t.Helper()
	next := writeFile(t, filepath.Dir(path), "next", data)
	keepDate(t, next, modified)
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

// writeOver writes a file where it is, piece by piece and with pauses.
func writeOver(t *testing.T, path string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const pieces = 20
	for i := range pieces {
		from, to := i*len(data)/pieces, (i+1)*len(data)/pieces
		if _, err := f.WriteAt(data[from:to], int64(from)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(15 * time.Millisecond)
	}
}

// TestEveryAnswerIsOfOneVersion asks for pictures without a pause while the file is
// changed in all the ways that files are. The two versions are of the same size.
func TestEveryAnswerIsOfOneVersion(t *testing.T) {
	versions := map[color.NRGBA][]byte{red: uniform(t, 1, red), blue: uniform(t, 1, blue)}
	if len(versions[red]) != len(versions[blue]) {
		t.Fatalf("files of %d and %d bytes", len(versions[red]), len(versions[blue]))
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, change := range []struct {
		name string
		do   func(t *testing.T, path string, next []byte)
	}{
		{"another file in its place", func(t *testing.T, path string, next []byte) { replaceBy(t, path, next, time.Now()) }},
		{"another file of the same date", func(t *testing.T, path string, next []byte) { replaceBy(t, path, next, old) }},
		{"written over", writeOver},
		{"cut off and written again", func(t *testing.T, path string, next []byte) {
			if err := os.Truncate(path, int64(len(next)/2)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Millisecond)
			writeOver(t, path, next)
		}},
		{"removed and written again", func(t *testing.T, path string, next []byte) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Millisecond)
			writeFile(t, filepath.Dir(path), filepath.Base(path), nil)
			writeOver(t, path, next)
		}},
	} {
		for _, cacheSize := range []string{"0", "64MiB"} {
			t.Run(fmt.Sprintf("%s, cache of %s", change.name, cacheSize), func(t *testing.T) {
				t.Parallel() // the server takes its time to look
				path := writeFile(t, t.TempDir(), "a.tif", versions[red])
				keepDate(t, path, old)
				s := start(t, "serve", path, "--cache", cacheSize)
				h := startHammer(t, s)
				shown := red
				for _, next := range []color.NRGBA{blue, red, blue} {
					before := h.answered.Load()
					eventually(t, "pictures are shown between two versions", func() bool { return h.answered.Load() > before+2 || t.Failed() })
					change.do(t, path, versions[next])
					eventually(t, "the new version is shown", func() bool {
						c, status, err := whole(t, h.addresses[0])
						return err == nil && status == http.StatusOK && c == next
					})
					shown = next
				}
				h.stop()
				for _, address := range h.addresses {
					if c, status, err := whole(t, address); c != shown || err != nil {
						t.Errorf("%s: at last, it shows %v (status %d, %v), want %v", address, c, status, err, shown)
					}
				}
				t.Logf("%d pictures, %d errors", h.answered.Load(), h.failed.Load())
			})
		}
	}
}

// hammer asks for pictures until it is stopped, and looks at each.
type hammer struct {
	addresses        []string
	answered, failed atomic.Int64
	stopped          atomic.Bool
	all              sync.WaitGroup
}

func startHammer(t *testing.T, s *server) *hammer {
	h := &hammer{addresses: []string{
		s.maps + "/layers/a/preview.png",
		s.maps + "/tiles/a/image/1/0/0@2x.png?resampling=nearest",
	}}
	for i := range 4 {
		h.all.Go(func() {
			for !h.stopped.Load() {
				address := h.addresses[i%len(h.addresses)]
				switch c, status, err := whole(t, address); {
				case err != nil && !h.stopped.Load():
					t.Errorf("%s: %v", address, err)
					return
				case status != http.StatusOK:
					h.failed.Add(1)
				case c != red && c != blue:
					t.Errorf("%s is %v", address, c)
				default:
					h.answered.Add(1)
				}
			}
		})
	}
	t.Cleanup(h.stop)
	return h
}

func (h *hammer) stop() {
	h.stopped.Store(true)
	h.all.Wait()
}

// TestAFileThatIsRemoved is not shown any longer than until the next look, though the
// system would let the server read it for ever.
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
		c, status, err := whole(t, s.maps+preview)
		return err == nil && status == http.StatusOK && c == blue
	})
}
