package tier1

import "unsafe"

// initialValue returns the value of a coefficient whose first 1 bit was found in a plane: that bit,
// half of the range that the planes below may hold, and the fraction bit. A value is the magnitude of a
// coefficient, with the sign in the highest bit.
func initialValue[C coefficient](number int, negative uint64) C {
	return 3<<uint(number) | C(negative)<<signBit[C]()
}

// signBit returns the position of the sign in a value.
func signBit[C coefficient]() int { return 8*int(unsafe.Sizeof(C(0))) - 1 }

// isNegative returns 1 for the value of a negative coefficient.
func isNegative[C coefficient](value C) around { return around(value>>signBit[C]()) & 1 }

// refine returns a value after one more bit.
func refine[C coefficient](value C, number int, bit uint64) C { return value + (2*C(bit)-1)<<number }

// coefficientOf returns the coefficient of a value.
func coefficientOf[C coefficient](value C) C {
	sign := value >> signBit[C]() // -1 if negative
	return (value&(1<<signBit[C]()-1) ^ sign) - sign
}

// arrange writes the coefficients of values row by row. whole does it for a stripe of four rows.
func arrange[C coefficient](f *field, out, values []C, whole func(out, slots []C, width int)) {
	for stripe := range f.stripes {
		slots, y := values[f.start(stripe):][:f.width*stripeRows], stripe*stripeRows
		rows := out[y*f.width : min(y+stripeRows, f.height)*f.width]
		if f.height-y >= stripeRows {
			whole(rows, slots, f.width)
		} else {
			arrangeColumns(rows, slots, f.width, 0)
		}
	}
}

// wholeStripe writes the coefficients of a stripe of four rows.
func wholeStripe[C coefficient](out, slots []C, width int) {
	first, second, third, fourth := out[:width], out[width:][:width], out[2*width:][:width], out[3*width:][:width]
	for x := range first {
		column := slots[x*stripeRows:][:stripeRows]
		first[x], second[x] = coefficientOf(column[0]), coefficientOf(column[1])
		third[x], fourth[x] = coefficientOf(column[2]), coefficientOf(column[3])
	}
}

// arrangeColumns writes the coefficients of a stripe from a column on.
func arrangeColumns[C coefficient](out, slots []C, width, from int) {
	for row := 0; row*width < len(out); row++ {
		for x := from; x < width; x++ {
			out[row*width+x] = coefficientOf(slots[x*stripeRows+row])
		}
	}
}
