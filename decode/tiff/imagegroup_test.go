package tiff

import (
	"fmt"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/geo"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// scene returns an image of odd size with overviews and masks. Each level has values of its own, so
// that levels cannot be confused.
func scene(masked bool) []tifftest.Image {
	var images []tifftest.Image
	for level, size := range [][2]int{{301, 203}, {151, 102}, {76, 51}} {
		img := tifftest.Image{
			Width: size[0], Height: size[1], Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 48,
			Value:       func(x, y, band int) float64 { return sceneValue(level, band, x, y) },
			Compression: tifftest.Deflate, Predictor: 2,
		}
		if level > 0 {
			img.Subfile = tifftest.Overview
		}
		images = append(images, img)
		if masked {
			images = append(images, tifftest.Image{
				Width: size[0], Height: size[1], Bits: 1, Subfile: img.Subfile | tifftest.Mask,
				Tiled: true, BlockWidth: 32, BlockHeight: 112, // a different grid from that of the pixels
				Value:       func(x, y, _ int) float64 { return sceneMask(level, x, y) },
				Compression: tifftest.PackBits,
			})
		}
	}
	return images
}

func sceneValue(level, band, x, y int) float64 {
	return float64((x*3 + y*5 + band*70 + level*40) % 256)
}

func sceneMask(level, x, y int) float64 {
	if (x+2*y)>>level%100 < 30 {
		return 0
	}
	return 1
}

func TestProviderSuite(t *testing.T) {
	for _, masked := range []bool{false, true} {
		data := encode(t, tifftest.File{COG: true, Images: scene(masked)})
		t.Run(fmt.Sprintf("masked %v", masked), func(t *testing.T) {
			rastertest.Suite{
				Open: func(t *testing.T) raster.Provider {
					m := openBytes(t, data).Images()[0]
					if len(m.Info().Levels) != 3 || len(m.Description().Notes) != 0 {
						t.Fatalf("%d levels, notes %q", len(m.Info().Levels), m.Description().Notes)
					}
					return m
				},
				Want: func(level, band, x, y int) (float64, bool) {
					return sceneValue(level, band, x, y), !masked || sceneMask(level, x, y) == 1
				},
			}.Run(t)
		})
	}
}

func TestLevelScales(t *testing.T) {
	levels := open(t, tifftest.File{Images: scene(false)}).Images()[0].Info().Levels
	want := raster.Level{Width: 76, Height: 51, BlockWidth: 64, BlockHeight: 48, ScaleX: 301.0 / 76, ScaleY: 203.0 / 51}
	if levels[2] != want {
		t.Errorf("got %+v, want %+v", levels[2], want)
	}
}

// flat returns an image of one value.
func flat(width, height int, value float64) tifftest.Image {
	return tifftest.Image{Width: width, Height: height, Value: func(int, int, int) float64 { return value }}
}

func overview(img tifftest.Image) tifftest.Image {
	img.Subfile = tifftest.Overview
	return img
}

// TestImageGroups checks which directory belongs to which image.
func TestImageGroups(t *testing.T) {
	withBands := overview(flat(20, 10, 1))
	withBands.Samples = 3
	parent := flat(40, 20, 0)
	parent.Children = []tifftest.Image{overview(flat(10, 5, 2)), overview(flat(20, 10, 1))}
	color := flat(40, 20, 9)
	color.Samples = 3
	lossy := overview(flat(20, 10, 9))
	lossy.Samples, lossy.Compression, lossy.Photometric = 3, tifftest.JPEGBlocks, tifftest.YCbCr
	cmyk, bands := flat(40, 20, 9), overview(flat(20, 10, 9))
	cmyk.Samples, cmyk.Photometric = 4, tifftest.CMYK
	bands.Samples, bands.Photometric = 4, tifftest.RGB
	mask, largeMask := flat(40, 20, 1), flat(90, 45, 1)
	mask.Bits, mask.Subfile = 1, tifftest.Mask
	largeMask.Bits, largeMask.Subfile = 1, tifftest.Mask
	for _, test := range []struct {
		name   string
		images []tifftest.Image
		want   string // sizes of the levels of each image
		note   string
	}{
		{"one", []tifftest.Image{flat(40, 20, 0)}, "[40x20]", ""},
		{"overviews out of order", []tifftest.Image{flat(40, 20, 0), overview(flat(10, 5, 2)), overview(flat(20, 10, 1))}, "[40x20 20x10 10x5]", ""},
		{"images, of which one is smaller", []tifftest.Image{flat(40, 20, 0), flat(20, 10, 1)}, "[40x20] [20x10]", ""},
		{"each image with overviews", []tifftest.Image{flat(40, 20, 0), overview(flat(20, 10, 1)), flat(60, 60, 2), overview(flat(30, 30, 3))}, "[40x20 20x10] [60x60 30x30]", ""},
		{"overviews after all images", []tifftest.Image{flat(40, 20, 0), flat(60, 60, 2), overview(flat(20, 10, 1)), overview(flat(30, 30, 3))}, "[40x20 20x10] [60x60 30x30]", ""},
		{"overviews below", []tifftest.Image{parent}, "[40x20 20x10 10x5]", ""},
		{"overview with other bands", []tifftest.Image{flat(40, 20, 0), withBands}, "[40x20]", "3 samples"},
		{"RGB with YCbCr overviews", []tifftest.Image{color, lossy}, "[40x20 20x10]", ""},
		{"overview of other colors", []tifftest.Image{cmyk, bands}, "[40x20]", "(rgb)"},
		{"overview of another shape", []tifftest.Image{flat(40, 20, 0), overview(flat(10, 10, 0))}, "[40x20]", "does not fit"},
		{"overview as large as the image", []tifftest.Image{flat(40, 20, 0), overview(flat(40, 20, 0))}, "[40x20]", "does not fit"},
		{"overview twice", []tifftest.Image{flat(40, 20, 0), overview(flat(20, 10, 1)), overview(flat(20, 10, 1))}, "[40x20 20x10]", "another one of"},
		{"mask of the image only", []tifftest.Image{flat(40, 20, 0), mask, overview(flat(20, 10, 1))}, "[40x20 20x10]", "overview 2 has no mask and uses the one of 40x20"},
		{"mask of the image only, far from the overview", []tifftest.Image{flat(90, 45, 0), largeMask, overview(flat(10, 5, 1))}, "[90x45]", "it has no mask, but the image has one"},
		{"nothing but an overview", []tifftest.Image{overview(flat(40, 20, 0))}, "[40x20]", ""},
	} {
		var got []string
		var notes string
		for _, m := range open(t, tifftest.File{Images: test.images}).Images() {
			var sizes []string
			for _, l := range m.Info().Levels {
				sizes = append(sizes, fmt.Sprintf("%dx%d", l.Width, l.Height))
			}
			got = append(got, fmt.Sprint(sizes))
			notes += strings.Join(m.Description().Notes, "; ")
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
		if !strings.Contains(notes, test.note) || test.note == "" && notes != "" {
			t.Errorf("%s: notes are %q, want %q in them", test.name, notes, test.note)
		}
	}
}

func TestBandColors(t *testing.T) {
	colors := func(img tifftest.Image) string {
		img.Width, img.Height, img.Value = 4, 3, func(int, int, int) float64 { return 1 }
		info := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0].Info()
		var names []string
		for _, b := range info.Bands {
			names = append(names, b.Color.String())
		}
		return fmt.Sprint(names, len(info.Palette), info.Inverted)
	}
	for _, test := range []struct {
		img  tifftest.Image
		want string
	}{
		{tifftest.Image{}, "[gray] 0 false"},
		{tifftest.Image{Photometric: tifftest.WhiteIsZero}, "[gray] 0 true"},
		{tifftest.Image{Samples: 2, ExtraSamples: []int{2}}, "[gray alpha] 0 false"},
		{tifftest.Image{Samples: 3}, "[red green blue] 0 false"},
		{tifftest.Image{Samples: 5, Photometric: tifftest.RGB, ExtraSamples: []int{0, 1}}, "[red green blue undefined alpha] 0 false"},
		{tifftest.Image{Samples: 4, Photometric: tifftest.CMYK}, "[undefined undefined undefined undefined] 0 false"},
		{tifftest.Image{Bits: 4, Palette: [][3]uint16{{0, 0, 0}, {65535, 256, 0}}}, "[palette] 16 false"},
		{tifftest.Image{Samples: 3, Photometric: tifftest.BlackIsZero, ExtraSamples: []int{0, 0}}, "[gray undefined undefined] 0 false"},
	} {
		if got := colors(test.img); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.img, got, test.want)
		}
	}
}

func TestPaletteColors(t *testing.T) {
	img := flat(3, 2, 1)
	img.Palette = [][3]uint16{{0, 0, 0}, {65535, 0x8000, 0x0100}}
	got := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0].Info().Palette[1]
	if want := (raster.RGBA{R: 255, G: 128, B: 1, A: 255}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestGeoreference(t *testing.T) {
	img := flat(30, 20, 1)
	img.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, OriginX: 1000, OriginY: 5000, PixelX: 10, PixelY: 20})
	g := open(t, tifftest.File{BigEndian: true, Images: []tifftest.Image{img}}).Images()[0].Georeference()
	if want := (geo.Affine{A: 10, C: 1000, E: -20, F: 5000}); !g.HasAffine || g.Affine != want {
		t.Errorf("affine %+v, want %+v", g.Affine, want)
	}
	if g.CRS == nil || g.CRS.Code() != "EPSG:3857" {
		t.Errorf("CRS %v: %v", g.CRS, g.CRSError)
	}
	g = open(t, tifftest.File{Images: []tifftest.Image{flat(30, 20, 1)}}).Images()[0].Georeference()
	if g.HasAffine || g.CRS != nil || g.CRSError == nil {
		t.Errorf("a georeference without tags: %+v", g)
	}
}

func TestDescription(t *testing.T) {
	d := open(t, tifftest.File{BigTIFF: true, BigEndian: true, Images: scene(true)}).Images()[0].Description()
	if !d.BigTIFF || !d.BigEndian || d.Compression != "deflate" || d.Photometric != "rgb" || d.Interleave != "pixel" ||
		d.Predictor != 2 || d.BlockWidth != 64 || d.BlockHeight != 48 || len(d.Overviews) != 2 || len(d.Masks) != 3 ||
		d.Type != "uint8" || d.Orientation != 1 {
		t.Errorf("got %+v", d)
	}
}
