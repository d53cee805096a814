package wavelet_test

import (
	"errors"
	"slices"
	"testing"

	"tileserver/decode/jp2k/wavelet"
)

// A plane of a band receives all of a block, one side, one corner or nothing.
var placed = []struct {
	name  string
	block wavelet.Rect
}{
	{"all of a block", wavelet.Rect{X0: 8, Y0: 16, X1: 24, Y1: 20}},
	{"a block about the plane", wavelet.Rect{X0: 0, Y0: 0, X1: 64, Y1: 64}},
	{"a corner", wavelet.Rect{X0: 0, Y0: 0, X1: 8, Y1: 16}},
	{"a side", wavelet.Rect{X0: 32, Y0: 16, X1: 64, Y1: 32}},
	{"a column", wavelet.Rect{X0: 38, Y0: 0, X1: 64, Y1: 40}},
	{"nothing", wavelet.Rect{X0: 64, Y0: 0, X1: 128, Y1: 64}},
	{"a block without samples", wavelet.Rect{X0: 10, Y0: 20, X1: 10, Y1: 24}},
}

var placedIn = wavelet.Rect{X0: 5, Y0: 13, X1: 39, Y1: 30}

// checkPlaced places each block and compares each sample with its coefficient.
func checkPlaced[C wavelet.Coefficient, T wavelet.Number](
	t *testing.T, bits int, place func(*wavelet.Plane[T], wavelet.Rect, []C) error, want func(C) T,
) {
	t.Helper()
	for _, test := range placed {
		const strange = 77
		got := within(wavelet.NewPlane[T](placedIn), placedIn, strange)
		expected := slices.Clone(got.Samples)
		coefficients := make([]C, test.block.Width()*test.block.Height())
		r := random(3)
		for i := range coefficients {
			coefficients[i] = C(int64(r.Uint64()) >> (64 - bits))
		}
		for i, c := range coefficients {
			x, y := test.block.X0+i%test.block.Width(), test.block.Y0+i/test.block.Width()
			if x >= placedIn.X0 && x < placedIn.X1 && y >= placedIn.Y0 && y < placedIn.Y1 {
				expected[(y-placedIn.Y0)*got.Stride+x-placedIn.X0] = want(c)
			}
		}
		if err := place(&got, test.block, coefficients); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if !slices.Equal(got.Samples, expected) {
			t.Errorf("%s of coefficients of type %T: the samples differ", test.name, C(0))
		}
	}
}

func checkPlacedTimes[C wavelet.Coefficient, T wavelet.Number](t *testing.T, bits int, one T) {
	t.Helper()
	checkPlaced(t, bits, func(to *wavelet.Plane[T], block wavelet.Rect, c []C) error {
		return wavelet.Place(to, block, c, one)
	}, func(c C) T { return T(c) * one })
}

func TestBlocksArePlaced(t *testing.T) {
	checkPlacedTimes[int8, int16](t, 8, 1)
	checkPlacedTimes[int8, int32](t, 8, 1)
	checkPlacedTimes[int8, int64](t, 8, 1)
	checkPlacedTimes[int16, int16](t, 16, 1)
	checkPlacedTimes[int16, int32](t, 16, 1)
	checkPlacedTimes[int32, int32](t, 32, 1)
	checkPlacedTimes[int64, int32](t, 31, 1)
	checkPlacedTimes[int16, int32](t, 16, 3)
	checkPlacedTimes[int32, int32](t, 16, 3)
	checkPlacedTimes[int16, int64](t, 16, 1)
	checkPlacedTimes[int32, int64](t, 32, 1)
	checkPlacedTimes[int64, int64](t, 50, 1)
	checkPlacedTimes[int16, float32](t, 16, 0.3)
	checkPlacedTimes[int32, float32](t, 32, 0.3)
	checkPlacedTimes[int64, float32](t, 50, 0.3)
	checkPlaced(t, 16, func(to *wavelet.Plane[float32], block wavelet.Rect, _ []int16) error {
		return wavelet.PlaceZeros(to, block)
	}, func(int16) float32 { return 0 })
}

func TestPlaceRejectsBlocksThatDoNotFit(t *testing.T) {
	block := wavelet.Rect{X0: 8, Y0: 16, X1: 24, Y1: 20}
	whole := wavelet.NewPlane[int32](placedIn)
	if err := wavelet.Place(&whole, block, make([]int16, 63), 1); !errors.Is(err, wavelet.ErrPlane) {
		t.Errorf("too few coefficients: the error is %v, want ErrPlane", err)
	}
	short := whole
	short.Samples = short.Samples[:len(short.Samples)-1]
	if err := wavelet.Place(&short, block, make([]int16, 64), 1); !errors.Is(err, wavelet.ErrPlane) {
		t.Errorf("a plane that is too short: the error is %v, want ErrPlane", err)
	}
	if err := wavelet.PlaceZeros(&short, block); !errors.Is(err, wavelet.ErrPlane) {
		t.Errorf("zeros in a plane that is too short: the error is %v, want ErrPlane", err)
	}
}
