package png

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	stdpng "image/png"
	"testing"
)

func encode(t *testing.T, img *Image) []byte {
	t.Helper()
	var encoder Encoder
	out, err := encoder.Encode(nil, img)
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	return out
}

// checkDecoded decodes the file with the standard library and compares every pixel with the image.
func checkDecoded(t *testing.T, file []byte, img *Image) {
	t.Helper()
	picture := decode(t, file, img.Width, img.Height)
	for y := range img.Height {
		for x := range img.Width {
			got := color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
			if want := pixelAt(img, x, y); got != want {
				t.Fatalf("pixel %d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
}

func decode(t *testing.T, file []byte, width, height int) image.Image {
	t.Helper()
	reader := bytes.NewReader(file)
	picture, err := stdpng.Decode(reader)
	if err != nil {
		t.Fatalf("image/png refuses the file: %v", err)
	}
	if reader.Len() != 0 {
		t.Fatalf("%d bytes after the end of the file", reader.Len())
	}
	if got, want := picture.Bounds(), image.Rect(0, 0, width, height); got != want {
		t.Fatalf("bounds %v, want %v", got, want)
	}
	return picture
}

func pixelAt(img *Image, x, y int) color.NRGBA {
	pixel := img.Pix[y*img.Stride+x*img.Format.bytesPerPixel():]
	switch img.Format {
	case Gray:
		return color.NRGBA{pixel[0], pixel[0], pixel[0], 255}
	case GrayAlpha:
		return color.NRGBA{pixel[0], pixel[0], pixel[0], pixel[1]}
	case RGB:
		return color.NRGBA{pixel[0], pixel[1], pixel[2], 255}
	case RGBA:
		return color.NRGBA{pixel[0], pixel[1], pixel[2], pixel[3]}
	}
	colour := img.Palette[pixel[0]]
	return color.NRGBA{colour[0], colour[1], colour[2], colour[3]}
}

// palette returns colours of which every third is not opaque.
func palette(colours int) [][4]uint8 {
	list := make([][4]uint8, colours)
	for i := range list {
		list[i] = [4]uint8{uint8(i), uint8(7 * i), uint8(255 - i), 255}
		if i%3 == 1 {
			list[i][3] = uint8(i)
		}
	}
	return list
}

var formats = []struct {
	name   string
	format Format
}{{"gray", Gray}, {"gray alpha", GrayAlpha}, {"RGB", RGB}, {"RGBA", RGBA}, {"paletted", Paletted}}

var sizes = [][2]int{{1, 1}, {2, 1}, {1, 9}, {3, 7}, {8, 8}, {257, 1}, {256, 255}}

var contents = []struct {
	name string
	make func(width, height, channels int) []byte
}{
	{"photo", func(width, height, channels int) []byte { return photograph(width, height, channels, 1) }},
	{"chart", chart},
	{"noise", func(width, height, channels int) []byte { return noise(width*height*channels, 3) }},
	{"solid", func(width, height, channels int) []byte {
		return bytes.Repeat([]byte{77, 78, 79, 80}[:channels], width*height)
	}},
}

func TestEveryPixel(t *testing.T) {
	for _, format := range formats {
		for _, content := range contents {
			for _, size := range sizes {
				for _, padding := range []int{0, 5} {
					t.Run(fmt.Sprintf("%s/%s/%dx%d+%d", format.name, content.name, size[0], size[1], padding), func(t *testing.T) {
						width, height := size[0], size[1]
						img := padded(format.format, width, height, padding, content.make(width, height, format.format.bytesPerPixel()))
						checkDecoded(t, encode(t, img), img)
					})
				}
			}
		}
	}
}

// padded spreads packed pixels over rows with some bytes between them that must not be seen.
func padded(format Format, width, height, padding int, pix []byte) *Image {
	rowBytes := width * format.bytesPerPixel()
	img := &Image{Format: format, Width: width, Height: height, Stride: rowBytes + padding}
	for y := range height {
		img.Pix = append(img.Pix, pix[y*rowBytes:][:rowBytes]...)
		img.Pix = append(img.Pix, noise(padding, uint64(y))...)
	}
	img.Pix = img.Pix[:len(img.Pix)-padding]
	if format == Paletted {
		img.Palette = palette(256)
	}
	return img
}

func TestTransparentPixelsKeepTheirColour(t *testing.T) {
	img := &Image{Format: RGBA, Width: 3, Height: 2, Stride: 12, Pix: noise(24, 8)}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 0
	}
	picture, ok := decode(t, encode(t, img), 3, 2).(*image.NRGBA)
	if !ok || !bytes.Equal(picture.Pix, img.Pix) {
		t.Errorf("got %v, want the samples %v", picture, img.Pix)
	}
}

func TestGray16(t *testing.T) {
	contents := []struct {
		name   string
		sample func(x, y int) uint16
	}{
		{"ramp", func(x, y int) uint16 { return uint16(257*x + 13*y) }},
		{"noise", func(x, y int) uint16 { return uint16((x*7919 + y*104729) * 48271) }},
		{"constant", func(x, y int) uint16 { return 0x1234 }},
	}
	for _, content := range contents {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", content.name, size[0], size[1]), func(t *testing.T) {
				width, height := size[0], size[1]
				img := &Gray16Image{Width: width, Height: height, Stride: width + 3, Pix: make([]uint16, (width+3)*height)}
				for y := range height {
					for x := range width {
						img.Pix[y*img.Stride+x] = content.sample(x, y)
					}
				}
				var encoder Encoder
				out, err := encoder.EncodeGray16(nil, img)
				if err != nil {
					t.Fatal(err)
				}
				picture, ok := decode(t, out, width, height).(*image.Gray16)
				if !ok {
					t.Fatal("not decoded as 16-bit gray")
				}
				for y := range height {
					for x := range width {
						if got, want := picture.Gray16At(x, y).Y, content.sample(x, y); got != want {
							t.Fatalf("sample %d, %d is %d, want %d", x, y, got, want)
						}
					}
				}
			})
		}
	}
}

func TestSolidTilesAreTiny(t *testing.T) {
	for _, format := range formats {
		t.Run(format.name, func(t *testing.T) {
			pixel := []byte{10, 200, 30, 0}[:format.format.bytesPerPixel()]
			img := padded(format.format, 256, 256, 0, bytes.Repeat(pixel, 256*256))
			if got := len(encode(t, img)); got >= 200 {
				t.Errorf("%d bytes", got)
			}
		})
	}
	var encoder Encoder
	out, err := encoder.EncodeGray16(nil, &Gray16Image{Width: 256, Height: 256, Stride: 256, Pix: make([]uint16, 256*256)})
	if err != nil || len(out) >= 400 {
		t.Errorf("16 bits: %d bytes, error %v", len(out), err)
	}
}

func TestSameBytesAgain(t *testing.T) {
	want := make([][]byte, len(tiles))
	for i := range tiles {
		want[i] = encode(t, &tiles[i].img)
	}
	var encoder Encoder
	for range 2 {
		for i := range tiles {
			got, err := encoder.Encode([]byte("before"), &tiles[i].img)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, append([]byte("before"), want[i]...)) {
				t.Errorf("%s: a used encoder gives other bytes than a new one", tiles[i].name)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, tile := range tiles {
		t.Run(tile.name, func(t *testing.T) {
			var encoder Encoder
			out, err := encoder.Encode(nil, &tile.img)
			if err != nil {
				t.Fatal(err)
			}
			allocations := testing.AllocsPerRun(5, func() { out, err = encoder.Encode(out[:0], &tile.img) })
			if err != nil || allocations != 0 {
				t.Errorf("%v allocations, error %v", allocations, err)
			}
		})
	}
	t.Run("gray 16", func(t *testing.T) {
		img := &Gray16Image{Width: 64, Height: 64, Stride: 64, Pix: make([]uint16, 64*64)}
		var encoder Encoder
		out, err := encoder.EncodeGray16(nil, img)
		if err != nil {
			t.Fatal(err)
		}
		allocations := testing.AllocsPerRun(5, func() { out, err = encoder.EncodeGray16(out[:0], img) })
		if err != nil || allocations != 0 {
			t.Errorf("%v allocations, error %v", allocations, err)
		}
	})
}
