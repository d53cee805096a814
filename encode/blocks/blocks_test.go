package blocks

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/codec/lerc"
	decoded "tileserver/decode/blocks"
	"tileserver/raster"
)

var allTypes = []raster.DataType{
	raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Uint32, raster.Int32, raster.Uint64, raster.Int64,
	raster.Float32, raster.Float64, raster.ComplexInt16, raster.ComplexInt32, raster.Complex64, raster.Complex128,
}

// pixelsOf returns smooth pixels with noise in their lowest bytes.
func pixelsOf(t raster.DataType, width, height, samples int, seed uint64) Pixels {
	random := rand.New(rand.NewPCG(seed, 2))
	buffer := raster.NewBuffer(t, width, height, samples)
	planes := make([][]byte, samples)
	for band := range planes {
		planes[band] = buffer.Plane(band)
		for i := range planes[band] {
			planes[band][i] = byte(random.IntN(4) + i%t.Size()*17 + band)
		}
	}
	return Pixels{width, height, planes}
}

// decode decodes a block with the decoder of this module.
func decode(t *testing.T, e *Encoder, stored []byte, width, height int) raster.Tile {
	t.Helper()
	tables, err := e.JPEGTables()
	if err != nil {
		t.Fatal(err)
	}
	s := e.shape
	layout := decoded.Layout{
		Width: s.Width, Samples: s.Samples, Type: s.Type, Bits: 8 * s.Type.Size(), Predictor: decoded.Predictor(e.coding.Predictor),
		LERCCompression: decoded.Compression(e.coding.Around),
		JPEG:            decoded.JPEGLayout{Tables: decoded.NewJPEGTables(tables), YCbCr: s.Samples == 3},
	}
	target := raster.NewBuffer(s.Type, width, height, s.Samples)
	job := decoded.Job{Layout: &layout, Source: stored, Rows: s.Height, Target: target}
	for sample := range s.Samples {
		job.Samples = append(job.Samples, sample)
	}
	if err := decoded.AllCodecs()[decoded.Compression(e.coding.Compression)].Decode(&job); err != nil {
		t.Fatal(err)
	}
	return target.Freeze()
}

func encoderOf(t *testing.T, shape Shape, coding Coding) *Encoder {
	t.Helper()
	e, err := NewEncoder(shape, coding)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func checkLossless(t *testing.T, e *Encoder, pixels Pixels) {
	t.Helper()
	stored, err := e.Append([]byte("before"), pixels)
	if err != nil {
		t.Fatal(err)
	}
	tile := decode(t, e, bytes.TrimPrefix(stored, []byte("before")), pixels.Width, pixels.Height)
	for band, plane := range pixels.Planes {
		if !bytes.Equal(tile.Plane(band), plane) {
			t.Fatalf("sample %d: other values", band+1)
		}
	}
}

func TestLosslessBlocksAreDecodedAsTheyWere(t *testing.T) {
	for _, kind := range allTypes {
		for _, coding := range []Coding{
			{}, {Compression: LZW}, {Compression: LZW, Predictor: NoPredictor}, {Compression: Deflate}, {Compression: Deflate, Effort: 1},
			{Compression: Deflate, Effort: 9, Predictor: NoPredictor}, {Compression: ZSTD}, {Compression: ZSTD, Effort: 1},
			{Compression: ZSTD, Predictor: NoPredictor},
		} {
			t.Run(fmt.Sprintf("%v, %+v", kind, coding), func(t *testing.T) {
				for _, samples := range []int{1, 3, 4} {
					e := encoderOf(t, Shape{48, 32, samples, kind}, coding)
					for _, size := range [][2]int{{48, 32}, {47, 31}, {1, 1}, {13, 32}} {
						checkLossless(t, e, pixelsOf(kind, size[0], size[1], samples, 1))
					}
				}
			})
		}
	}
}

func TestSamplesInLERCAreDecodedAsTheyWere(t *testing.T) {
	for _, kind := range allTypes {
		if _, ok := lerc.TypeOf(kind); !ok {
			continue
		}
		for _, around := range []Compression{"", Deflate, ZSTD} {
			for _, samples := range []int{1, 3, 4} {
				e := encoderOf(t, Shape{48, 32, samples, kind}, Coding{Compression: LERC, Around: around})
				for _, size := range [][2]int{{48, 32}, {47, 31}, {1, 1}} {
					pixels := pixelsOf(kind, size[0], size[1], samples, 1)
					checkLossless(t, e, pixels)
					if kind.IsFloat() {
						setNaN(kind, pixels.Planes, 5)
						checkLossless(t, e, pixels)
						setNaN(kind, pixels.Planes[:1], 3)
						checkLossless(t, e, pixels)
					}
				}
			}
		}
	}
}

// setNaN makes every step-th sample the NaN that LERC gives.
func setNaN(t raster.DataType, planes [][]byte, step int) {
	nan := []byte{0, 0, 0xc0, 0x7f}
	if t == raster.Float64 {
		nan = []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}
	}
	for _, plane := range planes {
		for at := 0; at < len(plane); at += step * len(nan) {
			copy(plane[at:], nan)
		}
	}
}

func TestPredictorsOfAllWidthsAreUndone(t *testing.T) {
	for _, kind := range allTypes {
		if kind.IsComplex() {
			continue
		}
		checkLossless(t, encoderOf(t, Shape{32, 16, 3, kind}, Coding{Compression: Deflate, Predictor: HorizontalPredictor}),
			pixelsOf(kind, 32, 16, 3, 1))
	}
}

func TestLosslessWebPKeepsColorsOfTransparentPixels(t *testing.T) {
	for _, samples := range []int{3, 4} {
		pixels := pixelsOf(raster.Uint8, 33, 21, samples, 5)
		if samples == 4 {
			clear(pixels.Planes[3][:100])
		}
		checkLossless(t, encoderOf(t, Shape{48, 32, samples, raster.Uint8}, Coding{Compression: WebP, Lossless: true}), pixels)
	}
}

func TestPicturesLoseLittle(t *testing.T) {
	for _, test := range []struct {
		compression Compression
		samples     int
	}{{JPEG, 1}, {JPEG, 3}, {WebP, 3}, {WebP, 4}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			pixels := pixelsOf(raster.Uint8, 45, 30, test.samples, 1)
			for band, plane := range pixels.Planes {
				for i := range plane {
					plane[i] = byte(60 + 30*band + i%45 + i/45)
				}
			}
			e := encoderOf(t, Shape{48, 32, test.samples, raster.Uint8}, Coding{Compression: test.compression, Quality: 90})
			stored, err := e.Append(nil, pixels)
			if err != nil {
				t.Fatal(err)
			}
			tile := decode(t, e, stored, 45, 30)
			for band, plane := range pixels.Planes {
				for i, want := range plane {
					if got := tile.Plane(band)[i]; math.Abs(float64(got)-float64(want)) > 6 {
						t.Fatalf("sample %d of pixel %d is %d, want about %d", band+1, i, got, want)
					}
				}
			}
		})
	}
}

func TestBytesAreTheSameWhateverWasEncodedBefore(t *testing.T) {
	for _, coding := range []Coding{
		{}, {Compression: LZW}, {Compression: Deflate}, {Compression: Deflate, Effort: 1}, {Compression: Deflate, Effort: 5},
		{Compression: Deflate, Effort: 9}, {Compression: ZSTD}, {Compression: ZSTD, Effort: 1}, {Compression: ZSTD, Effort: 19},
		{Compression: LERC}, {Compression: LERC, Around: ZSTD}, {Compression: JPEG}, {Compression: WebP}, {Compression: WebP, Lossless: true},
	} {
		shape := Shape{64, 48, 3, raster.Uint8}
		used := encoderOf(t, shape, coding)
		for seed := range uint64(6) {
			pixels := pixelsOf(raster.Uint8, 64-int(seed), 48, 3, seed)
			got, err := used.Append(nil, pixels)
			want, errFresh := encoderOf(t, shape, coding).Append(nil, pixels)
			if err != nil || errFresh != nil || !bytes.Equal(got, want) {
				t.Fatalf("%+v: other bytes from an encoder that was used; %v, %v", coding, err, errFresh)
			}
		}
	}
}

func TestMasksHaveABitForEachCoveredPixel(t *testing.T) {
	e, err := NewMaskEncoder(32, 16)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1, 7, 8, 9, 31, 32} {
		coverage := make([]uint8, width*3)
		for i := range coverage {
			coverage[i] = uint8(i % 3)
		}
		for _, covered := range [][]uint8{coverage, nil} {
			stored, err := e.Append(nil, covered, width, 3)
			if err != nil {
				t.Fatal(err)
			}
			shape := &Encoder{shape: Shape{4, 16, 1, raster.Uint8}, coding: Coding{Compression: Deflate}}
			bits := decode(t, shape, stored, 4, 16).Plane(0)
			for i := range 32 * 16 {
				x, y := i%32, i/32
				want := x < width && y < 3 && (covered == nil || covered[min(y*width+x, len(covered)-1)] != 0)
				if got := bits[y*4+x/8]>>(7-x%8)&1 == 1; got != want {
					t.Fatalf("%d wide: bit at %d, %d is %v", width, x, y, got)
				}
			}
		}
	}
}

func TestCodingsThatDoNotFitAreErrors(t *testing.T) {
	rgb, floats := Shape{32, 32, 3, raster.Uint8}, Shape{32, 32, 1, raster.Float32}
	for _, test := range []struct {
		name   string
		shape  Shape
		coding Coding
	}{
		{"no pixels", Shape{0, 32, 1, raster.Uint8}, Coding{}},
		{"no type", Shape{32, 32, 1, raster.Unknown}, Coding{}},
		{"too many bytes", Shape{1 << 20, 1 << 20, 1, raster.Uint8}, Coding{}},
		{"unknown", rgb, Coding{Compression: "gzip"}},
		{"effort of Deflate", rgb, Coding{Compression: Deflate, Effort: 10}},
		{"effort of ZSTD", rgb, Coding{Compression: ZSTD, Effort: -1}},
		{"quality", rgb, Coding{Compression: JPEG, Quality: 101}},
		{"JPEG of floats", floats, Coding{Compression: JPEG}},
		{"JPEG of four samples", Shape{32, 32, 4, raster.Uint8}, Coding{Compression: JPEG}},
		{"WebP of gray", Shape{32, 32, 1, raster.Uint8}, Coding{Compression: WebP}},
		{"WebP too wide", Shape{1 << 14, 32, 3, raster.Uint8}, Coding{Compression: WebP}},
		{"predictor of floats for bytes", rgb, Coding{Compression: Deflate, Predictor: FloatPredictor}},
		{"predictor of complex numbers", Shape{32, 32, 1, raster.Complex64}, Coding{Compression: LZW, Predictor: HorizontalPredictor}},
		{"LERC of complex numbers", Shape{32, 32, 1, raster.Complex64}, Coding{Compression: LERC}},
		{"LERC within LZW", rgb, Coding{Compression: LERC, Around: LZW}},
		{"effort around LERC", rgb, Coding{Compression: LERC, Around: Deflate, Effort: 10}},
		{"predictor of LERC", rgb, Coding{Compression: LERC, Predictor: HorizontalPredictor}},
		{"predictor of JPEG", rgb, Coding{Compression: JPEG, Predictor: HorizontalPredictor}},
		{"unknown predictor", rgb, Coding{Compression: Deflate, Predictor: 4}},
	} {
		if _, err := NewEncoder(test.shape, test.coding); !errors.Is(err, ErrCoding) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestPixelsThatDoNotFitAreErrors(t *testing.T) {
	e := encoderOf(t, Shape{32, 32, 2, raster.Uint16}, Coding{})
	for name, pixels := range map[string]Pixels{
		"too wide":     pixelsOf(raster.Uint16, 33, 1, 2, 1),
		"none":         {Planes: make([][]byte, 2)},
		"one sample":   pixelsOf(raster.Uint16, 8, 8, 1, 1),
		"another type": pixelsOf(raster.Uint8, 8, 8, 2, 1),
	} {
		if out, err := e.Append([]byte("x"), pixels); err == nil || string(out) != "x" {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add(uint8(3), uint8(2), uint8(0), uint8(3), []byte("pixels"))
	f.Add(uint8(15), uint8(15), uint8(8), uint8(1), []byte{255, 0, 1, 127, 128})
	f.Fuzz(func(t *testing.T, width, height, kind, choice uint8, seed []byte) {
		compressions := []Compression{None, LZW, Deflate, ZSTD}
		dataType, samples := allTypes[int(kind)%len(allTypes)], int(choice>>4)%5+1
		e := encoderOf(t, Shape{16, 16, samples, dataType}, Coding{Compression: compressions[choice%4]})
		pixels := pixelsOf(dataType, int(width)%16+1, int(height)%16+1, samples, 1)
		for _, plane := range pixels.Planes {
			for filled := 0; len(seed) > 0 && filled < len(plane); {
				filled += copy(plane[filled:], seed)
			}
		}
		checkLossless(t, e, pixels)
	})
}
