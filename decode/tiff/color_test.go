package tiff

import (
	"errors"
	"strings"
	"testing"

	"tileserver/decode"
	"tileserver/decode/tiff/tifftest"
)

func TestUndisplayable(t *testing.T) {
	number := func(photometric uint16) []tifftest.Tag {
		return []tifftest.Tag{{ID: 262, Value: []uint16{photometric}}}
	}
	for _, test := range []struct {
		name string
		img  tifftest.Image
		want string // part of the reason; empty if it may be shown
	}{
		{"gray", tifftest.Image{}, ""},
		{"white is zero", tifftest.Image{Photometric: tifftest.WhiteIsZero}, ""},
		{"RGB", tifftest.Image{Samples: 3}, ""},
		{"palette", tifftest.Image{Photometric: tifftest.PaletteColor, Palette: make([][3]uint16, 256)}, ""},
		{"palette without colors", tifftest.Image{Tags: number(3)}, "the file has no palette"},
		{"mask", tifftest.Image{Bits: 1, Photometric: tifftest.TransparencyMask}, ""},
		{"YCbCr in JPEG", tifftest.Image{Samples: 3, Photometric: tifftest.YCbCr, Compression: tifftest.JPEGBlocks}, ""},
		{"YCbCr without JPEG", tifftest.Image{Samples: 3, Tags: append(number(6), tifftest.Tag{ID: 530, Value: []uint16{1, 1}})}, "chroma"},
		{"CMYK", tifftest.Image{Samples: 4, Photometric: tifftest.CMYK}, "(cmyk): the samples are amounts of ink"},
		{"CIELab", tifftest.Image{Samples: 3, Tags: number(8)}, "lightness"},
		{"ICCLab", tifftest.Image{Samples: 3, Tags: number(9)}, "lightness"},
		{"ITULab", tifftest.Image{Samples: 3, Tags: number(10)}, "lightness"},
		{"CFA", tifftest.Image{Tags: number(32803)}, "sensor"},
		{"LogL", tifftest.Image{Bits: 16, Tags: number(32844)}, "logarithms"},
		{"LogLuv", tifftest.Image{Samples: 3, Tags: number(32845)}, "logarithms"},
		{"linear raw", tifftest.Image{Tags: number(34892)}, "sensor"},
		{"linear raw in colors", tifftest.Image{Samples: 3, Tags: number(34892)}, ""},
		{"depth", tifftest.Image{Tags: number(51177)}, ""},
		{"an unknown number", tifftest.Image{Tags: number(4711)}, "photometric interpretation 4711"},
	} {
		img := test.img
		img.Width, img.Height, img.Value = 9, 5, wave(8, tifftest.Unsigned)
		if img.Bits != 0 {
			img.Value = wave(img.Bits, tifftest.Unsigned)
		}
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		if err := m.Unsupported(); err != nil {
			t.Errorf("%s: its samples cannot be read: %v", test.name, err)
		}
		err := m.Undisplayable()
		if test.want == "" && err != nil {
			t.Errorf("%s: got %v, want an image that may be shown", test.name, err)
		}
		if test.want != "" && (!errors.Is(err, decode.ErrUnsupported) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
	}
}

func TestPremultiplied(t *testing.T) {
	for _, test := range []struct {
		name    string
		samples int
		extra   []int
		want    bool
	}{
		{"no alpha", 3, nil, false},
		{"associated", 4, []int{1}, true},
		{"unassociated", 4, []int{2}, false},
		{"of no known meaning", 4, []int{0}, false},
		{"associated behind another", 5, []int{0, 1}, true},
		{"associated behind the alpha band", 5, []int{2, 1}, false},
		{"gray and associated", 2, []int{1}, true},
	} {
		img := flat(5, 3, 7)
		img.Samples, img.ExtraSamples = test.samples, test.extra
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		if got := m.Info().Premultiplied; got != test.want || m.Description().Associated != test.want {
			t.Errorf("%s: got %v and %v described, want %v", test.name, got, m.Description().Associated, test.want)
		}
	}
}

// TestLargeOverviewIsSkipped opens an overview in one block that needs too much memory, and a mask
// that makes the image itself unsupported for that reason.
func TestLargeOverviewIsSkipped(t *testing.T) {
	full := flat(300, 200, 1)
	full.Tiled, full.BlockWidth, full.BlockHeight, full.Compression = true, 16, 16, tifftest.Deflate
	small := flat(150, 100, 1)
	small.Subfile, small.Compression = tifftest.Overview, tifftest.Deflate
	config := Config{Pool: testPool(), Limits: Limits{BlockBytes: 20_000}}
	f, _ := openCounting(t, tifftest.File{Images: []tifftest.Image{full, small}}, config)
	m := f.Images()[0]
	if notes := m.Description().Notes; m.Unsupported() != nil || len(m.Info().Levels) != 1 || len(notes) != 1 ||
		!strings.Contains(notes[0], "overview 1 cannot be read: a block of 150x100 pixels takes") {
		t.Errorf("got %d levels, %v, notes %q", len(m.Info().Levels), m.Unsupported(), notes)
	}
	mask := flat(300, 200, 1)
	mask.Bits, mask.Subfile, mask.Compression = 1, tifftest.Mask, tifftest.Deflate
	f, _ = openCounting(t, tifftest.File{Images: []tifftest.Image{full, mask}}, config)
	if err := f.Images()[0].Unsupported(); !errors.Is(err, ErrLimit) {
		t.Errorf("an image with a mask of one block: got %v, want %v", err, ErrLimit)
	}
}
