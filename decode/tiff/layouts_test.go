package tiff

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tileserver/decode"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// The size of the images in everyLayout.
const layoutWidth, layoutHeight = 29, 19

// everyLayout opens an image in strips and tiles, in both byte orders, in both bit orders,
// compressed and not, interleaved by pixel and, if possible, in planes.
func everyLayout(t *testing.T, name string, img tifftest.Image, check func(t *testing.T, m *Image)) {
	t.Helper()
	for variant := range 32 {
		img := img
		img.Width, img.Height, img.BlockHeight = layoutWidth, layoutHeight, 7
		img.Tiled = variant&1 != 0
		if img.Subsampling[1] > 1 {
			img.BlockHeight = 8 // strips of whole chroma blocks
		}
		if img.Tiled {
			img.BlockWidth, img.BlockHeight = 16, 16
		}
		img.LowBitFirst = variant&4 != 0
		if variant&8 != 0 {
			img.Compression = tifftest.PackBits
		}
		if img.Planar = variant&16 != 0; img.Planar && img.Fields != nil {
			continue
		}
		big := variant&2 != 0
		t.Run(fmt.Sprintf("%s, tiled %v, big endian %v, low bit first %v, compression %d, planar %v", name, img.Tiled, big, img.LowBitFirst, img.Compression, img.Planar), func(t *testing.T) {
			m := open(t, tifftest.File{BigEndian: big, Images: []tifftest.Image{img}}).Images()[0]
			if err := m.Unsupported(); err != nil {
				t.Fatal(err)
			}
			check(t, m)
		})
	}
}

// TestIntegersOfAnyBits reads every width, signed and unsigned. The samples include the lowest and
// the highest number.
func TestIntegersOfAnyBits(t *testing.T) {
	for bits := 1; bits <= 64; bits++ {
		if testing.Short() && bits%7 != 3 {
			continue
		}
		for _, format := range []tifftest.Format{tifftest.Unsigned, tifftest.Signed} {
			low, high := 0.0, math.Ldexp(1, min(bits, 53))-1
			if format == tifftest.Signed {
				low, high = -math.Ldexp(1, min(bits, 53)-1), math.Ldexp(1, min(bits, 53)-1)-1
			}
			value := func(x, y, band int) float64 {
				switch n := x*7 + y*13 + band*5; n % 11 {
				case 0:
					return low
				case 1:
					return high
				default:
					return math.Floor(low + (high-low)*float64(n%97)/97)
				}
			}
			want := raster.DataType(0)
			for _, t := range []raster.DataType{raster.Uint8, raster.Uint16, raster.Uint32, raster.Uint64} {
				if want == 0 && bits <= 8*t.Size() {
					want = t
				}
			}
			if format == tifftest.Signed {
				want++ // the signed type follows the unsigned one
			}
			img := tifftest.Image{Samples: 2, Bits: bits, Format: format, Value: value}
			everyLayout(t, fmt.Sprintf("%d bits, format %d", bits, format), img, func(t *testing.T, m *Image) {
				if got := m.Info().Type; got != want {
					t.Fatalf("got %v, want %v", got, want)
				}
				checkLevel(t, m, 0, value, 0)
			})
		}
	}
}

func TestShortFloats(t *testing.T) {
	value := func(x, y, band int) float64 { return float64(x-20)/4 + float64(y*(band+1)) }
	for _, bits := range []int{16, 24} {
		img := tifftest.Image{Samples: 2, Bits: bits, Format: tifftest.Float, Value: value}
		everyLayout(t, fmt.Sprintf("%d bits", bits), img, func(t *testing.T, m *Image) { checkLevel(t, m, 0, value, 0) })
	}
}

func TestComplexSamples(t *testing.T) {
	re := func(x, y, band int) float64 { return float64(x - 30 + band*7) }
	im := func(x, y, band int) float64 { return float64(100*y - x) }
	for _, test := range []struct {
		bits   int
		format tifftest.Format
		want   raster.DataType
	}{
		{32, tifftest.ComplexInteger, raster.ComplexInt16}, {64, tifftest.ComplexInteger, raster.ComplexInt32},
		{64, tifftest.ComplexFloat, raster.Complex64}, {128, tifftest.ComplexFloat, raster.Complex128},
	} {
		img := tifftest.Image{Samples: 2, Bits: test.bits, Format: test.format, Value: re, Imaginary: im}
		everyLayout(t, test.want.String(), img, func(t *testing.T, m *Image) {
			if got := m.Info().Type; got != test.want {
				t.Fatalf("got %v, want %v", got, test.want)
			}
			planes, err := planesOf(t, m, 0)
			if err != nil {
				t.Fatal(err)
			}
			for band, plane := range planes {
				for i := range layoutWidth * layoutHeight {
					x, y := i%layoutWidth, i/layoutWidth
					want := complex(re(x, y, band), im(x, y, band))
					if got := complexAt(plane, test.want, i); got != want {
						t.Fatalf("band %d, pixel %d,%d: got %v, want %v", band, x, y, got, want)
					}
				}
			}
		})
	}
}

// complexAt returns the i-th sample of a plane.
func complexAt(plane []byte, dataType raster.DataType, i int) complex128 {
	size := dataType.Part().Size()
	part := func(at int) float64 {
		bytes := plane[(2*i+at)*size:]
		switch dataType.Part() {
		case raster.Int16:
			return float64(int16(binary.NativeEndian.Uint16(bytes)))
		case raster.Int32:
			return float64(int32(binary.NativeEndian.Uint32(bytes)))
		case raster.Float32:
			return float64(math.Float32frombits(binary.NativeEndian.Uint32(bytes)))
		}
		return math.Float64frombits(binary.NativeEndian.Uint64(bytes))
	}
	return complex(part(0), part(1))
}

// TestSamplesThatDiffer reads pixels whose samples differ in type or size. They decode to the
// smallest type that holds them all.
func TestSamplesThatDiffer(t *testing.T) {
	type field = tifftest.Field
	for _, test := range []struct {
		name   string
		fields []field
		want   raster.DataType
		bits   int
	}{
		{"3, 3 and 2 bits", []field{{Bits: 3}, {Bits: 3}, {Bits: 2}}, raster.Uint8, 3},
		{"5, 6, 5 and 8 bits", []field{{Bits: 5}, {Bits: 6}, {Bits: 5}, {Bits: 8}}, raster.Uint8, 8},
		{"8 and 16 bits", []field{{Bits: 8}, {Bits: 8}, {Bits: 16}}, raster.Uint16, 16},
		{"8, 1 and 12 bits", []field{{Bits: 8}, {Bits: 1}, {Bits: 12}}, raster.Uint16, 12},
		{"with a sign and without", []field{{Bits: 8}, {Bits: 8, Format: tifftest.Signed}}, raster.Int16, 8},
		{"a float and an integer", []field{{Bits: 32, Format: tifftest.Float}, {Bits: 16}}, raster.Float32, 32},
		{"a float and a long integer", []field{{Bits: 32, Format: tifftest.Float}, {Bits: 32}}, raster.Float64, 32},
	} {
		value := func(x, y, band int) float64 {
			f := test.fields[band]
			v := float64((x*7 + y*13 + band) % (1 << min(f.Bits-1, 10)))
			if f.Format != tifftest.Unsigned && x%3 == 0 {
				v = -v
			}
			return v
		}
		everyLayout(t, test.name, tifftest.Image{Fields: test.fields, Value: value}, func(t *testing.T, m *Image) {
			if info := m.Info(); info.Type != test.want || m.Description().Bits != test.bits {
				t.Fatalf("got %v of %d bits, want %v of %d", info.Type, m.Description().Bits, test.want, test.bits)
			}
			checkLevel(t, m, 0, value, 0)
		})
	}
}

// TestSharedChroma reads every subsampling, in blocks and images whose sizes are not multiples of
// it.
func TestSharedChroma(t *testing.T) {
	for _, bits := range []int{8, 12, 16} {
		for i := range 9 {
			h, v := []int{1, 2, 4}[i%3], []int{1, 2, 4}[i/3]
			value := wave(bits, tifftest.Unsigned)
			img := tifftest.Image{
				Samples: 3, Bits: bits, Photometric: tifftest.YCbCr, Subsampling: [2]int{h, v}, Value: value,
			}
			everyLayout(t, fmt.Sprintf("%d bits, %dx%d", bits, h, v), img, func(t *testing.T, m *Image) {
				checkLevel(t, m, 0, func(x, y, band int) float64 {
					if band > 0 {
						x, y = x/h, y/v
					}
					return value(x, y, band)
				}, 0)
			})
		}
	}
}

// TestFormatsOfNoMeaning reads undefined values of SampleFormat, which count as missing.
func TestFormatsOfNoMeaning(t *testing.T) {
	for _, format := range []uint16{0, 7, 999} {
		img := flat(5, 3, 7)
		img.Tags = []tifftest.Tag{{ID: 339, Value: []uint16{format}}}
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		if got := m.Info().Type; got != raster.Uint8 || m.Unsupported() != nil {
			t.Errorf("%d: got %v, %v", format, got, m.Unsupported())
		}
	}
}

// TestPlanesOfOtherKinds opens planes that differ in type, which no writer produces.
func TestPlanesOfOtherKinds(t *testing.T) {
	img := flat(5, 3, 7)
	img.Samples, img.Planar = 2, true
	img.Tags = []tifftest.Tag{{ID: 258, Value: []uint16{8, 16}}}
	m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
	if err := m.Unsupported(); !errors.Is(err, decode.ErrUnsupported) || !strings.Contains(err.Error(), "BitsPerSample of sample 2") {
		t.Errorf("got %v, want the difference", err)
	}
}
