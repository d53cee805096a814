package png

import (
	"bytes"
	"fmt"
	"testing"
)

// repeated returns pixels that cycle through the given values, with runs between.
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

// TestKinds checks that each kind of content is written as the smallest kind of PNG that represents
// it exactly.
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
		depth, color    byte
		hasTransparency bool
	}{
		{"two grays", Gray, repeated(64*64, levels(255, 2)...), 1, colorGray, false},
		{"four grays", Gray, repeated(64*64, levels(85, 4)...), 2, colorGray, false},
		{"sixteen grays", Gray, repeated(64*64, levels(17, 16)...), 4, colorGray, false},
		{"two odd grays", Gray, repeated(64*64, levels(7, 2)...), 8, colorGray, false},
		{"four odd grays", Gray, repeated(64*64, levels(84, 4)...), 8, colorGray, false},
		{"sixteen odd grays", Gray, repeated(64*64, levels(16, 16)...), 8, colorGray, false},
		{"seventeen grays", Gray, repeated(64*64, levels(15, 17)...), 8, colorGray, false},
		{"gray photo", Gray, photograph(64, 64, 1, 4), 8, colorGray, false},
		{"one gray and alpha", GrayAlpha, repeated(64*64, []byte{7, 8}), 1, colorPalette, true},
		{"opaque gray and alpha", GrayAlpha, repeated(64*64, []byte{7, 255}, []byte{8, 255}, []byte{200, 255}), 8, colorGray, false},
		{"black and white with alpha", GrayAlpha, repeated(64*64, []byte{0, 255}, []byte{255, 255}), 1, colorGray, false},
		{"many grays and alphas", GrayAlpha, photograph(64, 64, 2, 4), 8, colorGrayAlpha, false},
		{"gray as RGB", RGB, repeated(64*64, black[:3], white[:3]), 1, colorGray, false},
		{"three colors", RGB, repeated(64*64, black[:3], white[:3], red[:3]), 2, colorPalette, false},
		{"chart", RGB, chart(64, 64, 3), 1, colorPalette, false},
		{"photo", RGB, photograph(64, 64, 3, 4), 8, colorRGB, false},
		{"transparent", RGBA, make([]byte, 4*64*64), 1, colorPalette, true},
		{"colors and transparency", RGBA, repeated(64*64, red, clear, black, half, white), 4, colorPalette, true},
		{"opaque colors", RGBA, repeated(64*64, red, black), 1, colorPalette, false},
		{"opaque photo", RGBA, opaque, 8, colorRGB, false},
		{"photo and emptiness", RGBA, photographInEmptiness(64, 64, 5), 8, colorRGBA, false},
		{"gray photo with alpha", RGBA, grayish, 8, colorGrayAlpha, false},
		{"few of a palette", Paletted, repeated(64*64, []byte{3}, []byte{249}), 1, colorPalette, false},
		{"transparent one of a palette", Paletted, repeated(64*64, []byte{3}, []byte{1}, []byte{5}), 2, colorPalette, true},
		{"whole palette", Paletted, noise(64*64, 4), 8, colorPalette, true},
		{"gray 16", Gray16, make([]byte, 2*64*64), 16, colorGray, false},
		{"gray alpha 16", GrayAlpha16, make([]byte, 4*64*64), 16, colorGrayAlpha, false},
		{"RGB 16", RGB16, make([]byte, 6*64*64), 16, colorRGB, false},
		{"RGBA 16", RGBA16, make([]byte, 8*64*64), 16, colorRGBA, false},
	}
	for _, test := range tests {
		for _, width := range []int{64, 61, 1} { // rows of whole bytes, and others
			t.Run(fmt.Sprintf("%s/%d", test.name, width), func(t *testing.T) {
				img := padded(test.format, 64, 64, 0, test.pix)
				img.Width = width
				file := encode(t, img)
				checkDecoded(t, file, img)
				if width == 1 {
					return // not all of the colors occur
				}
				if got := file[24:26]; got[0] != test.depth || got[1] != test.color {
					t.Errorf("%d bits of color type %d, want %d of %d", got[0], got[1], test.depth, test.color)
				}
				if got := bytes.Contains(file, []byte("tRNS")); got != test.hasTransparency {
					t.Errorf("transparent palette: %v, want %v", got, test.hasTransparency)
				}
			})
		}
	}
}

// TestPaletteOrder checks that transparent colors come first in the palette, then the others by
// luma.
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

// TestColorLimit encodes 256 colors, which fit into a palette, and then one more in the last pixel.
func TestColorLimit(t *testing.T) {
	img := padded(RGB, 257, 8, 0, make([]byte, 257*8*3))
	for i := range 256 {
		img.Pix[3*i], img.Pix[3*i+1] = byte(i), byte(i*i)
	}
	for _, want := range []byte{colorPalette, colorRGB} {
		file := encode(t, img)
		checkDecoded(t, file, img)
		if got := file[25]; got != want {
			t.Errorf("color type %d, want %d", got, want)
		}
		img.Pix[len(img.Pix)-1] = 1
	}
}

// TestLarge encodes images that are compressed in several batches, and one whose rows are larger
// than a batch.
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

// TestSmallPictures checks that a small image gets no palette larger than itself.
func TestSmallPictures(t *testing.T) {
	img := padded(RGB, 5, 5, 0, noise(5*5*3, 1))
	file := encode(t, img)
	checkDecoded(t, file, img)
	if got := file[25]; got != colorRGB {
		t.Errorf("color type %d, want %d", got, colorRGB)
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
