package samples

import "math"

// The coefficients of the irreversible color transform, as in the standard.
const (
	redOfSecond   float32 = 1.402
	greenOfFirst  float32 = 0.344136
	greenOfSecond float32 = 0.714136
	blueOfFirst   float32 = 1.772
)

// FitsShort reports whether Reversible does not overflow with values of int16 of the given maximum
// magnitudes.
func FitsShort(luminance, blue, red int) bool {
	green := luminance + (blue+red)/4 + 1
	return blue+red <= math.MaxInt16 && green+max(blue, red) <= math.MaxInt16
}

// Reversible converts luminance and two color differences to red, green and blue, in place. The
// three slices must have the same length. Overflows wrap.
func Reversible[V Integer](first, second, third []V) {
	second, third = second[:len(first)], third[:len(first)]
	done := reversibleVectors(first, second, third)
	reversibleInGo(first[done:], second[done:], third[done:])
}

func reversibleInGo[V Integer](first, second, third []V) {
	second, third = second[:len(first)], third[:len(first)]
	for i, luminance := range first {
		blue, red := second[i], third[i]
		green := luminance - (blue+red)>>2
		first[i], second[i], third[i] = red+green, green, blue+green
	}
}

// Irreversible is like Reversible, with the irreversible transform. It gives the same bits on every
// machine.
func Irreversible(first, second, third []float32) {
	second, third = second[:len(first)], third[:len(first)]
	done := irreversibleVectors(first, second, third)
	irreversibleInGo(first[done:], second[done:], third[done:])
}

// The products are converted to float32. This forbids fusing them with a sum, which would round
// differently.
func irreversibleInGo(first, second, third []float32) {
	second, third = second[:len(first)], third[:len(first)]
	for i, luminance := range first {
		blue, red := second[i], third[i]
		first[i] = luminance + float32(redOfSecond*red)
		second[i] = luminance - float32(greenOfFirst*blue) - float32(greenOfSecond*red)
		third[i] = luminance + float32(blueOfFirst*blue)
	}
}
