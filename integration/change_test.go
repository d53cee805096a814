package integration

import (
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

	"tileserver/decode/tiff/tifftest"
)

// uniform returns a file of one color in many blocks. Different numbers give files of different
// sizes, so that the size reveals a change that the file system's clock is too coarse to show.
func uniform(t *testing.T, number int, c color.NRGBA) []byte {
	t.Helper()
	return uniformOf(t, 300, 200, number, c)
}

func uniformOf(t *testing.T, width, height, number int, c color.NRGBA) []byte {
	t.Helper()
	const software = 305
	data, err := tifftest.File{Images: []tifftest.Image{{
		Width: width, Height: height, Samples: 3, Tiled: true, BlockWidth: 32, BlockHeight: 32, Compression: tifftest.LZW,
		Value: func(_, _, band int) float64 { return float64([...]uint8{c.R, c.G, c.B}[band]) },
		Tags:  []tifftest.Tag{{ID: software, Value: fmt.Sprintf("%*d", 10+2*number, number)}},
	}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// colorOf returns the color of a uniform picture, and an error if the picture is not uniform.
func colorOf(picture image.Image) (color.NRGBA, error) {
	first := colorAt(picture, 0, 0)
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if c := colorAt(picture, x, y); c != first {
				return first, fmt.Errorf("a mix of %v and %v", first, c)
			}
		}
	}
	return first, nil
}

var (
	red  = color.NRGBA{200, 0, 0, 255}
	blue = color.NRGBA{0, 0, 200, 255}
)

func TestAFileThatChangesIsShownAsItIs(t *testing.T) {
	t.Parallel() // the server checks files only at intervals
	for _, test := range []struct {
		name    string
		replace func(t *testing.T, path string, data []byte)
		failed  int // maximum number of failed requests
	}{
		{"written in its place", func(t *testing.T, path string, data []byte) {
			writeFile(t, filepath.Dir(path), filepath.Base(path), data)
		}, 1},
		{"renamed to its place", func(t *testing.T, path string, data []byte) {
			next := writeFile(t, filepath.Dir(path), "next", data)
			if err := os.Rename(next, path); err != nil {
				t.Fatal(err)
			}
		}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := writeFile(t, t.TempDir(), "a.tif", uniform(t, 1, red))
			s := start(t, "serve", path)
			const preview, tile = "/layers/a/preview.png", "/tiles/a/image/1/0/0@2x.png?resampling=nearest"
			old := get(t, s.maps+preview)
			began := time.Now()
			test.replace(t, path, uniform(t, 2, blue))
			isQuick := time.Since(began) < longestPause // after a longer pause the server may show a half-written file
			failed, shown := 0, red
			eventually(t, "the new picture is shown", func() bool {
				for _, address := range []string{preview, tile} {
					a := ask(t, http.MethodGet, s.maps+address, nil)
					if a.status != http.StatusOK {
						failed++
						return false
					}
					c, err := colorOf(cropped(decodePicture(t, a.body), 300, 200))
					if err != nil || c != red && c != blue || shown == blue && c == red {
						t.Fatalf("%s: %v after %v: %v", address, c, shown, err)
					}
					shown = c
				}
				return shown == blue
			})
			if isQuick && failed > test.failed {
				t.Errorf("%d requests failed, want at most %d", failed, test.failed)
			}
			if etag := get(t, s.maps+preview).header.Get("ETag"); etag == old.header.Get("ETag") {
				t.Errorf("the new picture has the ETag of the old one, %s", etag)
			}
		})
	}
}

// cropped returns the upper left part of a picture, without the pixels outside of the image.
func cropped(picture image.Image, width, height int) image.Image {
	return picture.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(image.Rect(0, 0, width, height))
}

func TestNoPictureIsAMixOfTwoVersions(t *testing.T) {
	t.Parallel() // the server waits until a file is still
	for _, name := range []string{"first", "second", "third"} {
		t.Run(name, testNoPictureIsAMix)
	}
}

func testNoPictureIsAMix(t *testing.T) {
	t.Parallel()
	const versions, readers = 4, 4
	path := writeFile(t, t.TempDir(), "a.tif", uniform(t, 0, red))
	s := start(t, "serve", path, "--cache", "0") // no cache: every request reads the file
	var all sync.WaitGroup
	var written atomic.Bool
	var answered, failed atomic.Int64
	for range readers {
		all.Go(func() {
			for !written.Load() {
				a, err := tryAsk(t, http.MethodGet, s.maps+"/layers/a/preview.png", nil)
				switch {
				case err != nil:
					t.Error(err)
					return
				case a.status != http.StatusOK:
					failed.Add(1)
				default:
					answered.Add(1)
					if c, err := colorOf(decodePicture(t, a.body)); err != nil || c != red && c != blue {
						t.Errorf("%v: %v", c, err)
					}
				}
			}
		})
	}
	for version := 1; version <= versions; version++ {
		before := answered.Load()
		eventually(t, "a picture is answered between two versions", func() bool { return answered.Load() > before || t.Failed() })
		writeFile(t, filepath.Dir(path), "a.tif", uniform(t, version, []color.NRGBA{red, blue}[version%2]))
	}
	written.Store(true)
	all.Wait()
	t.Logf("%d pictures, %d failed requests, %d versions", answered.Load(), failed.Load(), versions)
	eventually(t, "the last version is shown", func() bool {
		a := ask(t, http.MethodGet, s.maps+"/layers/a/preview.png", nil)
		if a.status != http.StatusOK {
			return false
		}
		c, err := colorOf(decodePicture(t, a.body))
		return err == nil && c == red
	})
}
