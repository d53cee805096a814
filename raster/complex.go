package raster

import (
	"math"
	"unsafe"
)

// numbersOf returns the numbers of a band, row by row. A complex sample is two numbers: the real
// part and the imaginary part.
func numbersOf[T Sample](p *pixels, band int) []T {
	plane := p.plane(band)
	if len(plane) == 0 {
		return nil
	}
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(&plane[0])), len(plane)/int(unsafe.Sizeof(zero)))
}

// magnitude returns the magnitude of one complex sample.
func (p *pixels) magnitude(band, at int) float64 {
	switch p.dataType.Part() {
	case Int16:
		return magnitudeAt(numbersOf[int16](p, band), at)
	case Int32:
		return magnitudeAt(numbersOf[int32](p, band), at)
	case Float32:
		return magnitudeAt(numbersOf[float32](p, band), at)
	default:
		return magnitudeAt(numbersOf[float64](p, band), at)
	}
}

func magnitudeAt[T Sample](numbers []T, at int) float64 {
	return math.Hypot(float64(numbers[2*at]), float64(numbers[2*at+1]))
}

func (p *pixels) maskedComplex(band int, value float64, hasValue bool) []uint8 {
	switch p.dataType.Part() {
	case Int16:
		return maskedComplex[int16](p, band, value, hasValue)
	case Int32:
		return maskedComplex[int32](p, band, value, hasValue)
	case Float32:
		return maskedComplex[float32](p, band, value, hasValue)
	case Float64:
		return maskedComplex[float64](p, band, value, hasValue)
	}
	return nil
}

// maskedComplex is the complex variant of masked. It masks samples that equal value (with imaginary
// part 0) and samples with a NaN part.
func maskedComplex[T Sample](p *pixels, band int, value float64, hasValue bool) []uint8 {
	want, representable := fromFloat[T](value)
	mayMatch := hasValue && representable
	var plane []uint8
	numbers := numbersOf[T](p, band)
	for i := range len(numbers) / 2 {
		re, im := numbers[2*i], numbers[2*i+1]
		if mayMatch && re == want && im == 0 || re != re || im != im {
			if plane == nil {
				plane = p.copyOfValidity(band)
			}
			plane[i] = Invalid
		}
	}
	return plane
}

func (b *Buffer) fillComplex(band int, value float64) {
	switch b.Type().Part() {
	case Int16:
		fillComplex[int16](b, band, value)
	case Int32:
		fillComplex[int32](b, band, value)
	case Float32:
		fillComplex[float32](b, band, value)
	case Float64:
		fillComplex[float64](b, band, value)
	}
}

func fillComplex[T Sample](b *Buffer, band int, value float64) {
	sample := Clamp[T](value)
	numbers := numbersOf[T](b.p, band)
	for i := range len(numbers) / 2 {
		numbers[2*i], numbers[2*i+1] = sample, 0
	}
}
