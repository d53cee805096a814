package wavelet_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/jp2k/wavelet/wavelettest"
)

// wholes are resolutions with odd sizes and positions.
var wholes = []wavelet.Rect{
	{0, 0, 1, 1}, {1, 0, 2, 1}, {0, 1, 1, 2}, {5, 7, 6, 8},
	{0, 0, 1, 9}, {3, 2, 4, 11}, {2, 3, 12, 4}, {0, 0, 17, 1},
	{0, 0, 2, 2}, {1, 1, 3, 3}, {0, 1, 3, 3}, {1, 0, 4, 5},
	{0, 0, 5, 3}, {7, 9, 11, 13}, {0, 0, 16, 16}, {3, 0, 40, 19},
	{101, 98, 190, 131}, {100, 99, 171, 150}, {1<<31 - 9, 1<<31 - 12, 1<<31 + 30, 1<<31 + 7},
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 53)) }

// fill draws signed samples of at most the given number of bits.
func fill[T wavelet.Number](r *rand.Rand, samples []T, bits int) {
	for i := range samples {
		samples[i] = T(int64(r.Uint64()) >> (64 - bits))
	}
}

// randomBands returns bands of random coefficients.
func randomBands[T wavelet.Number](r *rand.Rand, whole wavelet.Rect, bits int) *[4]wavelet.Plane[T] {
	var bands [4]wavelet.Plane[T]
	for o := range bands {
		bands[o] = wavelet.NewPlane[T](wavelet.BandRect(whole, wavelet.Orientation(o)))
		fill(r, bands[o].Samples, bits)
	}
	return &bands
}

func TestReversibleMatchesStandard(t *testing.T) {
	for i, whole := range wholes {
		t.Run(fmt.Sprint(whole), func(t *testing.T) {
			checkReversible[int16](t, uint64(i), whole, 11)
			checkReversible[int32](t, uint64(i), whole, 20)
			checkReversible[int64](t, uint64(i), whole, 50)
		})
	}
}

func checkReversible[T wavelet.Integer](t *testing.T, seed uint64, whole wavelet.Rect, bits int) {
	t.Helper()
	bands := randomBands[T](random(seed), whole, bits)
	got := wavelet.NewPlane[T](whole)
	if err := wavelet.Synthesize53(new(wavelet.Scratch[T]), whole, bands, got); err != nil {
		t.Fatal(err)
	}
	for i, want := range reference(whole, bands, line53[T]) {
		if got.Samples[i] != want {
			t.Fatalf("%T: sample %d of a row of %d is %d, want %d", want, i, whole.Width(), got.Samples[i], want)
		}
	}
}

// Bands of the largest magnitudes that are allowed do not overflow.
func TestShortReversibleHoldsItsMaximum(t *testing.T) {
	for i, whole := range wholes {
		for _, greatest := range [][4]int{{16379, 0, 0, 0}, {0, 10919, 0, 0}, {0, 0, 10919, 0}, {0, 0, 0, 7278}, {2618, 2618, 2618, 2618}} {
			if highest := wavelet.MaxOf53(greatest); highest > wavelet.MaxShort || highest < wavelet.MaxShort-20 {
				t.Fatalf("bands of %v give %d, which does not test the maximum %d", greatest, highest, wavelet.MaxShort)
			}
			r := random(uint64(i))
			var short [4]wavelet.Plane[int16]
			var bands [4]wavelet.Plane[int32]
			for o := range bands {
				short[o] = wavelet.NewPlane[int16](wavelet.BandRect(whole, wavelet.Orientation(o)))
				bands[o] = wavelet.NewPlane[int32](short[o].Rect)
				for i := range bands[o].Samples {
					short[o].Samples[i] = int16(greatest[o] * (1 - 2*r.IntN(2)))
					bands[o].Samples[i] = int32(short[o].Samples[i])
				}
			}
			got, want := wavelet.NewPlane[int16](whole), wavelet.NewPlane[int32](whole)
			if err := errors.Join(
				wavelet.Synthesize53(new(wavelet.Scratch[int16]), whole, &short, got),
				wavelet.Synthesize53(new(wavelet.Scratch[int32]), whole, &bands, want),
			); err != nil {
				t.Fatal(err)
			}
			for i, want := range want.Samples {
				if int32(got.Samples[i]) != want {
					t.Fatalf("%v of %v: sample %d is %d, want %d", whole, greatest, i, got.Samples[i], want)
				}
			}
		}
	}
}

func TestIrreversibleMatchesStandard(t *testing.T) {
	for i, whole := range wholes {
		bands := randomBands[float32](random(uint64(i)), whole, 12)
		got := wavelet.NewPlane[float32](whole)
		if err := wavelet.Synthesize97(new(wavelet.Scratch[float32]), whole, bands, got); err != nil {
			t.Fatal(err)
		}
		for i, want := range reference(whole, bands, line97) {
			if math.Abs(float64(got.Samples[i])-want) > 5e-3 {
				t.Fatalf("%v: sample %d is %g, want %g", whole, i, got.Samples[i], want)
			}
		}
	}
}

func TestReversibleRoundTrip(t *testing.T) {
	for i, whole := range wholes {
		want := wavelet.NewPlane[int32](whole)
		fill(random(uint64(i)), want.Samples, 16)
		bands, got := wavelettest.Forward53(want), wavelet.NewPlane[int32](whole)
		if err := wavelet.Synthesize53(new(wavelet.Scratch[int32]), whole, &bands, got); err != nil {
			t.Fatal(err)
		}
		for i, want := range want.Samples {
			if got.Samples[i] != want {
				t.Fatalf("%v: sample %d is %d, want %d", whole, i, got.Samples[i], want)
			}
		}
	}
}

// Samples that alternate between both ends of 29 bits make the largest coefficients. Random samples
// make some nearly as large.
func TestReversibleHolds29Bits(t *testing.T) {
	whole := wavelet.Rect{X0: 3, Y0: 2, X1: 60, Y1: 41}
	for seed := range uint64(20) {
		r, want := random(seed), wavelet.NewPlane[int64](whole)
		for i := range want.Samples {
			x, y := i%want.Stride, i/want.Stride
			if want.Samples[i] = 1<<28 - 1; (x+y)%2 != 0 || seed > 0 && r.IntN(3) == 0 {
				want.Samples[i] = -1 << 28
			}
		}
		var bands [4]wavelet.Plane[int32]
		for o, band := range wavelettest.Forward53(want) {
			bands[o] = wavelet.NewPlane[int32](band.Rect)
			wavelet.Narrow(bands[o].Samples, band.Samples)
		}
		got := wavelet.NewPlane[int32](whole)
		if err := wavelet.Synthesize53(new(wavelet.Scratch[int32]), whole, &bands, got); err != nil {
			t.Fatal(err)
		}
		for i, sample := range want.Samples {
			if int64(got.Samples[i]) != sample {
				t.Fatalf("sample %d is %d, want %d", i, got.Samples[i], sample)
			}
		}
	}
}

func TestIrreversibleRoundTrip(t *testing.T) {
	for i, whole := range wholes {
		want := wavelet.NewPlane[float32](whole)
		fill(random(uint64(i)), want.Samples, 9)
		bands, got := wavelettest.Forward97(want), wavelet.NewPlane[float32](whole)
		if err := wavelet.Synthesize97(new(wavelet.Scratch[float32]), whole, &bands, got); err != nil {
			t.Fatal(err)
		}
		for i, want := range want.Samples {
			if math.Abs(float64(got.Samples[i]-want)) > 1e-3 {
				t.Fatalf("%v: sample %d is %g, want %g", whole, i, got.Samples[i], want)
			}
		}
	}
}

// A flat resolution has only its value in LL, whatever the gain of the filters.
func TestFlatStaysFlat(t *testing.T) {
	whole := wavelet.Rect{X0: 3, Y0: 5, X1: 40, Y1: 30}
	var bands [4]wavelet.Plane[float32]
	for o := range bands {
		bands[o] = wavelet.NewPlane[float32](wavelet.BandRect(whole, wavelet.Orientation(o)))
	}
	for i := range bands[wavelet.LL].Samples {
		bands[wavelet.LL].Samples[i] = 100
	}
	got := wavelet.NewPlane[float32](whole)
	if err := wavelet.Synthesize97(new(wavelet.Scratch[float32]), whole, &bands, got); err != nil {
		t.Fatal(err)
	}
	for i, sample := range got.Samples {
		if math.Abs(float64(sample)-100) > 1e-4 {
			t.Fatalf("sample %d is %g, want 100", i, sample)
		}
	}
}

// Fused products and sums would give other bits, and so would assembly with other operations.
func TestSameBitsOnEveryMachine(t *testing.T) {
	whole := wavelet.Rect{X0: 101, Y0: 98, X1: 190, Y1: 131}
	got := wavelet.NewPlane[float32](whole)
	if err := wavelet.Synthesize97(new(wavelet.Scratch[float32]), whole, randomBands[float32](random(97), whole, 12), got); err != nil {
		t.Fatal(err)
	}
	sum := crc32.NewIEEE()
	if err := binary.Write(sum, binary.LittleEndian, got.Samples); err != nil {
		t.Fatal(err)
	}
	if got, want := sum.Sum32(), uint32(0x5ad5c6d6); got != want {
		t.Errorf("the checksum is %#x, want %#x", got, want)
	}
}

func TestBandRect(t *testing.T) {
	for _, test := range []struct {
		whole wavelet.Rect
		want  [4]wavelet.Rect
	}{
		{wavelet.Rect{X0: 0, Y0: 0, X1: 5, Y1: 4}, [4]wavelet.Rect{{0, 0, 3, 2}, {0, 0, 2, 2}, {0, 0, 3, 2}, {0, 0, 2, 2}}},
		{wavelet.Rect{X0: 3, Y0: 1, X1: 4, Y1: 2}, [4]wavelet.Rect{{2, 1, 2, 1}, {1, 1, 2, 1}, {2, 0, 2, 1}, {1, 0, 2, 1}}},
		{wavelet.Rect{X0: 7, Y0: 6, X1: 12, Y1: 9}, [4]wavelet.Rect{{4, 3, 6, 5}, {3, 3, 6, 5}, {4, 3, 6, 4}, {3, 3, 6, 4}}},
	} {
		for o, want := range test.want {
			if got := wavelet.BandRect(test.whole, wavelet.Orientation(o)); got != want {
				t.Errorf("band %d of %v is %v, want %v", o, test.whole, got, want)
			}
		}
	}
}

func TestNeeded(t *testing.T) {
	whole := wavelet.Rect{X0: 0, Y0: 0, X1: 100, Y1: 50}
	for _, test := range []struct {
		name   string
		filter wavelet.Filter
		window wavelet.Rect
		want   [4]wavelet.Rect
	}{
		{"5-3, one even sample", wavelet.Filter53, wavelet.Rect{X0: 10, Y0: 20, X1: 11, Y1: 21},
			[4]wavelet.Rect{{5, 10, 6, 11}, {4, 10, 6, 11}, {5, 9, 6, 11}, {4, 9, 6, 11}}},
		{"5-3, one odd sample", wavelet.Filter53, wavelet.Rect{X0: 11, Y0: 21, X1: 12, Y1: 22},
			[4]wavelet.Rect{{5, 10, 7, 12}, {4, 10, 7, 12}, {5, 9, 7, 12}, {4, 9, 7, 12}}},
		{"9-7, one even sample", wavelet.Filter97, wavelet.Rect{X0: 10, Y0: 20, X1: 11, Y1: 21},
			[4]wavelet.Rect{{4, 9, 7, 12}, {3, 9, 7, 12}, {4, 8, 7, 12}, {3, 8, 7, 12}}},
		{"9-7, one odd sample", wavelet.Filter97, wavelet.Rect{X0: 11, Y0: 21, X1: 12, Y1: 22},
			[4]wavelet.Rect{{4, 9, 8, 13}, {3, 9, 8, 13}, {4, 8, 8, 13}, {3, 8, 8, 13}}},
		{"9-7, a corner", wavelet.Filter97, wavelet.Rect{X0: 0, Y0: 0, X1: 2, Y1: 1},
			[4]wavelet.Rect{{0, 0, 3, 2}, {0, 0, 3, 2}, {0, 0, 3, 2}, {0, 0, 3, 2}}},
		{"all of it", wavelet.Filter97, whole, [4]wavelet.Rect{{0, 0, 50, 25}, {0, 0, 50, 25}, {0, 0, 50, 25}, {0, 0, 50, 25}}},
		{"nothing", wavelet.Filter53, wavelet.Rect{X0: 100, Y0: 0, X1: 120, Y1: 10}, [4]wavelet.Rect{}},
	} {
		if got := test.filter.Needed(whole, test.window); got != test.want {
			t.Errorf("%s: needed is %v, want %v", test.name, got, test.want)
		}
	}
}

func TestSynthesizeRejectsSmallPlanes(t *testing.T) {
	whole, window := wavelet.Rect{X0: 0, Y0: 0, X1: 30, Y1: 20}, wavelet.Rect{X0: 7, Y0: 5, X1: 12, Y1: 9}
	for _, test := range []struct {
		name  string
		spoil func(bands *[4]wavelet.Plane[int32], to *wavelet.Plane[int32])
	}{
		{"a window outside", func(_ *[4]wavelet.Plane[int32], to *wavelet.Plane[int32]) { to.Rect.X0, to.Rect.X1 = 27, 32 }},
		{"a window without samples", func(_ *[4]wavelet.Plane[int32], to *wavelet.Plane[int32]) { to.Samples = nil }},
		{"a window that lacks its last sample", func(_ *[4]wavelet.Plane[int32], to *wavelet.Plane[int32]) { to.Samples = to.Samples[:19] }},
		{"a row that lacks its last sample", func(_ *[4]wavelet.Plane[int32], to *wavelet.Plane[int32]) {
			to.Rect.Y1, to.Samples = to.Rect.Y0+1, to.Samples[:4]
		}},
		{"rows that overlap", func(_ *[4]wavelet.Plane[int32], to *wavelet.Plane[int32]) { to.Stride = 4 }},
		{"a band that lacks a row", func(b *[4]wavelet.Plane[int32], _ *wavelet.Plane[int32]) { b[wavelet.LH].Rect.Y0++ }},
		{"a band without samples", func(b *[4]wavelet.Plane[int32], _ *wavelet.Plane[int32]) { b[wavelet.HH].Samples = nil }},
	} {
		var bands [4]wavelet.Plane[int32]
		for o, needed := range wavelet.Filter53.Needed(whole, window) {
			bands[o] = wavelet.NewPlane[int32](needed)
		}
		to := wavelet.NewPlane[int32](window)
		if err := wavelet.Synthesize53(new(wavelet.Scratch[int32]), whole, &bands, to); err != nil {
			t.Fatalf("%s: before: %v", test.name, err)
		}
		test.spoil(&bands, &to)
		if err := wavelet.Synthesize53(new(wavelet.Scratch[int32]), whole, &bands, to); !errors.Is(err, wavelet.ErrPlane) {
			t.Errorf("%s: the error is %v, want ErrPlane", test.name, err)
		}
	}
}
