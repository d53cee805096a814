package samples

// The irreversible transform, as the standard gives it.
const (
	redOfSecond   float32 = 1.402
	greenOfFirst  float32 = 0.344136
	greenOfSecond float32 = 0.714136
	blueOfFirst   float32 = 1.772
)

// Reversible makes red, green and blue of a luminance and two differences, in place, in rows of one length. What overflows
// wraps.
func Reversible[V int32 | int64](first, second, third []V) {
	second, third = second[:len(first)], third[:len(first)]
	done := reversibleVectors(first, second, third)
	reversibleInGo(first[done:], second[done:], third[done:])
}

func reversibleInGo[V int32 | int64](first, second, third []V) {
	second, third = second[:len(first)], third[:len(first)]
	for i, luminance := range first {
		blue, red := second[i], third[i]
		green := luminance - (blue+red)>>2
		first[i], second[i], third[i] = red+green, green, blue+green
	}
}

// Irreversible is as Reversible, with the irreversible transform. Every machine makes the same bits.
func Irreversible(first, second, third []float32) {
	second, third = second[:len(first)], third[:len(first)]
	done := irreversibleVectors(first, second, third)
	irreversibleInGo(first[done:], second[done:], third[done:])
}

// Products are converted, which forbids to fuse them with a sum: that would make other bits.
func irreversibleInGo(first, second, third []float32) {
	second, third = second[:len(first)], third[:len(first)]
	for i, luminance := range first {
		blue, red := second[i], third[i]
		first[i] = luminance + float32(redOfSecond*red)
		second[i] = luminance - float32(greenOfFirst*blue) - float32(greenOfSecond*red)
		third[i] = luminance + float32(blueOfFirst*blue)
	}
}
