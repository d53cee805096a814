package components

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// The largest coefficient decides the type, but no type is larger than memory was reserved for.
func TestCoefficientsTakeTheNarrowestType(t *testing.T) {
	for _, test := range []struct {
		decoded       []int32
		bits          int
		halved        bool
		want          any
		wantMagnitude int
	}{
		{[]int32{0, -127, 5}, 20, false, []int8{0, -127, 5}, 127},
		{[]int32{0, -128, 5}, 20, false, []int16{0, -128, 5}, 128},
		{[]int32{0, -255, 5}, 20, true, []int8{0, -127, 2}, 127},
		{[]int32{256, -7}, 20, true, []int16{128, -3}, 128},
		{[]int32{math.MaxInt16, -math.MaxInt16}, 20, false, []int16{math.MaxInt16, -math.MaxInt16}, math.MaxInt16},
		{[]int32{math.MaxInt16 + 1, 1}, 20, false, []int32{math.MaxInt16 + 1, 1}, unknownMagnitude},
		{[]int32{math.MaxInt32, 1}, 40, true, []int64{math.MaxInt32 / 2, 0}, unknownMagnitude},
		{[]int32{0x1234, 1}, 7, false, []int8{0x34, 1}, 0x1234},
		{[]int32{0x12345, 1}, 15, false, []int16{0x2345, 1}, 0x12345},
	} {
		got := newCoefficients(test.decoded, test.bits, test.halved)
		wantMagnitude := test.wantMagnitude
		if fmt.Sprintf("%T%v", got.numbers, got.numbers) != fmt.Sprintf("%T%v", test.want, test.want) || got.magnitude != wantMagnitude {
			t.Errorf("%v in %d bits, halved %v: %T%v with magnitude %d, want %T%v with %d", test.decoded, test.bits, test.halved,
				got.numbers, got.numbers, got.magnitude, test.want, test.want, wantMagnitude)
		}
	}
	if slices.Max([]int{coefficients{}.magnitude, math.MaxInt16}) >= unknownMagnitude {
		t.Error("numbers of 16 bits have the magnitude of larger ones")
	}
}
