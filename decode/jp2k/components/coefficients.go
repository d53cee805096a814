package components

import (
	"math"

	"tileserver/decode/jp2k/wavelet"
)

// coefficients are the coefficients of one code-block, row by row. For a reversible wavelet they
// are integers, otherwise twice the multiples of the band's step. numbers is a []int8, []int16, []int32
// or []int64, the narrowest type that holds them, or nil if all are zero. In the cache, numbers may also
// be those of a group: a []coefficients. Coefficients are immutable and shared.
type coefficients struct {
	numbers   any
	magnitude int   // the maximum, or more, in a []int8 or []int16, or unknownMagnitude
	lost      error // why some or all could not be decoded
}

// unknownMagnitude is the magnitude of numbers of other types. It is more than those have.
const unknownMagnitude = math.MaxInt32

const (
	sliceBytes = 24  // size of a slice without its elements
	lostBytes  = 256 // rough size of an error
)

// Size returns the memory of the coefficients.
func (c coefficients) Size() (bytes int64) {
	if c.lost != nil {
		bytes = lostBytes
	}
	switch numbers := c.numbers.(type) {
	case []int8:
		bytes += sliceBytes + int64(cap(numbers))
	case []int16:
		bytes += sliceBytes + 2*int64(cap(numbers))
	case []int32:
		bytes += sliceBytes + 4*int64(cap(numbers))
	case []int64:
		bytes += sliceBytes + 8*int64(cap(numbers))
	case []coefficients:
		bytes += groupBytes(len(numbers))
		for i := range numbers {
			bytes += numbers[i].Size()
		}
	}
	return bytes
}

// coefficientBytes returns the size of a coefficient whose magnitude has the given bits.
func coefficientBytes(bits int) int64 {
	switch {
	case bits < 8:
		return 1
	case bits < 16:
		return 2
	case bits < 32:
		return 4
	}
	return 8
}

// integer is a type that code-blocks are decoded to: int16 by devices.
type integer interface{ int16 | int32 | int64 }

// newCoefficients converts decoded coefficients to the narrowest type that holds them, and at most the type for
// the given bits, for which memory is reserved. If halved, it removes the fraction bit.
func newCoefficients[T integer](decoded []T, bits int, halved bool) coefficients {
	magnitude := wavelet.MaxMagnitude(decoded)
	if halved {
		magnitude /= 2
	}
	largest := int(min(magnitude, unknownMagnitude))
	switch {
	case bits < 8 || magnitude <= math.MaxInt8:
		return coefficients{convert[int8](decoded, halved), largest, nil}
	case bits < 16 || magnitude <= math.MaxInt16:
		return coefficients{convert[int16](decoded, halved), largest, nil}
	case bits < 32:
		return coefficients{convert[int32](decoded, halved), unknownMagnitude, nil}
	}
	return coefficients{convert[int64](decoded, halved), unknownMagnitude, nil}
}

func convert[C wavelet.Coefficient, T integer](decoded []T, halved bool) []C {
	numbers := make([]C, len(decoded))
	if halved {
		wavelet.Halve(numbers, decoded)
	} else {
		wavelet.Narrow(numbers, decoded)
	}
	return numbers
}

// place puts the coefficients of a code-block into a band, multiplied by step.
func place[V wavelet.Number](to *wavelet.Plane[V], c *coefficients, block wavelet.Rect, step V) error {
	switch numbers := c.numbers.(type) {
	case []int8:
		return wavelet.Place(to, block, numbers, step)
	case []int16:
		return wavelet.Place(to, block, numbers, step)
	case []int32:
		return wavelet.Place(to, block, numbers, step)
	case []int64:
		return wavelet.Place(to, block, numbers, step)
	}
	return wavelet.PlaceZeros(to, block)
}
