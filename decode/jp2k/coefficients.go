package jp2k

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// coefficients are those of one code-block, row by row: whole numbers for a reversible
// wavelet, else twice the multiples of the band's step. They are a []int16, []int32 or
// []int64, whichever is the first to hold them; nil where all are zero. They are shared and
// never written.
type coefficients struct {
	numbers any
	lost    error // why some of them, or all, could not be decoded
}

const (
	sliceBytes = 24  // what a slice takes beside its elements
	lostBytes  = 256 // about what an error takes
)

// Size is the memory that they take.
func (c coefficients) Size() (bytes int64) {
	if c.lost != nil {
		bytes = lostBytes
	}
	switch numbers := c.numbers.(type) {
	case []int16:
		bytes += sliceBytes + 2*int64(cap(numbers))
	case []int32:
		bytes += sliceBytes + 4*int64(cap(numbers))
	case []int64:
		bytes += sliceBytes + 8*int64(cap(numbers))
	}
	return bytes
}

// coefficientBytes is what one takes whose magnitude has so many bits.
func coefficientBytes(bits int) int64 {
	switch {
	case bits < 16:
		return 2
	case bits < 32:
		return 4
	}
	return 8
}

// integer is what coefficients are decoded to.
type integer interface{ int32 | int64 }

// newCoefficients keeps what was decoded, magnitudes of so many bits, halved towards zero
// if they are to be whole.
func newCoefficients[T integer](decoded []T, bits int, halved bool) coefficients {
	switch {
	case bits < 16:
		return coefficients{numbers: kept[int16](decoded, halved)}
	case bits < 32:
		return coefficients{numbers: kept[int32](decoded, halved)}
	}
	return coefficients{numbers: kept[int64](decoded, halved)}
}

func kept[C wavelet.Coefficient, T integer](decoded []T, halved bool) []C {
	numbers := make([]C, len(decoded))
	if halved {
		wavelet.Halve(numbers, decoded)
	} else {
		wavelet.Narrow(numbers, decoded)
	}
	return numbers
}

// place puts the coefficients of a code-block where they belong in a band, each multiplied by
// what it stands for.
func place[V wavelet.Number](to *wavelet.Plane[V], c coefficients, block codestream.Rect, step V) error {
	switch numbers := c.numbers.(type) {
	case []int16:
		return wavelet.Place(to, wavelet.Rect(block), numbers, step)
	case []int32:
		return wavelet.Place(to, wavelet.Rect(block), numbers, step)
	case []int64:
		return wavelet.Place(to, wavelet.Rect(block), numbers, step)
	}
	return nil
}
