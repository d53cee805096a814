package wavelet_test

import (
	"math"
	"slices"
	"testing"

	"tileserver/decode/jp2k/wavelet"
)

func checkShort[C wavelet.Coefficient, D wavelet.FixedPoint](t *testing.T, bits int) {
	t.Helper()
	for _, count := range []int{0, 1, 15, 16, 17, 100} {
		from := make([]D, count)
		r := random(uint64(count))
		for i := range from {
			from[i] = D(int64(r.Uint64()) >> (64 - bits))
		}
		halves, same := make([]C, count), make([]C, count)
		wavelet.Halve(halves, from)
		wavelet.Narrow(same, from)
		for i, v := range from {
			if want := C(math.Trunc(float64(v) / 2)); halves[i] != want {
				t.Fatalf("half of %d is %d as %T, want %d", v, halves[i], want, want)
			}
			if want := C(v); same[i] != want {
				t.Fatalf("%d is %d as %T, want %d", v, same[i], want, want)
			}
		}
	}
}

func TestHalveAndNarrow(t *testing.T) {
	checkShort[int8, int32](t, 8)
	checkShort[int8, int64](t, 8)
	checkShort[int8, int16](t, 8)
	checkShort[int16, int16](t, 16)
	checkShort[int16, int32](t, 16)
	checkShort[int32, int32](t, 32)
	checkShort[int64, int32](t, 32)
	checkShort[int16, int64](t, 16)
	checkShort[int64, int64](t, 50)
}

func checkMagnitudes[D wavelet.FixedPoint](t *testing.T, lowest, highest D) {
	t.Helper()
	for count := range 70 {
		for at := range count {
			for _, c := range []D{7, -7, highest, lowest} {
				coefficients := slices.Repeat([]D{3, -5}, count)[:count]
				coefficients[at] = c
				if got, want := wavelet.MaxMagnitude(coefficients), max(int64(c), -int64(c)); got != want {
					t.Fatalf("%d at %d of %d: %d, want %d", c, at, count, got, want)
				}
			}
		}
	}
	if got := wavelet.MaxMagnitude[D](nil); got != 0 {
		t.Errorf("nothing: %d, want 0", got)
	}
}

func TestMaxMagnitude(t *testing.T) {
	checkMagnitudes[int16](t, math.MinInt16, math.MaxInt16)
	checkMagnitudes[int32](t, math.MinInt32, math.MaxInt32)
	checkMagnitudes[int64](t, -1<<50, 1<<50)
}

func TestHalveKeepsToTheShorterRow(t *testing.T) {
	to := []int16{9, 9, 9}
	wavelet.Halve(to, []int32{-7, 7})
	wavelet.Narrow(to[:1], []int32{-8, 8})
	if want := []int16{-8, 3, 9}; !slices.Equal(to, want) {
		t.Errorf("got %v, want %v", to, want)
	}
}

// Coefficients have a fraction bit. With a shift of 4, 31 is 15.5, which is background, and 32 is
// 16, which becomes 1.
func TestLowerRegion(t *testing.T) {
	for _, test := range []struct {
		name  string
		shift int
		from  []int32
		want  []int32
	}{
		{"no region", 0, []int32{5, -700}, []int32{5, -700}},
		{"background stays", 4, []int32{0, 1, -1, 31, -31}, []int32{0, 1, -1, 31, -31}},
		{"region goes down", 4, []int32{32, -32, 32 * 9, 3 << 6, -5 << 4}, []int32{2, -2, 18, 3 << 2, -5}},
		{"its halves stay", 4, []int32{33, -33, 32*9 + 1, -47}, []int32{3, -3, 19, -3}},
		{"the greatest", 20, []int32{math.MaxInt32, math.MinInt32}, []int32{2047, -2048}},
		{"a shift beyond the bits", 31, []int32{math.MaxInt32, math.MinInt32}, []int32{math.MaxInt32, math.MinInt32}},
		{"absurd", 255, []int32{math.MaxInt32, 7}, []int32{math.MaxInt32, 7}},
	} {
		got := slices.Clone(test.from)
		if wavelet.LowerRegion(got, test.shift); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v becomes %v, want %v", test.name, test.from, got, test.want)
		}
		short, areShort := inShorts(test.from)
		wantShort, _ := inShorts(test.want)
		if wavelet.LowerRegion(short, test.shift); areShort && !slices.Equal(short, wantShort) {
			t.Errorf("%s: %v becomes %v in 16 bits, want %v", test.name, test.from, short, wantShort)
		}
	}
}

// inShorts returns numbers as int16, if they all fit.
func inShorts(numbers []int32) (short []int16, areShort bool) {
	for _, n := range numbers {
		short = append(short, int16(n))
		if int32(int16(n)) != n {
			return nil, false
		}
	}
	return short, true
}
