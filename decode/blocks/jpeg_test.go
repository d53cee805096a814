package blocks

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"math"
	"runtime"
	"testing"

	"tileserver/decode"
	"tileserver/raster"
)

func encodeJPEG(t testing.TB, p image.Image, quality int) []byte {
	t.Helper()
	var stream bytes.Buffer
	if err := jpeg.Encode(&stream, p, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return stream.Bytes()
}

func yCbCrLayout(width int) *Layout {
	return &Layout{Width: width, Samples: 3, Type: raster.Uint8, Bits: 8, JPEG: JPEGLayout{YCbCr: true}}
}

func grayLayout(width int) *Layout {
	return &Layout{Width: width, Samples: 1, Type: raster.Uint8, Bits: 8}
}

func TestJPEGColors(t *testing.T) {
	for _, size := range [][2]int{{96, 64}, {97, 63}, {16, 16}, {1, 1}, {5, 3}, {33, 2}, {2, 33}, {255, 257}} {
		stream := encodeJPEG(t, photo(size[0], size[1]), 90)
		want := referenceRGB(t, stream)
		for _, samples := range [][]int{{0, 1, 2}, {2}, {1, 1, 0}} {
			target := raster.NewBuffer(raster.Uint8, size[0], size[1], len(samples))
			job := Job{Layout: yCbCrLayout(size[0]), Source: stream, Rows: size[1], Target: target, Samples: samples}
			if err := newJPEG().Decode(&job); err != nil {
				t.Fatalf("%v: %v", size, err)
			}
			worst := 0.0
			for i, s := range samples {
				for at, got := range target.Plane(i) {
					worst = max(worst, math.Abs(float64(got)-want(at%size[0], at/size[0])[s]))
				}
			}
			if worst > 4 {
				t.Errorf("%v, samples %v: off by up to %.1f levels", size, samples, worst)
			}
		}
	}
}

// TestJPEGAsStored decodes components that are not YCbCr, though decoders may guess so from their
// names or from markers.
func TestJPEGAsStored(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 37, 29))
	for i := range gray.Pix {
		gray.Pix[i] = byte(i * 3 / 4)
	}
	stream := encodeJPEG(t, gray, 95)
	want, err := jpeg.Decode(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	target := raster.NewBuffer(raster.Uint8, 37, 29, 1)
	if err := newJPEG().Decode(&Job{Layout: grayLayout(37), Source: stream, Rows: 29, Target: target, Samples: []int{0}}); err != nil {
		t.Fatal(err)
	}
	for at, got := range target.Plane(0) {
		if w := want.(*image.Gray).GrayAt(at%37, at/37).Y; math.Abs(float64(got)-float64(w)) > 3 {
			t.Fatalf("pixel %d is %d, want %d", at, got, w)
		}
	}
}

// splitJPEG moves the tables of a stream into a stream of their own.
func splitJPEG(whole []byte) (tables, rest []byte) {
	tables, rest = []byte{0xFF, 0xD8}, []byte{0xFF, 0xD8}
	for at := whole[2:]; ; {
		marker, size := at[1], 2+int(binary.BigEndian.Uint16(at[2:]))
		switch marker {
		case 0xDA:
			return append(tables, 0xFF, 0xD9), append(rest, at...)
		case 0xC4, 0xDB:
			tables = append(tables, at[:size]...)
		default:
			rest = append(rest, at[:size]...)
		}
		at = at[size:]
	}
}

func TestJPEGTables(t *testing.T) {
	whole := encodeJPEG(t, photo(48, 40), 80)
	tables, rest := splitJPEG(whole)
	decoded := func(layout *Layout, source []byte) ([]byte, error) {
		target := raster.NewBuffer(raster.Uint8, 48, 40, 3)
		err := newJPEG().Decode(&Job{Layout: layout, Source: source, Rows: 40, Target: target, Samples: []int{0, 1, 2}})
		return bytes.Join([][]byte{target.Plane(0), target.Plane(1), target.Plane(2)}, nil), err
	}
	want, err := decoded(yCbCrLayout(48), whole)
	if err != nil {
		t.Fatal(err)
	}
	layout := yCbCrLayout(48)
	layout.JPEG.Tables = NewJPEGTables(tables)
	got, err := decoded(layout, rest)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("with separate tables: different pixels, or %v", err)
	}
	if _, err := decoded(yCbCrLayout(48), rest); !errors.Is(err, decode.ErrCorruptBlock) {
		t.Errorf("without its tables: got %v, want decode.ErrCorruptBlock", err)
	}
	layout.JPEG.Tables = NewJPEGTables(tables[:40])
	if _, err := decoded(layout, rest); !errors.Is(err, decode.ErrCorruptBlock) {
		t.Errorf("with tables that are cut off: got %v, want decode.ErrCorruptBlock", err)
	}
}

// TestDamagedJPEG decodes damaged streams that other decoders accept.
func TestDamagedJPEG(t *testing.T) {
	black := image.NewGray(image.Rect(0, 0, 64, 64))
	for _, test := range []struct {
		name   string
		stream []byte
		layout *Layout
	}{
		{"colors", encodeJPEG(t, photo(64, 64), 85), yCbCrLayout(64)},
		{"black", encodeJPEG(t, black, 85), grayLayout(64)},
	} {
		decodeStream := func(stream []byte) error {
			target := raster.NewBuffer(raster.Uint8, 64, 64, test.layout.Samples)
			return newJPEG().Decode(&Job{Layout: test.layout, Source: stream, Rows: 64, Target: target, Samples: inOrder(test.layout.Samples)})
		}
		if err := decodeStream(test.stream); err != nil {
			t.Errorf("%s, whole: %v", test.name, err)
		}
		const endMarkerBytes = 2 // some writers omit it
		if err := decodeStream(test.stream[:len(test.stream)-endMarkerBytes]); err != nil {
			t.Errorf("%s, without the end marker: %v", test.name, err)
		}
		for n := range len(test.stream) - endMarkerBytes {
			if err := decodeStream(test.stream[:n:n]); !errors.Is(err, decode.ErrCorruptBlock) {
				t.Fatalf("%s, cut to %d of %d bytes: got %v, want decode.ErrCorruptBlock", test.name, n, len(test.stream), err)
			}
		}
		// The end marker is present, but the data before it is missing.
		scan := bytes.Index(test.stream, []byte{0xFF, 0xDA})
		short := append(bytes.Clone(test.stream[:scan+20]), 0xFF, 0xD9)
		if err := decodeStream(short); !errors.Is(err, decode.ErrCorruptBlock) {
			t.Errorf("%s, without its data: got %v, want decode.ErrCorruptBlock", test.name, err)
		}
	}
}

// TestHugeJPEG decodes a stream that claims 65500 x 65500 pixels in a block of 16 x 16. The memory
// for that must not be allocated.
func TestHugeJPEG(t *testing.T) {
	stream := encodeJPEG(t, photo(16, 16), 85)
	frame := bytes.Index(stream, []byte{0xFF, 0xC0})
	copy(stream[frame+5:], []byte{0xFF, 0xDC, 0xFF, 0xDC})
	stream = append(stream[:len(stream)-2], make([]byte, 5<<20)...)
	stream = append(stream, 0xFF, 0xD9)
	target := raster.NewBuffer(raster.Uint8, 16, 16, 3)
	codec := newJPEG()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := codec.Decode(&Job{Layout: yCbCrLayout(16), Source: stream, Rows: 16, Target: target, Samples: []int{0, 1, 2}})
	runtime.ReadMemStats(&after)
	if !errors.Is(err, decode.ErrCorruptBlock) {
		t.Errorf("got %v, want decode.ErrCorruptBlock", err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("%d MiB were allocated", grown>>20)
	}
}

// FuzzJPEGStream decodes arbitrary streams. It does not compare pixels: decoders overflow
// differently on extreme coefficients.
func FuzzJPEGStream(f *testing.F) {
	f.Add(encodeJPEG(f, grayPhoto(40, 24), 80), false)
	f.Add(encodeJPEG(f, photo(40, 24), 80), true)
	codec := newJPEG()
	f.Fuzz(func(t *testing.T, source []byte, color bool) {
		layout := grayLayout(40)
		if color {
			layout = yCbCrLayout(40)
		}
		target := raster.NewBuffer(raster.Uint8, 40, 24, layout.Samples)
		err := codec.Decode(&Job{Layout: layout, Source: source, Rows: 24, Target: target, Samples: inOrder(layout.Samples)})
		if err != nil && !errors.Is(err, decode.ErrCorruptBlock) && !errors.Is(err, decode.ErrUnsupported) {
			t.Fatal(err)
		}
	})
}

// FuzzJPEGPixels compares the decoded pixels of arbitrary pictures with those of the standard
// library's decoder.
func FuzzJPEGPixels(f *testing.F) {
	f.Add(grayPhoto(16, 16).Pix, byte(16), byte(80))
	f.Add([]byte{0, 255, 0, 255, 255, 0}, byte(3), byte(100))
	codec := newJPEG()
	f.Fuzz(func(t *testing.T, pixels []byte, width, quality byte) {
		if width == 0 || len(pixels) < int(width) {
			return
		}
		p := image.NewGray(image.Rect(0, 0, int(width), min(len(pixels)/int(width), 300)))
		copy(p.Pix, pixels)
		source := encodeJPEG(t, p, int(quality%100)+1)
		layout, height := grayLayout(int(width)), p.Rect.Dy()
		target := raster.NewBuffer(raster.Uint8, layout.Width, height, 1)
		if err := codec.Decode(&Job{Layout: layout, Source: source, Rows: height, Target: target, Samples: []int{0}}); err != nil {
			t.Fatal(err)
		}
		want, err := jpeg.Decode(bytes.NewReader(source))
		if err != nil {
			t.Fatal(err)
		}
		for at, got := range target.Plane(0) {
			if w := want.(*image.Gray).GrayAt(at%layout.Width, at/layout.Width).Y; math.Abs(float64(got)-float64(w)) > 3 {
				t.Fatalf("pixel %d is %d, want %d", at, got, w)
			}
		}
	})
}

func BenchmarkJPEG(b *testing.B) {
	for _, test := range []struct {
		name   string
		layout *Layout
		stream []byte
	}{
		{"YCbCr 4:2:0", yCbCrLayout(512), encodeJPEG(b, photo(512, 512), 85)},
		{"gray", grayLayout(512), encodeJPEG(b, grayPhoto(512, 512), 85)},
	} {
		b.Run(test.name, func(b *testing.B) {
			target := raster.NewBuffer(raster.Uint8, 512, 512, test.layout.Samples)
			job := &Job{Layout: test.layout, Source: test.stream, Rows: 512, Target: target, Samples: inOrder(test.layout.Samples)}
			codec := newJPEG()
			b.SetBytes(int64(512 * 512 * test.layout.Samples))
			b.ReportAllocs()
			for b.Loop() {
				if err := codec.Decode(job); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
