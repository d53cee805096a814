package tiff

import (
	"fmt"

	"tileserver/decode"
	"tileserver/raster"
)

func (p *page) readSamples(r reading) (err error) {
	if p.samples, err = r.bounded(tagSamplesPerPixel, "SamplesPerPixel", 1, r.limits.Samples); err != nil {
		return err
	}
	const apart = 2
	p.planar = p.samples > 1 && r.uint(tagPlanarConfig, 1) == apart
	p.compression = compression(r.uint(tagCompression, 1))
	p.predictor = r.uint(tagPredictor, 1)
	const maxBits = 128 // of two doubles, a complex number
	if p.bits, err = r.bounded(tagBitsPerSample, "BitsPerSample", 1, maxBits); err != nil {
		return err
	}
	p.format = knownFormat(r.uint(tagSampleFormat, formatUnsigned))
	p.dataType = dataTypeOf(p.format, p.bits)
	if t, sample, alike := r.alike(p.samples); !alike {
		if p.planar {
			p.unsupported = fmt.Errorf("bands apart, and %v of sample %d is not that of sample 1: %w", t, sample+1, decode.ErrUnsupported)
			return nil
		}
		p.readFields(r)
	}
	return nil
}

// alike tells whether all samples of a pixel are of one kind, and else which value
// of a tag differs first from the one before all. Values that are missing are as
// the first.
func (r reading) alike(samples int) (t tag, sample int, alike bool) {
	for _, t := range []tag{tagBitsPerSample, tagSampleFormat} {
		values := r.entries[t].uints()
		for i, v := range values[:min(len(values), samples)] {
			if v != values[0] {
				return t, i, false
			}
		}
	}
	return 0, 0, true
}

// readFields is for pixels whose samples are not all alike. All of them come out as
// the smallest type that holds each.
func (p *page) readFields(r reading) {
	bits, formats := r.entries[tagBitsPerSample].uints(), r.entries[tagSampleFormat].uints()
	p.fields = make([]decode.Field, p.samples)
	for i := range p.fields {
		fieldBits, format := p.bits, p.format
		if i < len(bits) {
			fieldBits = int(min(bits[i], 256)) // which no type has
		}
		if i < len(formats) {
			format = knownFormat(formats[i])
		}
		p.fields[i] = decode.Field{Bits: fieldBits, Type: dataTypeOf(format, fieldBits)}
	}
	p.dataType = commonType(p.fields)
	for _, f := range p.fields {
		p.bits = max(p.bits, f.Bits)
	}
}

// commonType is the smallest type that holds the values of all fields, or Unknown.
func commonType(fields []decode.Field) raster.DataType {
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

// knownFormat is a value of SampleFormat. Writers have put others there, and mean
// what files without the tag do.
func knownFormat(format uint64) uint64 {
	if format < formatUnsigned || format > formatComplexFloat {
		return formatUnsigned
	}
	return format
}

// dataTypeOf is the smallest type that holds such samples, or Unknown.
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

// smallest is the first of some types that has as many bits.
func smallest(bits int, types ...raster.DataType) raster.DataType {
	for _, t := range types {
		if bits <= 8*t.Size() {
			return t
		}
	}
	return raster.Unknown
}

// samplesPerBlock is how many samples of a pixel lie in one block.
func (p *page) samplesPerBlock() int {
	if p.planar {
		return 1
	}
	return p.samples
}

// pixelBits is the size of what a block holds of a pixel.
func (p *page) pixelBits() int64 {
	bits := int64(p.samplesPerBlock()) * int64(p.bits)
	if p.fields != nil {
		bits = 0
		for _, f := range p.fields {
			bits += int64(f.Bits)
		}
	}
	return bits
}

// subsampled tells whether pixels share their chroma, in blocks of which the codec
// knows nothing.
func (p *page) subsampled() bool {
	return p.photometric == yCbCr && !p.compression.ofPictures() && p.subsampling != [2]uint64{1, 1}
}
