package png

import (
	"bytes"
	"fmt"
	"testing"
)

// repeated returns pixels that take the given values in turn, with runs between.
func repeated(pixels int, values ...[]byte) (pix []byte) {
	for i := range pixels {
		pix = append(pix, values[(i/5+i*i/7)%len(values)]...)
	}
	return pix
}

// levels returns gray levels as values for repeated.
func levels(step, count int) (values [][]byte) {
	for i := range count {
		values = append(values, []byte{byte(i * step)})
	}
	return values
}

// TestKinds has for each kind of content the smallest kind of PNG that has it exactly.
func TestKinds(t *testing.T) {
	black, white, red, clear := []byte{0, 0, 0, 255}, []byte{255, 255, 255, 255}, []byte{200, 0, 0, 255}, []byte{9, 9, 9, 0}
	half := []byte{9, 9, 9, 128}
	opaque := photographInEmptiness(64, 64, 5)
	for i := 3; i < len(opaque); i += 4 {
		opaque[i] = 255
	}
	grayish := photographInEmptiness(64, 64, 5)
	for i := 0; i < len(grayish); i += 4 {
		grayish[i+1], grayish[i+2], grayish[i+3] = grayish[i], grayish[i], byte(i/4)
	}
	tests := []struct {
		name            string
		format          Format
		pix             []byte
		depth, colour   byte
		hasTransparency bool
	}{
		{"two grays", Gray, repeated(64*64, levels(255, 2)...), 1, colourGray, false},
		{"four grays", Gray, repeated(64*64, levels(85, 4)...), 2, colourGray, false},
		{"sixteen grays", Gray, repeated(64*64, levels(17, 16)...), 4, colourGray, false},
		{"two odd grays", Gray, repeated(64*64, levels(7, 2)...), 8, colourGray, false},
		{"four odd grays", Gray, repeated(64*64, levels(84, 4)...), 8, colourGray, false},
		{"sixteen odd grays", Gray, repeated(64*64, levels(16, 16)...), 8, colourGray, false},
		{"seventeen grays", Gray, repeated(64*64, levels(15, 17)...), 8, colourGray, false},
		{"gray photo", Gray, photograph(64, 64, 1, 4), 8, colourGray, false},
		{"one gray and alpha", GrayAlpha, repeated(64*64, []byte{7, 8}), 1, colourPalette, true},
		{"opaque gray and alpha", GrayAlpha, repeated(64*64, []byte{7, 255}, []byte{8, 255}, []byte{200, 255}), 8, colourGray, false},
		{"black and white with alpha", GrayAlpha, repeated(64*64, []byte{0, 255}, []byte{255, 255}), 1, colourGray, false},
		{"many grays and alphas", GrayAlpha, photograph(64, 64, 2, 4), 8, colourGrayAlpha, false},
		{"gray as RGB", RGB, repeated(64*64, black[:3], white[:3]), 1, colourGray, false},
		{"three colours", RGB, repeated(64*64, black[:3], white[:3], red[:3]), 2, colourPalette, false},
		{"chart", RGB, chart(64, 64, 3), 1, colourPalette, false},
		{"photo", RGB, photograph(64, 64, 3, 4), 8, colourRGB, false},
		{"transparent", RGBA, make([]byte, 4*64*64), 1, colourPalette, true},
		{"colours and transparency", RGBA, repeated(64*64, red, clear, black, half, white), 4, colourPalette, true},
		{"opaque colours", RGBA, repeated(64*64, red, black), 1, colourPalette, false},
		{"opaque photo", RGBA, opaque, 8, colourRGB, false},
		{"photo and emptiness", RGBA, photographInEmptiness(64, 64, 5), 8, colourRGBA, false},
		{"gray photo with alpha", RGBA, grayish, 8, colourGrayAlpha, false},
		{"few of a palette", Paletted, repeated(64*64, []byte{3}, []byte{249}), 1, colourPalette, false},
		{"transparent one of a palette", Paletted, repeated(64*64, []byte{3}, []byte{1}, []byte{5}), 2, colourPalette, true},
		{"whole palette", Paletted, noise(64*64, 4), 8, colourPalette, true},
		{"gray 16", Gray16, make([]byte, 2*64*64), 16, colourGray, false},
		{"gray alpha 16", GrayAlpha16, make([]byte, 4*64*64), 16, colourGrayAlpha, false},
		{"RGB 16", RGB16, make([]byte, 6*64*64), 16, colourRGB, false},
		{"RGBA 16", RGBA16, make([]byte, 8*64*64), 16, colourRGBA, false},
	}
	for _, test := range tests {
		for _, width := range []int{64, 61, 1} { // whole bytes, and not
			t.Run(fmt.Sprintf("%s/%d", test.name, width), func(t *testing.T) {
				img := padded(test.format, 64, 64, 0, test.pix)
				img.Width = width
				file := encode(t, img)
				checkDecoded(t, file, img)
				if width == 1 {
					return // a part of the colours
				}
				if got := file[24:26]; got[0] != test.depth || got[1] != test.colour {
					t.Errorf("%d bits of colour type %d, want %d of %d", got[0], got[1], test.depth, test.colour)
				}
				if got := bytes.Contains(file, []byte("tRNS")); got != test.hasTransparency {
					t.Errorf("transparent palette: %v, want %v", got, test.hasTransparency)
				}
			})
		}
	}
}

// TestPaletteOrder has the colours of a palette in the file: transparent ones first, then by luma.
func TestPaletteOrder(t *testing.T) {
	img := padded(RGBA, 8, 8, 0, repeated(64, []byte{200, 200, 0, 255}, []byte{10, 0, 0, 255}, []byte{0, 99, 0, 7}, []byte{0, 0, 0, 0}))
	file := encode(t, img)
	want := append([]byte("PLTE"), 0, 0, 0, 0, 99, 0, 10, 0, 0, 200, 200, 0)
	if !bytes.Contains(file, want) {
		t.Errorf("no % x in % x", want, file)
	}
	if want := []byte("\x00\x00\x00\x02tRNS\x00\x07"); !bytes.Contains(file, want) {
		t.Errorf("no % x in % x", want, file)
	}
}

// TestColourLimit has 256 colours, which fit into a palette, and one more in the last pixel.
func TestColourLimit(t *testing.T) {
	img := padded(RGB, 257, 8, 0, make([]byte, 257*8*3))
	for i := range 256 {
		img.Pix[3*i], img.Pix[3*i+1] = byte(i), byte(i*i)
	}
	for _, want := range []byte{colourPalette, colourRGB} {
		file := encode(t, img)
		checkDecoded(t, file, img)
		if got := file[25]; got != want {
			t.Errorf("colour type %d, want %d", got, want)
		}
		img.Pix[len(img.Pix)-1] = 1
	}
}

// TestLarge has images that are compressed in several pieces, and one with rows that are pieces by themselves.
func TestLarge(t *testing.T) {
	for _, size := range [][2]int{{900, 700}, {400_000, 3}} {
		width, height := size[0], size[1]
		pix := noise(width*height*3, 9)
		for i := range pix {
			pix[i] = byte(i>>9) + pix[i]&7
		}
		img := padded(RGB, width, height, 0, pix)
		checkDecoded(t, encode(t, img), img)
	}
}

// TestSmallPictures have no palettes that are larger than they are.
func TestSmallPictures(t *testing.T) {
	img := padded(RGB, 5, 5, 0, noise(5*5*3, 1))
	file := encode(t, img)
	checkDecoded(t, file, img)
	if got := file[25]; got != colourRGB {
		t.Errorf("colour type %d, want %d", got, colourRGB)
	}
}

func TestDropAlpha(t *testing.T) {
	for pixels := range 20 {
		rgba := noise(4*pixels, 3)
		got := make([]byte, 3*pixels)
		dropAlpha(got, rgba)
		for i, value := range got {
			if want := rgba[i/3*4+i%3]; value != want {
				t.Fatalf("%d pixels: byte %d is %d, want %d", pixels, i, value, want)
			}
		}
	}
}
