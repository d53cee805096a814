package tifftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"strings"
	"testing"

	"golang.org/x/image/tiff"
)

// wave returns samples of a smooth image whose bands differ.
func wave(x, y, band int) float64 {
	return math.Round(120 + 80*math.Sin(float64(x)/20+float64(band))*math.Cos(float64(y)/25))
}

// levels returns an integer image of the given bits.
func levels(bits int) func(x, y, band int) float64 {
	return func(x, y, band int) float64 {
		return float64((x*7 + y*13 + band*31 + x*y) * 37 % (1 << bits))
	}
}

func encode(t *testing.T, file File) []byte {
	t.Helper()
	data, err := file.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// channels returns the samples of a pixel from the reference decoder.
func channels(img image.Image, x, y int) []float64 {
	switch pixels := img.(type) {
	case *image.Gray:
		return []float64{float64(pixels.GrayAt(x, y).Y)}
	case *image.Gray16:
		return []float64{float64(pixels.Gray16At(x, y).Y)}
	case *image.Paletted:
		return []float64{float64(pixels.ColorIndexAt(x, y))}
	case *image.RGBA:
		c := pixels.RGBAAt(x, y)
		return []float64{float64(c.R), float64(c.G), float64(c.B), float64(c.A)}
	case *image.NRGBA:
		c := pixels.NRGBAAt(x, y)
		return []float64{float64(c.R), float64(c.G), float64(c.B), float64(c.A)}
	case *image.RGBA64:
		c := pixels.RGBA64At(x, y)
		return []float64{float64(c.R), float64(c.G), float64(c.B), float64(c.A)}
	}
	return nil
}

func TestReferenceDecoderReadsTheSamePixels(t *testing.T) {
	for _, test := range []struct {
		name string
		img  Image
	}{
		{"gray", Image{Bits: 8}},
		{"gray of 16 bits", Image{Bits: 16}},
		{"RGB", Image{Samples: 3}},
		{"RGB of 16 bits", Image{Samples: 3, Bits: 16}},
		{"RGB and alpha", Image{Samples: 4, ExtraSamples: []int{2}}},
		{"palette", Image{Palette: make([][3]uint16, 256)}},
	} {
		for _, compression := range []Compression{None, LZW, Deflate, PackBits} {
			for _, predictor := range []int{1, 2} {
				for _, tiled := range []bool{false, true} {
					for _, bigEndian := range []bool{false, true} {
						img := test.img
						img.Width, img.Height, img.Value = 53, 37, levels(max(img.Bits, 8))
						img.Compression, img.Predictor, img.Tiled = compression, predictor, tiled
						img.BlockHeight = 10
						if tiled {
							img.BlockWidth, img.BlockHeight = 32, 16
						}
						name := fmt.Sprintf("%s, compression %d, predictor %d, tiled %v, big endian %v",
							test.name, compression, predictor, tiled, bigEndian)
						t.Run(name, func(t *testing.T) { compareWithReference(t, img, bigEndian) })
					}
				}
			}
		}
	}
}

func compareWithReference(t *testing.T, img Image, bigEndian bool) {
	t.Helper()
	data := encode(t, File{BigEndian: bigEndian, Images: []Image{img}})
	got, err := tiff.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size := got.Bounds().Size(); size != image.Pt(img.Width, img.Height) {
		t.Fatalf("size %v", size)
	}
	for y := range img.Height {
		for x := range img.Width {
			values := channels(got, x, y)
			if len(values) < img.Samples {
				t.Fatalf("a picture of type %T", got)
			}
			for band := range max(img.Samples, 1) {
				if want := img.Value(x, y, band); values[band] != want {
					t.Fatalf("%T, pixel %d, %d, band %d: %v, want %v", got, x, y, band, values[band], want)
				}
			}
		}
	}
}

func TestSignedAndFloatPatterns(t *testing.T) {
	for _, test := range []struct {
		format Format
		bits   int
		value  float64
		want   uint64
	}{
		{Unsigned, 8, -3, 0}, {Unsigned, 8, 300, 255}, {Unsigned, 8, 2.5, 3}, {Unsigned, 1, 1, 1},
		{Unsigned, 64, math.Ldexp(1, 70), math.MaxUint64},
		{Signed, 8, -1, 0xFF}, {Signed, 8, -200, 0x80}, {Signed, 8, 200, 0x7F}, {Signed, 16, -2, 0xFFFE},
		{Signed, 64, -1, math.MaxUint64}, {Signed, 64, 1e300, math.MaxInt64},
		{Float, 32, 1.5, 0x3FC00000}, {Float, 64, -2, 0xC000000000000000},
		{Float, 16, 1.5, 0x3E00}, {Float, 16, -2.5, 0xC100}, {Float, 16, 1e6, 0x7C00}, {Float, 16, 0, 0}, {Float, 24, 1.5, 0x3F8000},
		{Signed, 5, -1, 0x1F}, {Signed, 24, -2, 0xFFFFFE}, {Unsigned, 33, 1 << 32, 1 << 32},
	} {
		if got := (Field{test.bits, test.format}).pattern(test.value); got != test.want {
			t.Errorf("format %d, %d bits, %v: %#x, want %#x", test.format, test.bits, test.value, got, test.want)
		}
	}
}

func TestPack(t *testing.T) {
	row := block{width: 3, height: 1, samples: 1, values: []uint64{0x0102, 0x0304, 0x0203}}
	for _, test := range []struct {
		name      string
		block     block
		bits      int
		predictor int
		order     binary.ByteOrder
		want      []byte
	}{
		{"16 bits, little", row, 16, 1, binary.LittleEndian, []byte{2, 1, 4, 3, 3, 2}},
		{"16 bits, big", row, 16, 1, binary.BigEndian, []byte{1, 2, 3, 4, 2, 3}},
		{"differences", row, 16, 2, binary.BigEndian, []byte{1, 2, 2, 2, 0xFE, 0xFF}},
		{"floating point", row, 16, 3, binary.LittleEndian, []byte{1, 2, 0xFF, 0, 2, 0xFF}},
		{"one bit, two rows", block{width: 3, height: 2, samples: 1, values: []uint64{1, 0, 1, 0, 1, 1}}, 1, 1, binary.LittleEndian, []byte{0xA0, 0x60}},
		{"four bits", block{width: 3, height: 1, samples: 1, values: []uint64{1, 2, 3}}, 4, 1, binary.LittleEndian, []byte{0x12, 0x30}},
		{"differences of pixels, not samples", block{width: 2, height: 1, samples: 2, values: []uint64{5, 9, 6, 7}}, 8, 2, binary.LittleEndian, []byte{5, 9, 1, 0xFE}},
	} {
		p := Image{Bits: test.bits, Predictor: test.predictor}.packing(test.order)
		if got := bytes.Join(p.rows(test.block.rows(), test.block.samples), nil); !bytes.Equal(got, test.want) {
			t.Errorf("%s: % x, want % x", test.name, got, test.want)
		}
	}
}

func TestEncodeIsDeterministic(t *testing.T) {
	for _, compression := range []Compression{None, LZW, Deflate, PackBits, ZSTD, JPEGBlocks} {
		file := File{COG: true, Images: []Image{{Width: 70, Height: 41, Samples: 3, Tiled: true, BlockWidth: 32, BlockHeight: 32,
			Value: wave, Compression: compression}}}
		if !bytes.Equal(encode(t, file), encode(t, file)) {
			t.Errorf("compression %d: two encodings differ", compression)
		}
	}
}

func TestJPEGBlocks(t *testing.T) {
	for _, test := range []struct {
		name    string
		img     Image
		largest float64 // difference
	}{
		{"gray", Image{Samples: 1}, 6},
		{"RGB", Image{Samples: 3, Photometric: RGB}, 6},
		{"YCbCr 4:4:4", Image{Samples: 3, Photometric: YCbCr}, 9},
		{"YCbCr 4:2:0", Image{Samples: 3, Photometric: YCbCr, JPEG: JPEG{Subsampled: true}}, 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			img := test.img
			img.Width, img.Height, img.Value, img.Compression, img.JPEG.Quality = 75, 48, wave, JPEGBlocks, 95
			whole := img
			whole.JPEG.InlineTables = true
			parts := directoryOf(t, encode(t, File{Images: []Image{img}}))
			inline := directoryOf(t, encode(t, File{Images: []Image{whole}}))
			tables, block := parts.bytes(tagJPEGTables), parts.block(0)
			spliced := append(bytes.Clone(tables[:len(tables)-2]), block[2:]...)
			if !bytes.Equal(spliced, inline.block(0)) {
				t.Error("tables and block together are not the block with its tables")
			}
			if bytes.Contains(block, []byte{0xFF, markerQuant, 0}) {
				t.Error("the block has tables of its own")
			}
			compareJPEG(t, spliced, img, test.largest)
		})
	}
}

func compareJPEG(t *testing.T, stream []byte, img Image, largest float64) {
	t.Helper()
	if img.Photometric == RGB { // Adobe's marker tells the reference decoder that these are not YCbCr
		stream = append([]byte("\xFF\xD8\xFF\xEE\x00\x0EAdobe\x00\x64\x00\x00\x00\x00\x00"), stream[2:]...)
	}
	got, err := jpeg.Decode(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	for y := range img.Height {
		for x := range img.Width {
			r, g, b, _ := got.At(x, y).RGBA()
			for band, value := range []uint32{r, g, b}[:img.Samples] {
				if difference := math.Abs(float64(value>>8) - img.Value(x, y, band)); difference > largest {
					t.Fatalf("pixel %d, %d, band %d: %d, want %v", x, y, band, value>>8, img.Value(x, y, band))
				}
			}
		}
	}
}

func TestRejections(t *testing.T) {
	good := Image{Width: 10, Height: 10, Value: wave}
	for _, test := range []struct {
		want   string
		change func(*Image)
	}{
		{"not positive", func(img *Image) { img.Width = 0 }},
		{"no pixel values", func(img *Image) { img.Value = nil }},
		{"multiples of 16", func(img *Image) { img.Tiled, img.BlockWidth = true, 20 }},
		{"65 bits", func(img *Image) { img.Bits = 65 }},
		{"7 bits", func(img *Image) { img.Bits, img.Format = 7, ComplexFloat }},
		{"floating point of 12", func(img *Image) { img.Bits, img.Format = 12, Float }},
		{"floating point of 5", func(img *Image) { img.Bits, img.Format = 10, ComplexFloat }},
		{"complex integers of 5", func(img *Image) { img.Bits, img.Format = 10, ComplexInteger }},
		{"samples that differ", func(img *Image) { img.Fields, img.Planar = []Field{{5, Unsigned}, {6, Unsigned}}, true }},
		{"chroma", func(img *Image) { img.Samples, img.Subsampling = 3, [2]int{2, 2} }},
		{"predictor 3", func(img *Image) { img.Predictor = 3 }},
		{"predictor 2 with 1", func(img *Image) { img.Predictor, img.Bits = 2, 1 }},
		{"JPEG needs plain", func(img *Image) { img.Compression, img.Bits = JPEGBlocks, 16 }},
		{"JPEG of 5", func(img *Image) { img.Compression, img.Samples = JPEGBlocks, 5 }},
		{"compression 9", func(img *Image) { img.Compression = 9 }},
		{"tag 700", func(img *Image) { img.Tags = []Tag{{ID: 700, Value: 5}} }},
		{"child 0", func(img *Image) { img.Children = []Image{{}} }},
	} {
		img := good
		test.change(&img)
		if _, err := (File{Images: []Image{img}}).Encode(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
	if _, err := (File{}).Encode(); err == nil {
		t.Error("a file without images was written")
	}
}
