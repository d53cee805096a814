package png

import (
	"bytes"
	"encoding/binary"
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
			got := color.NRGBA64Model.Convert(picture.At(x, y)).(color.NRGBA64)
			// Conversion would lose the colors of transparent pixels.
			switch exact := picture.At(x, y).(type) {
			case color.NRGBA64:
				got = exact
			case color.NRGBA:
				got = wide(exact.R, exact.G, exact.B, exact.A)
			}
			if want := pixelAt(img, x, y); got != want {
				t.Fatalf("pixel %d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
}

// wide converts 8-bit samples to 16-bit samples.
func wide(r, g, b, a uint8) color.NRGBA64 {
	return color.NRGBA64{R: uint16(r) * 257, G: uint16(g) * 257, B: uint16(b) * 257, A: uint16(a) * 257}
}

func decode(t *testing.T, file []byte, width, height int) image.Image {
	t.Helper()
	reader := bytes.NewReader(file)
	picture, err := stdpng.Decode(reader)
	if err != nil {
		t.Fatalf("image/png rejects the file: %v", err)
	}
	if reader.Len() != 0 {
		t.Fatalf("%d bytes after the end of the file", reader.Len())
	}
	if got, want := picture.Bounds(), image.Rect(0, 0, width, height); got != want {
		t.Fatalf("bounds %v, want %v", got, want)
	}
	return picture
}

func pixelAt(img *Image, x, y int) color.NRGBA64 {
	pixel := img.Pix[y*img.Stride+x*img.Format.bytesPerPixel():]
	deep := func(sample int) uint16 { return binary.BigEndian.Uint16(pixel[2*sample:]) }
	switch img.Format {
	case Gray:
		return wide(pixel[0], pixel[0], pixel[0], 255)
	case GrayAlpha:
		return wide(pixel[0], pixel[0], pixel[0], pixel[1])
	case RGB:
		return wide(pixel[0], pixel[1], pixel[2], 255)
	case RGBA:
		return wide(pixel[0], pixel[1], pixel[2], pixel[3])
	case Gray16:
		return color.NRGBA64{R: deep(0), G: deep(0), B: deep(0), A: 0xffff}
	case GrayAlpha16:
		return color.NRGBA64{R: deep(0), G: deep(0), B: deep(0), A: deep(1)}
	case RGB16:
		return color.NRGBA64{R: deep(0), G: deep(1), B: deep(2), A: 0xffff}
	case RGBA16:
		return color.NRGBA64{R: deep(0), G: deep(1), B: deep(2), A: deep(3)}
	}
	color := img.Palette[pixel[0]]
	return wide(color[0], color[1], color[2], color[3])
}

// palette returns colors, a third of which are translucent.
func palette(colors int) [][4]uint8 {
	list := make([][4]uint8, colors)
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
}{{"gray", Gray}, {"gray alpha", GrayAlpha}, {"RGB", RGB}, {"RGBA", RGBA}, {"paletted", Paletted},
	{"gray 16", Gray16}, {"gray alpha 16", GrayAlpha16}, {"RGB 16", RGB16}, {"RGBA 16", RGBA16}}

var sizes = [][2]int{{1, 1}, {2, 1}, {1, 9}, {3, 7}, {8, 8}, {257, 1}, {256, 255}}

var contents = []struct {
	name string
	make func(width, height, channels int) []byte
}{
	{"photo", func(width, height, channels int) []byte { return photograph(width, height, channels, 1) }},
	{"chart", chart},
	{"noise", func(width, height, channels int) []byte { return noise(width*height*channels, 3) }},
	{"elevation", func(width, height, channels int) []byte {
		return elevation(width, (height*channels+2)/3, 3)[:width*height*channels]
	}},
	{"solid", func(width, height, channels int) []byte {
		return bytes.Repeat([]byte{77, 78, 79, 80, 81, 82, 83, 84}[:channels], width*height)
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

// padded arranges packed pixels in rows with padding bytes between them, which must not be encoded.
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

func TestTransparentPixelsKeepTheirColor(t *testing.T) {
	for _, width := range []int{3, 300} { // with a palette, and without
		img := &Image{Format: RGBA, Width: width, Height: 2, Stride: 4 * width, Pix: noise(8*width, 8)}
		for i := 3; i < len(img.Pix); i += 4 {
			img.Pix[i] = 0
		}
		checkDecoded(t, encode(t, img), img)
	}
}

func TestSolidTilesAreTiny(t *testing.T) {
	for _, format := range formats {
		t.Run(format.name, func(t *testing.T) {
			pixel := []byte{10, 200, 30, 0, 0, 1, 2, 3}[:format.format.bytesPerPixel()]
			img := padded(format.format, 256, 256, 0, bytes.Repeat(pixel, 256*256))
			limit := 200
			switch { // formats without a palette
			case format.format == Gray:
				limit = 400
			case format.format >= Gray16:
				limit = 4000
			}
			if got := len(encode(t, img)); got >= limit {
				t.Errorf("%d bytes", got)
			}
		})
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
}
