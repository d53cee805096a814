package clients

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// update replaces the stored pictures with the current ones. The pixels that follow from the layers
// are checked before, so a wrong position cannot be stored.
var update = flag.Bool("update", false, "write the pictures of testdata")

// expectation describes a screenshot: some pixels follow from the layer, the others must equal a
// stored picture.
type expectation struct {
	golden    string // name of a picture in testdata
	tolerance int    // maximum difference of a channel
	pixel     func(x, y int) (c color.NRGBA, known bool)
}

func (e expectation) check(t testing.TB, got image.Image) {
	t.Helper()
	if err := e.known(got); err != nil {
		t.Error(err)
	}
	path := filepath.Join("testdata", e.golden+".png")
	want, err := readPicture(path)
	switch {
	case *update && !t.Failed():
		// A file with the same pixels stays as it is, even if it would be compressed differently
		// now.
		if err != nil || comparePictures(got, want, 0) != nil {
			writeFile(t, path, encodePicture(t, got))
		}
	case err != nil:
		t.Error(err)
	default:
		if err := comparePictures(got, want, e.tolerance); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if t.Failed() {
		saveArtifact(t, e.golden, got)
	}
}

// known compares a picture with the pixels that follow from the layer. At least half of them must.
func (e expectation) known(got image.Image) error {
	count, different := 0, 0
	var first error
	for _, place := range everyPlace(got.Bounds()) {
		want, known := e.pixel(place.X, place.Y)
		if !known {
			continue
		}
		count++
		if seen := colorAt(got, place.X, place.Y); distance(seen, want) > e.tolerance {
			if different++; first == nil {
				first = fmt.Errorf("pixel %v is %v, want %v", place, seen, want)
			}
		}
	}
	switch {
	case different > 0:
		return fmt.Errorf("%d of %d known pixels are wrong: %w", different, count, first)
	case 2*count < got.Bounds().Dx()*got.Bounds().Dy():
		return fmt.Errorf("only %d pixels of %v are known", count, got.Bounds().Size())
	}
	return nil
}

func everyPlace(bounds image.Rectangle) []image.Point {
	var places []image.Point
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			places = append(places, image.Pt(x, y))
		}
	}
	return places
}

// everywhere adapts a function for layers whose pixels are all known.
func everywhere(pixel func(x, y int) color.NRGBA) func(x, y int) (color.NRGBA, bool) {
	return func(x, y int) (color.NRGBA, bool) { return pixel(x, y), true }
}

// comparePictures returns an error if two pictures differ by more than a tolerance.
func comparePictures(got, want image.Image, tolerance int) error {
	if got.Bounds() != want.Bounds() {
		return fmt.Errorf("a picture of %v, want %v", got.Bounds(), want.Bounds())
	}
	pixels := everywhere(func(x, y int) color.NRGBA { return colorAt(want, x, y) })
	return expectation{tolerance: tolerance, pixel: pixels}.known(got)
}

func colorAt(picture image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
}

// distance returns the largest difference of any channel.
func distance(a, b color.NRGBA) int {
	largest := 0
	for _, pair := range [][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		largest = max(largest, int(pair[0])-int(pair[1]), int(pair[1])-int(pair[0]))
	}
	return largest
}

func readPicture(path string) (image.Image, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(data))
}

func encodePicture(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&encoded, picture); err != nil {
		t.Fatal(err)
	}
	return encoded.Bytes()
}

// saveArtifact writes the picture that was shown to a file for inspection.
func saveArtifact(t testing.TB, name string, got image.Image) {
	t.Helper()
	path := filepath.Join(t.ArtifactDir(), name+".png")
	writeFile(t, path, encodePicture(t, got))
	t.Logf("what was shown is in %s (kept with -artifacts)", path)
}

func TestDifferentPicturesAreDetected(t *testing.T) {
	a, b := image.NewNRGBA(image.Rect(0, 0, 3, 2)), image.NewNRGBA(image.Rect(0, 0, 3, 2))
	a.SetNRGBA(1, 1, color.NRGBA{10, 20, 30, 255})
	b.SetNRGBA(1, 1, color.NRGBA{10, 21, 30, 255})
	if comparePictures(a, b, 0) == nil || comparePictures(a, b, 1) != nil {
		t.Error("a difference of one is not detected, or not tolerated")
	}
	if comparePictures(a, image.NewNRGBA(image.Rect(0, 0, 2, 3)), 255) == nil {
		t.Error("pictures of different sizes compare as equal")
	}
}

func TestEveryGoldenPictureIsCompared(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests bytes.Buffer
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	for _, entry := range entries {
		name := entry.Name()[:len(entry.Name())-len(filepath.Ext(entry.Name()))]
		if !bytes.Contains(tests.Bytes(), []byte(`"`+name+`"`)) {
			t.Errorf("no test uses %s", entry.Name())
		}
	}
}
