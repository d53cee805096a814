package tiff

import (
	"slices"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// A slide has its levels among its pages, beside a thumbnail, a label and a picture of the glass.
func TestPagesOfSlides(t *testing.T) {
	description := tifftest.Tag{ID: 270, Value: "Aperio Image Library v11\r\n700x430"}
	page := func(width, height int, tiled bool, subfile tifftest.Subfile) tifftest.Image {
		img := tifftest.Image{Width: width, Height: height, Samples: 3, Subfile: subfile, Value: wave(8, tifftest.Unsigned), Tags: []tifftest.Tag{description}}
		if img.Tiled = tiled; tiled {
			img.BlockWidth, img.BlockHeight = 64, 64
		}
		return img
	}
	const macro = 9
	pages := []tifftest.Image{
		page(700, 430, true, 0), page(170, 104, false, 0), page(175, 107, true, 0), page(43, 26, true, 0),
		page(60, 61, false, tifftest.Overview), page(90, 40, false, macro),
	}
	f := open(t, tifftest.File{Images: pages})
	var sizes [][2]int
	for _, m := range f.Images() {
		sizes = append(sizes, [2]int{m.Info().Levels[0].Width, len(m.Info().Levels)})
	}
	if want := [][2]int{{700, 3}, {170, 1}, {60, 1}, {90, 1}}; !slices.Equal(sizes, want) {
		t.Errorf("images of (width, levels) %v, want %v", sizes, want)
	}
	pages[0].Tags = nil
	if got := len(open(t, tifftest.File{Images: pages}).Images()); got != 4 {
		t.Errorf("a file that is no slide has %d images, want 4: each page that is not called reduced", got)
	}
}

// A description that lies beyond the end of the file does no harm.
func TestDescriptionPastTheEnd(t *testing.T) {
	data := rawFile(0, rawImage(rawEntry{270, 2, 100, 5000})...)
	if _, err := planesOf(t, openBytes(t, data).Images()[0], 0); err != nil {
		t.Error(err)
	}
}
