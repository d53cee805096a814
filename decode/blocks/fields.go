package blocks

import (
	"fmt"
	"math"

	"tileserver/decode"
	"tileserver/raster"
)

// Field describes one sample of a pixel whose samples differ in type or size.
type Field struct {
	Bits int
	Type raster.DataType // the smallest type that holds the field
}

// checkFields returns an error unless every field can be read as a sample and fits the type of the
// layout.
func (l *Layout) checkFields() error {
	if l.Fields == nil {
		return nil
	}
	if len(l.Fields) != l.Samples {
		return fmt.Errorf("%d fields for %d samples: %w", len(l.Fields), l.Samples, decode.ErrUnsupported)
	}
	for i, f := range l.Fields {
		alone := Layout{Width: 1, Samples: 1, Type: f.Type, Bits: f.Bits}
		if err := alone.Check(); err != nil {
			return fmt.Errorf("sample %d: %w", i+1, err)
		}
		if f.Type.IsComplex() || l.Type.IsComplex() || f.Type.IsFloat() && !l.Type.IsFloat() || f.Bits > 8*l.Type.Size() {
			return fmt.Errorf("sample %d is a %v of %d bits among %v: %w", i+1, f.Type, f.Bits, l.Type, decode.ErrUnsupported)
		}
	}
	return nil
}

// unpackFields unpacks pixels whose samples differ in type or size.
func unpackFields(rows []byte, job *Job) {
	switch job.Layout.Type.Size() {
	case 1:
		unpackFieldsAs[uint8](rows, job)
	case 2:
		unpackFieldsAs[uint16](rows, job)
	case 4:
		unpackFieldsAs[uint32](rows, job)
	case 8:
		unpackFieldsAs[uint64](rows, job)
	}
}

func unpackFieldsAs[T word](rows []byte, job *Job) {
	l, width := job.Layout, job.Target.Width()
	planes := targetPlanes[T](job)
	size, step := l.RowBytes(), l.pixelBits()
	for i, s := range job.Samples {
		field, bit := l.Fields[s], 0
		for _, before := range l.Fields[:s] {
			bit += before.Bits
		}
		read := l.fieldReader(bit, field.Bits)
		for y := range job.Target.Height() {
			row := rows[y*size:][:size]
			plane := planes[i][y*width:][:width]
			for x := range plane {
				plane[x] = T(field.convert(l.Type, read(row, x*step)))
			}
		}
	}
}

// fieldReader returns a function that reads one field of the pixel that begins at a given bit of a
// row. The field begins `bit` bits into the pixel.
//
// In little-endian files, fields of whole bytes are stored low byte first. A pixel that packs into
// one word of 16 or 32 bits, such as 5, 6 and 5 bits, is stored as that word, low byte first. All
// other fields are bits from the highest down.
func (l *Layout) fieldReader(bit, bits int) func(row []byte, pixel int) uint64 {
	pixelBits, wholeByteFields := l.pixelBits(), 0
	for _, f := range l.Fields {
		if f.Bits%8 == 0 {
			wholeByteFields++
		}
	}
	switch {
	case !l.BigEndian && wholeByteFields == len(l.Fields):
		return func(row []byte, pixel int) uint64 { return littleEndian(row[(pixel+bit)/8:][:bits/8]) }
	case !l.BigEndian && wholeByteFields == 0 && (pixelBits == 16 || pixelBits == 32):
		return func(row []byte, pixel int) uint64 {
			word := littleEndian(row[pixel/8:][:pixelBits/8])
			return word >> (pixelBits - bit - bits) & (1<<bits - 1)
		}
	}
	return func(row []byte, pixel int) uint64 { return bitsAt(row, pixel+bit, bits) }
}

func littleEndian(bytes []byte) uint64 {
	var v uint64
	for i, b := range bytes {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// convert returns the value of the stored bits v as the bits of a sample of type t.
func (f Field) convert(t raster.DataType, v uint64) uint64 {
	if isSigned(f.Type) {
		v = signExtended(v, f.Bits)
	}
	if !t.IsFloat() {
		return v
	}
	value := float64(v)
	switch {
	case f.Type.IsFloat():
		value = f.float(v)
	case isSigned(f.Type):
		value = float64(int64(v))
	}
	if t == raster.Float32 {
		return uint64(math.Float32bits(float32(value)))
	}
	return math.Float64bits(value)
}

func (f Field) float(v uint64) float64 {
	switch f.Bits {
	case 16:
		return float64(math.Float32frombits(widenFloat(uint32(v), 5, 10)))
	case 24:
		return float64(math.Float32frombits(widenFloat(uint32(v), 7, 16)))
	case 32:
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}
