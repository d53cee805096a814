package picture

import (
	"encoding/binary"
	"math"
	"testing"

	"tileserver/raster"
)

func TestLumaIsRec601(t *testing.T) {
	for _, test := range []struct{ red, green, blue, want uint32 }{
		{0, 0, 0, 0}, {255, 255, 255, 255}, {255, 0, 0, 76}, {0, 255, 0, 150}, {0, 0, 255, 29}, {255, 255, 0, 226}, {1, 0, 0, 0}, {0, 1, 0, 1},
		{65535, 65535, 65535, 65535}, {65535, 0, 0, 19595},
	} {
		if got := luma(test.red, test.green, test.blue); got != test.want {
			t.Errorf("%d, %d, %d is %d, want %d", test.red, test.green, test.blue, got, test.want)
		}
	}
	for v := range uint32(256) {
		if got := luma(v, v, v); got != v {
			t.Errorf("the gray %d is %d", v, got)
		}
		exact := math.Floor(0.299*float64(v) + 0.587*float64(255-v) + 0.114*77 + 0.5 + 1e-9)
		if got := luma(v, 255-v, 77); float64(got) != exact {
			t.Errorf("%d, %d, 77 is %d, want %v", v, 255-v, got, exact)
		}
	}
}

// deepColorAt returns a pixel of any format with 16 bits per sample.
func deepColorAt(p *Picture, x, y int) (red, green, blue, alpha uint32) {
	var s []uint32
	pixel := pixelBytes(p, x, y)
	if p.Format == Paletted {
		c := p.Palette[pixel[0]]
		return 257 * uint32(c.R), 257 * uint32(c.G), 257 * uint32(c.B), 257 * uint32(c.A)
	}
	for ; len(pixel) > 0; pixel = pixel[1:] {
		if p.Format.IsDeep() {
			s = append(s, uint32(binary.BigEndian.Uint16(pixel)))
			pixel = pixel[1:]
		} else {
			s = append(s, 257*uint32(pixel[0]))
		}
	}
	switch len(s) {
	case 1:
		return s[0], s[0], s[0], math.MaxUint16
	case 2:
		return s[0], s[0], s[0], s[1]
	case 3:
		return s[0], s[1], s[2], math.MaxUint16
	}
	return s[0], s[1], s[2], s[3]
}

func TestTint(t *testing.T) {
	for format := range pixelFormats {
		for _, tone := range []Tone{Colored, Grays, BlackAndWhite} {
			before, p := patternPicture(37, 5, format), patternPicture(37, 5, format)
			p.Tint(tone)
			if err := p.validate(); err != nil {
				t.Fatal(err)
			}
			if tone == Colored && p.Format != format || p.Format.IsDeep() != format.IsDeep() {
				t.Errorf("format %d is now %d", format, p.Format)
			}
			for y := range p.Height {
				for x := range p.Width {
					red, green, blue, alpha := deepColorAt(p, x, y)
					r, g, b, a := deepColorAt(before, x, y)
					if want := expectedGray(format, tone, r, g, b); tone != Colored {
						r, g, b = want, want, want
					}
					if red != r || green != g || blue != b || alpha != a {
						t.Fatalf("format %d, tone %d, at %d,%d: %d,%d,%d,%d, want %d,%d,%d,%d", format, tone, x, y, red, green, blue, alpha, r, g, b, a)
					}
				}
			}
		}
	}
}

// expectedGray returns the gray of a 16-bit color in a tone, in the steps of its format.
func expectedGray(format PixelFormat, tone Tone, red, green, blue uint32) uint32 {
	step := uint32(257)
	if format.IsDeep() {
		step = 1
	}
	gray := luma(red/step, green/step, blue/step) * step
	if tone == BlackAndWhite {
		return math.MaxUint16 * (gray >> 15)
	}
	return gray
}

// A palette may be shared by many pictures.
func TestTintKeepsSharedPalette(t *testing.T) {
	p := patternPicture(3, 3, Paletted)
	shared := p.Palette
	before := *shared
	p.Tint(Grays)
	if *shared != before || p.Palette == shared {
		t.Error("the palette was modified")
	}
}

func TestToneOfColor(t *testing.T) {
	c := raster.RGBA{R: 255, G: 255, B: 0, A: 9}
	for tone, want := range map[Tone]raster.RGBA{Colored: c, Grays: {R: 226, G: 226, B: 226, A: 9}, BlackAndWhite: {R: 255, G: 255, B: 255, A: 9}} {
		if got := tone.Apply(c); got != want {
			t.Errorf("tone %d of %v is %v, want %v", tone, c, got, want)
		}
	}
}

func BenchmarkTint(b *testing.B) {
	fresh := patternPicture(1024, 1024, RGB)
	b.SetBytes(int64(len(fresh.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		p := *fresh
		p.Tint(Grays)
	}
}
