package raster_test

import (
	"encoding/binary"
	"math"
	"math/cmplx"
	"testing"

	"tileserver/raster"
)

// putComplex writes one sample to a buffer of any complex type.
func putComplex(b *raster.Buffer, at int, v complex128) {
	size := b.Type().Part().Size()
	bytes := b.Plane(0)[2*size*at:]
	for _, part := range []float64{real(v), imag(v)} {
		switch b.Type().Part() {
		case raster.Int16:
			binary.NativeEndian.PutUint16(bytes, uint16(int16(part)))
		case raster.Int32:
			binary.NativeEndian.PutUint32(bytes, uint32(int32(part)))
		case raster.Float32:
			binary.NativeEndian.PutUint32(bytes, math.Float32bits(float32(part)))
		case raster.Float64:
			binary.NativeEndian.PutUint64(bytes, math.Float64bits(part))
		}
		bytes = bytes[size:]
	}
}

func TestMaskOfComplexNumbers(t *testing.T) {
	nan := math.NaN()
	numbers := []complex128{7, 7 + 1i, 7i, -7, complex(nan, 0), complex(0, nan)}
	for _, test := range []struct {
		dataType raster.DataType
		value    float64
		hasValue bool
		want     []uint8
	}{
		{raster.ComplexInt16, 7, true, []uint8{0, 255, 255, 255, 255, 255}},
		{raster.ComplexInt16, 7, false, nil},
		{raster.ComplexInt32, 7, true, []uint8{0, 255, 255, 255, 255, 255}},
		{raster.ComplexInt32, 7.5, true, nil},
		{raster.Complex64, 7, true, []uint8{0, 255, 255, 255, 0, 0}},
		{raster.Complex128, -7, true, []uint8{255, 255, 255, 0, 0, 0}},
		{raster.Complex128, 0, false, []uint8{255, 255, 255, 255, 0, 0}},
	} {
		b := raster.NewBuffer(test.dataType, 3, 2, 1)
		for i, v := range numbers {
			if !test.dataType.Part().IsFloat() && cmplx.IsNaN(v) {
				v = 1
			}
			putComplex(b, i, v)
		}
		b.MaskValue(0, test.value, test.hasValue)
		if got := b.Freeze().Validity(0); string(got) != string(test.want) {
			t.Errorf("%v, %v (%v): got %v, want %v", test.dataType, test.value, test.hasValue, got, test.want)
		}
	}
}

func TestFillOfComplexNumbers(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.ComplexInt16, raster.ComplexInt32, raster.Complex64, raster.Complex128} {
		got, want := raster.NewBuffer(dataType, 3, 2, 1), raster.NewBuffer(dataType, 3, 2, 1)
		got.Fill(0, -9)
		for i := range 6 {
			putComplex(want, i, -9)
		}
		if string(got.Plane(0)) != string(want.Plane(0)) {
			t.Errorf("%v: got % x, want % x", dataType, got.Plane(0), want.Plane(0))
		}
	}
}

func TestOneComplexNumberIsItsMagnitude(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.ComplexInt16, raster.ComplexInt32, raster.Complex64, raster.Complex128} {
		b := raster.NewBuffer(dataType, 3, 2, 1)
		putComplex(b, 4, complex(-3, 4))
		if got, coverage := b.Freeze().At(0, 1, 1); got != 5 || coverage != raster.Valid {
			t.Errorf("%v: got %v, %d, want 5, %d", dataType, got, coverage, raster.Valid)
		}
	}
}
