package integration

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// update replaces the stored pictures with the current ones. Look at the new pictures first,
// because later runs treat them as correct.
var update = flag.Bool("update", false, "write the pictures of testdata/golden")

// golden describes a picture that the server must keep rendering.
type golden struct {
	name string
	file tifftest.File
	path string // the path to request; {layer} stands for the layer of the file

	// tolerance is 0 where pixels are copied, and 1 where they are computed in floating point.
	// Compilers for processors other than amd64 may fuse a multiplication and an addition, which
	// can round a sample the other way.
	tolerance int
}

func TestGoldenPictures(t *testing.T) {
	folder := t.TempDir()
	pictures := goldens()
	for _, g := range pictures {
		path := writeTIFF(t, folder, g.name+".tif", g.file)
		if notes := beside[g.name]; notes != "" {
			writeFile(t, folder, filepath.Base(path)+".aux.xml", []byte(notes))
		}
	}
	s := start(t, "serve", folder)
	for _, g := range pictures {
		t.Run(g.name, func(t *testing.T) {
			path := filepath.Join("testdata", "golden", g.name+".png")
			got := get(t, s.maps+strings.ReplaceAll(g.path, "{layer}", g.name)).body
			want, err := os.ReadFile(path)
			if *update {
				// A file with the same pixels stays as it is, even if it would be compressed differently now.
				if err != nil || comparePictures(decodePicture(t, got), decodePicture(t, want), 0) != nil {
					writeFile(t, filepath.Dir(path), filepath.Base(path), got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := comparePictures(decodePicture(t, got), decodePicture(t, want), g.tolerance); err != nil {
				t.Error(err)
				saveArtifacts(t, g.name, got, want)
			}
		})
	}
}

func TestEveryGoldenPictureIsCompared(t *testing.T) {
	known := make(map[string]bool)
	for _, g := range goldens() {
		known[g.name+".png"] = true
	}
	entries, err := os.ReadDir(filepath.Join("testdata", "golden"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !known[entry.Name()] {
			t.Errorf("no test compares %s", entry.Name())
		}
	}
	if len(entries) != len(known) {
		t.Errorf("%d pictures for %d tests", len(entries), len(known))
	}
}

// comparePictures returns an error if two pictures differ by more than a tolerance.
func comparePictures(got, want image.Image, tolerance int) error {
	if got.Bounds() != want.Bounds() {
		return fmt.Errorf("a picture of %v, want %v", got.Bounds(), want.Bounds())
	}
	different, largest := 0, 0
	var first image.Point
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			distance := distanceOf(colorAt(got, x, y), colorAt(want, x, y))
			if distance > tolerance && different == 0 {
				first = image.Pt(x, y)
			}
			if distance > tolerance {
				different++
			}
			largest = max(largest, distance)
		}
	}
	if different > 0 {
		return fmt.Errorf("%d pixels differ by up to %d, the first of them at %v: %v, want %v",
			different, largest, first, colorAt(got, first.X, first.Y), colorAt(want, first.X, first.Y))
	}
	return nil
}

// distanceOf returns the largest difference of any channel. The color of fully transparent pixels
// does not count.
func distanceOf(a, b color.NRGBA) int {
	if a.A == 0 && b.A == 0 {
		return 0
	}
	distance := 0
	for _, pair := range [][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		distance = max(distance, int(pair[0])-int(pair[1]), int(pair[1])-int(pair[0]))
	}
	return distance
}

// saveArtifacts writes the picture that was rendered, the picture that was expected, and a picture
// with the differing pixels in white.
func saveArtifacts(t *testing.T, name string, got, want []byte) {
	t.Helper()
	a, b := decodePicture(t, got), decodePicture(t, want)
	difference := image.NewGray(b.Bounds())
	for y := range b.Bounds().Dy() {
		for x := range b.Bounds().Dx() {
			difference.SetGray(x, y, color.Gray{uint8(min(255, 64*distanceOf(colorAt(a, x, y), colorAt(b, x, y))))})
		}
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, difference); err != nil {
		t.Fatal(err)
	}
	folder := t.ArtifactDir()
	for suffix, data := range map[string][]byte{"got": got, "want": want, "diff": encoded.Bytes()} {
		writeFile(t, folder, name+"-"+suffix+".png", data)
	}
	t.Logf("got, want and diff are in %s (kept with -artifacts)", folder)
}

func TestDifferentPicturesAreDetected(t *testing.T) {
	a, b := image.NewNRGBA(image.Rect(0, 0, 3, 2)), image.NewNRGBA(image.Rect(0, 0, 3, 2))
	b.SetNRGBA(2, 1, color.NRGBA{R: 9}) // invisible
	if err := comparePictures(a, b, 0); err != nil {
		t.Errorf("two transparent pictures: %v", err)
	}
	a.SetNRGBA(1, 1, color.NRGBA{10, 20, 30, 255})
	b.SetNRGBA(1, 1, color.NRGBA{10, 21, 30, 255})
	if comparePictures(a, b, 0) == nil || comparePictures(a, b, 1) != nil {
		t.Error("a difference of one is not detected, or not tolerated")
	}
	if comparePictures(a, image.NewNRGBA(image.Rect(0, 0, 2, 3)), 255) == nil {
		t.Error("pictures of different sizes compare as equal")
	}
}
