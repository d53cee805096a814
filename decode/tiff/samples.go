package tiff

import (
	"fmt"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/raster"
)

// samples says what the samples of a pixel are.
type samples struct {
	count    int // of a pixel
	bits     int // of a sample; the most if they differ
	format   uint64
	dataType raster.DataType // that they are decoded to
	planar   bool            // one plane per band
	fields   []blocks.Field  // if they differ in type or size; else nil

	// problem says why such samples cannot be read, or is nil.
	problem error
}

func newSamples(raw *ifd.Directory, maxSamples int) (s samples, err error) {
	if s.count, err = raw.Count(tag.SamplesPerPixel, "SamplesPerPixel", 1, maxSamples); err != nil {
		return s, err
	}
	const separatePlanes = 2
	s.planar = s.count > 1 && raw.Uint(tag.PlanarConfig, 1) == separatePlanes
	const maxBits = 128 // of two doubles, a complex number
	if s.bits, err = raw.Count(tag.BitsPerSample, "BitsPerSample", 1, maxBits); err != nil {
		return s, err
	}
	s.format = knownFormat(raw.Uint(tag.SampleFormat, formatUnsigned))
	s.dataType = dataTypeOf(s.format, s.bits)
	e, sample := firstDifference(raw, s.count)
	switch {
	case e == nil:
	case s.planar:
		s.problem = fmt.Errorf("one plane per band, and %v of sample %d differs from that of sample 1: %w", e, sample+1, decode.ErrUnsupported)
	default:
		s.readFields(raw)
	}
	return s, nil
}

// firstDifference returns the first sample of a pixel whose type or size is not that of the first
// sample, and the entry that says so, or nil if all are alike. Missing values count as equal to the
// first.
func firstDifference(raw *ifd.Directory, samples int) (e *ifd.Entry, sample int) {
	for _, t := range []ifd.Tag{tag.BitsPerSample, tag.SampleFormat} {
		e := raw.Entry(t)
		values := e.Uints()
		for i, v := range values[:min(len(values), samples)] {
			if v != values[0] {
				return e, i
			}
		}
	}
	return nil, 0
}

// readFields reads the samples of pixels that differ in type or size. All are decoded to the
// smallest type that holds each of them.
func (s *samples) readFields(raw *ifd.Directory) {
	bits, formats := raw.Entry(tag.BitsPerSample).Uints(), raw.Entry(tag.SampleFormat).Uints()
	s.fields = make([]blocks.Field, s.count)
	for i := range s.fields {
		fieldBits, format := s.bits, s.format
		if i < len(bits) {
			fieldBits = int(min(bits[i], 256)) // no type has that many
		}
		if i < len(formats) {
			format = knownFormat(formats[i])
		}
		s.fields[i] = blocks.Field{Bits: fieldBits, Type: dataTypeOf(format, fieldBits)}
	}
	s.dataType = commonType(s.fields)
	for _, f := range s.fields {
		s.bits = max(s.bits, f.Bits)
	}
}

// commonType returns the smallest type that holds the values of all fields exactly, or Unknown.
func commonType(fields []blocks.Field) raster.DataType {
	unsigned, signed, float := 0, 0, 0 // the most bits of each
	for _, f := range fields {
		switch f.Type {
		case raster.Uint8, raster.Uint16, raster.Uint32, raster.Uint64:
			unsigned = max(unsigned, f.Bits)
		case raster.Int8, raster.Int16, raster.Int32, raster.Int64:
			signed = max(signed, f.Bits)
		case raster.Float32, raster.Float64:
			float = max(float, f.Bits)
		default:
			return raster.Unknown
		}
	}
	const exactInFloat32, exactInFloat64 = 24, 53
	switch integer := max(unsigned, signed); {
	case float > 0 && float <= 32 && integer <= exactInFloat32:
		return raster.Float32
	case float > 0 && integer <= exactInFloat64:
		return raster.Float64
	case float > 0:
		return raster.Unknown
	case signed > 0 && unsigned > 0:
		return dataTypeOf(formatSigned, max(signed, unsigned+1))
	case signed > 0:
		return dataTypeOf(formatSigned, signed)
	}
	return dataTypeOf(formatUnsigned, unsigned)
}

// knownFormat returns format if it is a value of SampleFormat. Writers have stored other numbers,
// and mean the default.
func knownFormat(format uint64) uint64 {
	if format < formatUnsigned || format > formatComplexFloat {
		return formatUnsigned
	}
	return format
}

// dataTypeOf returns the smallest type that holds such samples, or Unknown.
func dataTypeOf(format uint64, bits int) raster.DataType {
	switch format {
	case formatUnsigned, formatUndefined:
		return smallest(bits, raster.Uint8, raster.Uint16, raster.Uint32, raster.Uint64)
	case formatSigned:
		return smallest(bits, raster.Int8, raster.Int16, raster.Int32, raster.Int64)
	case formatFloat:
		switch bits {
		case 16, 24, 32:
			return raster.Float32
		case 64:
			return raster.Float64
		}
	case formatComplexInteger:
		switch bits {
		case 32:
			return raster.ComplexInt16
		case 64:
			return raster.ComplexInt32
		}
	case formatComplexFloat:
		switch bits {
		case 64:
			return raster.Complex64
		case 128:
			return raster.Complex128
		}
	}
	return raster.Unknown
}

// smallest returns the first of types that has at least so many bits.
func smallest(bits int, types ...raster.DataType) raster.DataType {
	for _, t := range types {
		if bits <= 8*t.Size() {
			return t
		}
	}
	return raster.Unknown
}

// inBlock returns how many samples of a pixel one block holds.
func (s *samples) inBlock() int {
	if s.planar {
		return 1
	}
	return s.count
}

// planes returns how many times the grid of units is stored: once per band, or once.
func (s *samples) planes() int {
	if s.planar {
		return s.count
	}
	return 1
}

// pixelBits returns the bits that one block holds of a pixel.
func (s *samples) pixelBits() int64 {
	if s.fields == nil {
		return int64(s.inBlock()) * int64(s.bits)
	}
	bits := int64(0)
	for _, f := range s.fields {
		bits += int64(f.Bits)
	}
	return bits
}

// formatName returns the name of the format for people.
func (s *samples) formatName() string {
	switch s.format {
	case formatUnsigned, formatUndefined:
		return "unsigned"
	case formatSigned:
		return "signed"
	case formatFloat:
		return "float"
	case formatComplexInteger:
		return "complex integer"
	case formatComplexFloat:
		return "complex float"
	}
	return "unknown"
}
