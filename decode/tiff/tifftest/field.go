package tifftest

import (
	"fmt"
	"math"
)

// number returns the value of TIFF's SampleFormat.
func (f Format) number() int {
	switch f {
	case ComplexInteger:
		return 5
	case ComplexFloat:
		return 6
	}
	return int(f) + 1
}

func (f Format) complex() bool { return f == ComplexInteger || f == ComplexFloat }

// part returns the format of the parts of a complex sample.
func (f Format) part() Format {
	switch f {
	case ComplexInteger:
		return Signed
	case ComplexFloat:
		return Float
	}
	return f
}

// Field describes one sample of pixels whose samples differ in type or size.
type Field struct {
	Bits   int
	Format Format
}

// field returns the type and size of a sample.
func (img *Image) field(band int) Field {
	if img.Fields != nil {
		return img.Fields[band]
	}
	return Field{img.Bits, img.Format}
}

func (f Field) check() error {
	bits, maxBits := f.Bits, 64
	if f.Format.complex() {
		bits, maxBits = f.Bits/2, 128
	}
	switch {
	case f.Bits < 1 || f.Bits > maxBits || f.Format.complex() && f.Bits%2 != 0:
		return fmt.Errorf("%d bits for a sample", f.Bits)
	case f.Format.part() == Float && bits != 16 && bits != 24 && bits != 32 && bits != 64:
		return fmt.Errorf("floating point of %d bits", bits)
	case f.Format == ComplexInteger && bits%8 != 0:
		return fmt.Errorf("complex integers of %d bits", bits)
	}
	return nil
}

// pattern returns the bits of a sample.
func (f Field) pattern(value float64) uint64 {
	switch {
	case f.Format == Float:
		return floatPattern(value, f.Bits)
	case f.Format == Signed:
		limit := math.Ldexp(1, f.Bits-1)
		if value >= limit-0.5 {
			return mask(f.Bits - 1)
		}
		return uint64(int64(math.Round(max(value, -limit)))) & mask(f.Bits)
	case value >= math.Ldexp(1, f.Bits)-0.5:
		return mask(f.Bits)
	default:
		return uint64(math.Round(max(value, 0)))
	}
}

// floatPattern returns the bits of a floating point number. Short formats truncate the fraction. A
// number outside their exponent's range becomes 0 or infinity.
func floatPattern(value float64, bits int) uint64 {
	exponentBits := map[int]int{16: 5, 24: 7}[bits]
	switch {
	case bits == 64:
		return math.Float64bits(value)
	case bits == 32:
		return uint64(math.Float32bits(float32(value)))
	}
	fractionBits := bits - 1 - exponentBits
	fraction, exponent := math.Frexp(math.Abs(value)) // in [0.5, 1)
	sign := uint64(0)
	if math.Signbit(value) {
		sign = 1 << (bits - 1)
	}
	biased := exponent - 1 + 1<<(exponentBits-1) - 1
	switch {
	case value == 0 || biased <= 0:
		return sign
	case biased >= 1<<exponentBits-1:
		return sign | mask(exponentBits)<<fractionBits
	}
	return sign | uint64(biased)<<fractionBits | uint64((2*fraction-1)*math.Ldexp(1, fractionBits))
}
