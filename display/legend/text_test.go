package legend

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"

	"tileserver/display/colormap"
)

func TestNormalizeText(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Elevation", "Elevation"},
		{"a–b — c", "a-b - c"},
		{"μm²", "µm²"},
		{"two\nlines\tand\u00a0more", "two lines and more"},
		{"e\u0301", "e"},
		{"\u200bnothing\x00 to\x1b see\u202e", "nothing to see"},
		{"水", "水"},
		{"bro\xffken", "bro\ufffdken"},
	}
	for _, test := range tests {
		if got := normalizeText(test.text); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestShorten(t *testing.T) {
	tests := []struct {
		text  string
		width int
		want  string
	}{
		{"Elevation", 72, "Elevation"},
		{"Elevation", 71, "Elevati…"},
		{"Mean of all", 7 * 8, "Mean o…"},
		{"Mean of all", 6 * 8, "Mean…"},
		{"水水水水", 3 * 8, "水水…"},
		{"Elevation", 8, "…"},
		{"E", 8, "E"},
		{"E", 7, ""},
		{"E", -20, ""},
		{"", 100, ""},
	}
	for _, test := range tests {
		if got := shorten(test.text, test.width); got != test.want {
			t.Errorf("%q in %d: got %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

// TestUnknownLettersAreBoxes draws letters that the font lacks: each becomes the same frame, and a
// space stays empty.
func TestUnknownLettersAreBoxes(t *testing.T) {
	drawn := func(text string) []uint8 {
		p := newPicture(characterWidth, lineHeight, colormap.Color{})
		p.write(0, 0, text, ink())
		return p.Pix
	}
	box := drawn("水")
	for _, text := range []string{"Ж", "ع", "😀", "\ufffd"} {
		if !bytes.Equal(drawn(text), box) {
			t.Errorf("%q is drawn differently", text)
		}
	}
	for _, text := range []string{"a", "é", "…", "°", "²"} {
		if bytes.Equal(drawn(text), box) {
			t.Errorf("%q is drawn as a box", text)
		}
	}
	if nothing := make([]uint8, len(box)); bytes.Equal(box, nothing) || !bytes.Equal(drawn(" "), nothing) {
		t.Error("a box is empty or a space is not")
	}
}

// TestWriteOutside writes beyond all edges of a picture.
func TestWriteOutside(t *testing.T) {
	for _, at := range [][2]int{{-5, 3}, {30, 3}, {3, -9}, {3, 20}, {-1000, -1000}, {1000, 1000}} {
		p := newPicture(33, 21, colormap.Color{})
		p.write(at[0], at[1], strings.Repeat("W水", 3), ink())
		if len(p.Pix) != 4*33*21 {
			t.Errorf("%v: %d bytes", at, len(p.Pix))
		}
	}
}

// TestFill compares fill with blending each pixel. Some rectangles reach beyond the picture.
func TestFill(t *testing.T) {
	background := colormap.Color{R: 10, G: 200, B: 30, A: 90}
	for _, c := range []colormap.Color{{R: 1, G: 2, B: 3, A: 255}, {R: 250, G: 2, B: 90, A: 77}, {R: 9}} {
		for _, r := range []image.Rectangle{
			image.Rect(2, 1, 7, 4), image.Rect(0, 0, 1, 1), image.Rect(-3, -3, 40, 2), image.Rect(5, 3, 40, 40),
			image.Rect(3, 3, 3, 5), image.Rect(50, 50, 60, 60),
		} {
			got, want := newPicture(9, 6, background), newPicture(9, 6, background)
			got.fill(r, c)
			for y := range 6 {
				for x := range 9 {
					if image.Pt(x, y).In(r) {
						want.blend(x, y, c, 255)
					}
				}
			}
			if !slices.Equal(got.Pix, want.Pix) {
				t.Errorf("%v over %v: got %v, want %v", c, r, got.Pix, want.Pix)
			}
		}
	}
}

func TestBlend(t *testing.T) {
	clear, white := colormap.Color{}, colormap.Color{R: 255, G: 255, B: 255, A: 255}
	tests := []struct {
		name         string
		below, above colormap.Color
		coverage     uint8
		want         colormap.Color
	}{
		{"opaque", white, colormap.Color{R: 1, G: 2, B: 3, A: 255}, 255, colormap.Color{R: 1, G: 2, B: 3, A: 255}},
		{"not covered", white, colormap.Color{R: 1, G: 2, B: 3, A: 255}, 0, white},
		{"half covered", white, colormap.Color{A: 255}, 128, colormap.Color{R: 127, G: 127, B: 127, A: 255}},
		{"half opaque", white, colormap.Color{A: 128}, 255, colormap.Color{R: 127, G: 127, B: 127, A: 255}},
		{"over nothing", clear, colormap.Color{R: 10, G: 20, B: 30, A: 128}, 255, colormap.Color{R: 10, G: 20, B: 30, A: 128}},
		{"a part over nothing", clear, colormap.Color{R: 10, G: 20, B: 30, A: 255}, 51, colormap.Color{R: 10, G: 20, B: 30, A: 51}},
		{"nothing over nothing", clear, clear, 255, clear},
		{"both half opaque", colormap.Color{R: 255, A: 128}, colormap.Color{B: 255, A: 128}, 255, colormap.Color{R: 85, B: 170, A: 192}},
	}
	for _, test := range tests {
		p := newPicture(1, 1, test.below)
		p.blend(0, 0, test.above, test.coverage)
		if got := (colormap.Color{R: p.Pix[0], G: p.Pix[1], B: p.Pix[2], A: p.Pix[3]}); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
