package picture

import (
	"bytes"
	"fmt"
	"testing"

	"tileserver/raster"
)

// patternPicture returns a picture in which every byte differs from its neighbors. Its rows have
// gaps between them.
func patternPicture(width, height int, format PixelFormat) *Picture {
	p := &Picture{Width: width, Height: height, Format: format, Stride: width*format.BytesPerPixel() + 3}
	p.Pix = make([]uint8, height*p.Stride-3)
	for i := range p.Pix {
		p.Pix[i] = uint8(i*7 + i/251)
	}
	if format == Paletted {
		p.Palette = new([256]raster.RGBA)
		for i := range p.Palette {
			p.Palette[i] = raster.RGBA{R: uint8(i), G: uint8(3 * i), B: uint8(255 - i), A: uint8(i | 1)}
		}
	}
	return p
}

func pixelBytes(p *Picture, x, y int) []uint8 {
	size := p.Format.BytesPerPixel()
	return p.Row(y)[x*size:][:size]
}

func TestRotated(t *testing.T) {
	// Maps a pixel of the rotated picture to the source of width by height, by quarter turns.
	from := [4]func(x, y, width, height int) (int, int){
		func(x, y, _, _ int) (int, int) { return x, y },
		func(x, y, _, height int) (int, int) { return y, height - 1 - x },
		func(x, y, width, height int) (int, int) { return width - 1 - x, height - 1 - y },
		func(x, y, width, _ int) (int, int) { return width - 1 - y, x },
	}
	for format := range pixelFormats {
		for _, size := range [][2]int{{1, 1}, {3, 2}, {1, 70}, {65, 33}} {
			p := patternPicture(size[0], size[1], format)
			for quarters, source := range from {
				for _, mirrored := range []bool{false, true} {
					t.Run(fmt.Sprintf("%d of %v by %d, mirrored %v", format, size, quarters, mirrored), func(t *testing.T) {
						got := p.Rotated(quarters, mirrored)
						if err := got.validate(); err != nil {
							t.Fatal(err)
						}
						for y := range got.Height {
							for x := range got.Width {
								sx, sy := source(x, y, p.Width, p.Height)
								if mirrored {
									sx = p.Width - 1 - sx
								}
								if !bytes.Equal(pixelBytes(got, x, y), pixelBytes(p, sx, sy)) {
									t.Fatalf("%d,%d is %v, want %v", x, y, pixelBytes(got, x, y), pixelBytes(p, sx, sy))
								}
							}
						}
						if area := got.Width * got.Height; area != size[0]*size[1] || got.Palette != p.Palette || got.Format != format {
							t.Errorf("it has %d pixels of format %d", area, got.Format)
						}
					})
				}
			}
		}
	}
}

// A quarter turn moves the first row of a picture to its right side.
func TestRotatedIsClockwise(t *testing.T) {
	p := &Picture{Width: 2, Height: 2, Stride: 2, Pix: []uint8{1, 2, 3, 4}}
	for _, test := range []struct {
		quarters int
		mirrored bool
		want     [4]uint8
	}{
		{0, false, [4]uint8{1, 2, 3, 4}}, {1, false, [4]uint8{3, 1, 4, 2}}, {2, false, [4]uint8{4, 3, 2, 1}}, {3, false, [4]uint8{2, 4, 1, 3}},
		{0, true, [4]uint8{2, 1, 4, 3}}, {1, true, [4]uint8{4, 2, 3, 1}}, {2, true, [4]uint8{3, 4, 1, 2}}, {3, true, [4]uint8{1, 3, 2, 4}},
	} {
		if got := p.Rotated(test.quarters, test.mirrored).Pix; !bytes.Equal(got, test.want[:]) {
			t.Errorf("by %d, mirrored %v: %v, want %v", test.quarters, test.mirrored, got, test.want)
		}
	}
}

func BenchmarkRotated(b *testing.B) {
	p := patternPicture(1024, 1024, RGBA)
	b.SetBytes(int64(len(p.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		p.Rotated(1, false)
	}
}
