// Package pixel says what the pixels of a TIFF directory are: how many samples, of which type, and
// what color they mean. Package decode/tiff calls it for each directory. The package owns nothing but
// facts: it must never know where pixels are stored, nor how they are compressed.
//
// Words: the *photometric interpretation* is what the first samples mean; those after them are
// *extra*.
package pixel

import (
	"fmt"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/raster"
)

// Samples says what the samples of a pixel are.
type Samples struct {
	Count  int // of a pixel
	Bits   int // of a sample; the most if they differ
	Format Format
	Type   raster.DataType // that they are decoded to
	Planar bool            // one plane per band
	Fields []blocks.Field  // if they differ in type or size; else nil

	// Problem says why such samples cannot be read, or is nil.
	Problem error
}

// NewSamples reads the tags of a directory. A pixel may have maxSamples.
func NewSamples(raw *ifd.Directory, maxSamples int) (s Samples, err error) {
	if s.Count, err = raw.Count(tag.SamplesPerPixel, "SamplesPerPixel", 1, maxSamples); err != nil {
		return s, err
	}
	const separatePlanes = 2
	s.Planar = s.Count > 1 && raw.Uint(tag.PlanarConfig, 1) == separatePlanes
	const maxBits = 128 // of two doubles, a complex number
	if s.Bits, err = raw.Count(tag.BitsPerSample, "BitsPerSample", 1, maxBits); err != nil {
		return s, err
	}
	s.Format = knownFormat(raw.Uint(tag.SampleFormat, uint64(Unsigned)))
	s.Type = dataTypeOf(s.Format, s.Bits)
	e, sample := firstDifference(raw, s.Count)
	switch {
	case e == nil:
	case s.Planar:
		s.Problem = fmt.Errorf("one plane per band, and %v of sample %d differs from that of sample 1: %w", e, sample+1, decode.ErrUnsupported)
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
func (s *Samples) readFields(raw *ifd.Directory) {
	bits, formats := raw.Entry(tag.BitsPerSample).Uints(), raw.Entry(tag.SampleFormat).Uints()
	s.Fields = make([]blocks.Field, s.Count)
	for i := range s.Fields {
		fieldBits, format := s.Bits, s.Format
		if i < len(bits) {
			fieldBits = int(min(bits[i], 256)) // no type has that many
		}
		if i < len(formats) {
			format = knownFormat(formats[i])
		}
		s.Fields[i] = blocks.Field{Bits: fieldBits, Type: dataTypeOf(format, fieldBits)}
	}
	s.Type = commonType(s.Fields)
	for _, f := range s.Fields {
		s.Bits = max(s.Bits, f.Bits)
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
		return dataTypeOf(Signed, max(signed, unsigned+1))
	case signed > 0:
		return dataTypeOf(Signed, signed)
	}
	return dataTypeOf(Unsigned, unsigned)
}

// knownFormat returns format if it is a value of SampleFormat. Writers have stored other numbers,
// and mean the default.
func knownFormat(format uint64) Format {
	if format < uint64(Unsigned) || format > uint64(ComplexFloat) {
		return Unsigned
	}
	return Format(format)
}

// dataTypeOf returns the smallest type that holds such samples, or Unknown.
func dataTypeOf(format Format, bits int) raster.DataType {
	switch format {
	case Unsigned, Undefined:
		return smallest(bits, raster.Uint8, raster.Uint16, raster.Uint32, raster.Uint64)
	case Signed:
		return smallest(bits, raster.Int8, raster.Int16, raster.Int32, raster.Int64)
	case Float:
		switch bits {
		case 16, 24, 32:
			return raster.Float32
		case 64:
			return raster.Float64
		}
	case ComplexInteger:
		switch bits {
		case 32:
			return raster.ComplexInt16
		case 64:
			return raster.ComplexInt32
		}
	case ComplexFloat:
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

// InBlock returns how many samples of a pixel one block holds.
func (s *Samples) InBlock() int {
	if s.Planar {
		return 1
	}
	return s.Count
}

// Planes returns how many times the grid of units is stored: once per band, or once.
func (s *Samples) Planes() int {
	if s.Planar {
		return s.Count
	}
	return 1
}

// PixelBits returns the bits that one block holds of a pixel.
func (s *Samples) PixelBits() int64 {
	if s.Fields == nil {
		return int64(s.InBlock()) * int64(s.Bits)
	}
	bits := int64(0)
	for _, f := range s.Fields {
		bits += int64(f.Bits)
	}
	return bits
}
