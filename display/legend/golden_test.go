package legend

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tileserver/display/colormap"
)

// update writes the current pictures as the expected ones. Look at them before committing.
var update = flag.Bool("update", false, "write the pictures of testdata")

// A goldenLegend is a legend whose picture must not change.
type goldenLegend struct {
	name    string
	legend  Legend
	options Options
}

func goldens(t testing.TB) []goldenLegend {
	white := colormap.Color{R: 255, G: 255, B: 255, A: 255}
	viridis, terrain, thermal := namedMap(t, "viridis"), namedMap(t, "terrain"), namedMap(t, "thermal_r")
	fading := parseMap(t, `[[-1,"#00f"],[0,"#fff0"],[3.5,"red"]]`, "")
	soil := parseMap(t, `{"1":{"color":"#654321","label":"Loam"},"2":{"color":"#d2b48c","label":"Sand"},
		"5":{"color":"#88888880","label":"Rock that nobody has ever dug into, as far as we know"},"12":"#0000"}`, "")
	slopes := parseMap(t, `[[[-5,0],"#264653"],[[0,2.5],"#2a9d8f"],[[2.5,10],"#e9c46a"],[[10,100],"#e76f51","steep"]]`, "")
	return []goldenLegend{
		{"bar", Legend{Title: "Elevation", Unit: "m", Map: terrain, Low: -12.37, High: 3251.4}, Options{Background: white}},
		{"bar-plain", Legend{Map: viridis}, Options{}},
		{"bar-narrow", Legend{Title: "Normalized difference vegetation index", Map: viridis, Low: -1, High: 1}, Options{Width: 131, Height: 50}},
		{"bar-bare", Legend{Title: "Ratio", Map: viridis, Low: -1, High: 1}, Options{Width: 256, Height: 20}},
		{"column-bare", Legend{Title: "Ratio", Map: viridis, Low: -1, High: 1}, Options{Width: 20, Height: 71, Vertical: true}},
		{"column-unknown", Legend{Title: "Gain", Map: viridis}, Options{Height: 101, Vertical: true}},
		{"bar-turned", Legend{Title: "Réflectance – bande 4", Unit: "%", Map: viridis, Low: 100, High: 0}, Options{Width: 405, Background: white}},
		{"bar-small", Legend{Title: "Quotient", Map: viridis, Low: 3e-7, High: 4.1e-6}, Options{Background: white}},
		{"bar-stops", Legend{Title: "Anomaly", Unit: "°C", Map: fading}, Options{}},
		{"column", Legend{Title: "Sea surface temperature", Unit: "°C", Map: thermal, Low: -1.8, High: 31.25}, Options{Vertical: true, Background: white}},
		{"column-short", Legend{Title: "水深 μm", Map: thermal, Low: 0, High: 1e9}, Options{Vertical: true, Height: 120, Width: 111}},
		{"boxes", Legend{Title: "Soil", Map: soil}, Options{Background: white}},
		{"boxes-narrow", Legend{Title: "Soil of the whole country", Map: soil}, Options{Width: 120}},
		{"boxes-wide", Legend{Title: "Slope", Unit: "°", Map: slopes}, Options{Width: 420, Background: white}},
		{"boxes-low", Legend{Title: "Classes", Map: categories(t, 300)}, Options{Width: 333, Height: 101, Background: white}},
		{"boxes-many", Legend{Title: "Classes", Map: categories(t, 61)}, Options{}},
	}
}

func namedMap(t testing.TB, name string) *colormap.Map {
	t.Helper()
	colors, ok := colormap.Named(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	return colormap.NewRamp(colors)
}

func parseMap(t testing.TB, text, kind string) *colormap.Map {
	t.Helper()
	m, err := colormap.ParseJSON([]byte(text), kind)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// categories returns a map of the categories 1 to n.
func categories(t testing.TB, n int) *colormap.Map {
	t.Helper()
	var entries []colormap.Entry
	for i := range n {
		c := colormap.Color{R: uint8(40 * i), G: uint8(90 * i), B: uint8(150 * i), A: 255}
		entries = append(entries, colormap.Entry{Low: float64(i + 1), Color: c, Label: fmt.Sprintf("Class %d", i+1)})
	}
	m, err := colormap.New(colormap.Categories, entries)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestGoldenPictures(t *testing.T) {
	for _, g := range goldens(t) {
		t.Run(g.name, func(t *testing.T) {
			path := filepath.Join("testdata", g.name+".png")
			got := imageOf(Draw(&g.legend, g.options))
			if *update {
				writePNG(t, path, got)
				return
			}
			if err := compare(got, readPNG(t, path)); err != nil {
				t.Error(err)
				artifact := filepath.Join(t.ArtifactDir(), "got.png")
				writePNG(t, artifact, got)
				t.Logf("the drawn picture is in %s (use -artifacts to keep it)", artifact)
			}
		})
	}
}

func TestNoStaleGoldenPictures(t *testing.T) {
	known := make(map[string]bool)
	for _, g := range goldens(t) {
		known[g.name+".png"] = true
	}
	entries, err := os.ReadDir("testdata")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !known[entry.Name()] {
			t.Errorf("no test draws %s", entry.Name())
		}
	}
}

func imageOf(p *Picture) *image.NRGBA {
	return &image.NRGBA{Pix: p.Pix, Stride: p.Stride, Rect: image.Rect(0, 0, p.Width, p.Height)}
}

func writePNG(t *testing.T, path string, picture image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&encoded, picture); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, encoded.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readPNG(t *testing.T, path string) image.Image {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// compare returns an error if two pictures differ. Opaque PNG files are decoded without alpha,
// which makes no difference to their colors.
func compare(got *image.NRGBA, want image.Image) error {
	if got.Bounds() != want.Bounds() {
		return fmt.Errorf("a picture of %v, want %v", got.Bounds(), want.Bounds())
	}
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			r, g, b, a := got.At(x, y).RGBA()
			wantR, wantG, wantB, wantA := want.At(x, y).RGBA()
			if r != wantR || g != wantG || b != wantB || a != wantA {
				return fmt.Errorf("at %d,%d: got %v, want %v", x, y, got.At(x, y), want.At(x, y))
			}
		}
	}
	return nil
}
