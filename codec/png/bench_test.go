package png

import (
	"bytes"
	"image"
	"image/color"
	stdpng "image/png"
	"testing"
)

const side = 256

// tiles lists the tiles of BenchmarkEncode and BenchmarkStandardLibrary.
var tiles = []struct {
	name string
	img  Image
}{
	{"photo RGB", Image{Format: RGB, Width: side, Height: side, Stride: 3 * side, Pix: photograph(side, side, 3, 1)}},
	{"photo gray", Image{Format: Gray, Width: side, Height: side, Stride: side, Pix: photograph(side, side, 1, 2)}},
	{"photo and emptiness RGBA", Image{Format: RGBA, Width: side, Height: side, Stride: 4 * side, Pix: photographInEmptiness(side, side, 3)}},
	{"elevation gray", Image{Format: Gray, Width: side, Height: side, Stride: side, Pix: elevation(side, side, 1)}},
	{"elevation gray 16", Image{Format: Gray16, Width: side, Height: side, Stride: 2 * side, Pix: elevation(side, side, 2)}},
	{"elevation in colors RGB", Image{Format: RGB, Width: side, Height: side, Stride: 3 * side, Pix: elevation(side, side, 3)}},
	{"chart RGB", Image{Format: RGB, Width: side, Height: side, Stride: 3 * side, Pix: chart(side, side, 3)}},
	{"chart RGBA", Image{Format: RGBA, Width: side, Height: side, Stride: 4 * side, Pix: chart(side, side, 4)}},
	{"chart paletted", Image{Format: Paletted, Width: side, Height: side, Stride: side, Pix: chart(side, side, 1), Palette: palette(256)}},
	{"solid RGBA", Image{Format: RGBA, Width: side, Height: side, Stride: 4 * side, Pix: make([]byte, 4*side*side)}},
}

func BenchmarkEncode(b *testing.B) {
	for _, tile := range tiles {
		b.Run(tile.name, func(b *testing.B) {
			b.SetBytes(int64(len(tile.img.Pix)))
			b.ReportAllocs()
			var encoder Encoder
			var out []byte
			for b.Loop() {
				var err error
				if out, err = encoder.Encode(out[:0], &tile.img); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(out)), "bytes/tile")
		})
	}
}

func BenchmarkStandardLibrary(b *testing.B) {
	for _, tile := range tiles {
		b.Run(tile.name, func(b *testing.B) {
			b.SetBytes(int64(len(tile.img.Pix)))
			b.ReportAllocs()
			picture := standardImage(&tile.img)
			encoder := stdpng.Encoder{CompressionLevel: stdpng.BestSpeed, BufferPool: &bufferPool{}}
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				if err := encoder.Encode(&out, picture); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(out.Len()), "bytes/tile")
		})
	}
}

type bufferPool struct{ buffer *stdpng.EncoderBuffer }

func (p *bufferPool) Get() *stdpng.EncoderBuffer       { return p.buffer }
func (p *bufferPool) Put(buffer *stdpng.EncoderBuffer) { p.buffer = buffer }

// standardImage returns the same pixels in the type that image/png encodes fastest.
func standardImage(img *Image) image.Image {
	bounds := image.Rect(0, 0, img.Width, img.Height)
	switch img.Format {
	case Gray:
		return &image.Gray{Pix: img.Pix, Stride: img.Stride, Rect: bounds}
	case Gray16:
		return &image.Gray16{Pix: img.Pix, Stride: img.Stride, Rect: bounds}
	case RGBA:
		return &image.NRGBA{Pix: img.Pix, Stride: img.Stride, Rect: bounds}
	case Paletted:
		picture := &image.Paletted{Pix: img.Pix, Stride: img.Stride, Rect: bounds}
		for _, c := range img.Palette {
			picture.Palette = append(picture.Palette, color.NRGBA{R: c[0], G: c[1], B: c[2], A: c[3]})
		}
		return picture
	}
	picture := image.NewRGBA(bounds)
	for i := range img.Width * img.Height {
		copy(picture.Pix[4*i:], img.Pix[3*i:3*i+3])
		picture.Pix[4*i+3] = 255
	}
	return picture
}
