package nitf

import (
	"fmt"

	"tileserver/decode"
	"tileserver/decode/nitf/segments"
	"tileserver/raster"
)

// samples says how the samples of an image are written.
type samples struct {
	dataType raster.DataType
	bits     int // of a stored sample
	used     int // of them, if fewer; else 0
}

// integerTypes lists the types of integers, without a sign and with one, by their size.
var integerTypes = []struct {
	bits             int
	unsigned, signed raster.DataType
}{
	{8, raster.Uint8, raster.Int8}, {16, raster.Uint16, raster.Int16}, {32, raster.Uint32, raster.Int32}, {64, raster.Uint64, raster.Int64},
}

func samplesOf(h *segments.Image) (s samples, err error) {
	s.bits = h.Bits
	switch {
	case h.SampleType == "B" || h.Bits == 1:
		s.bits, s.dataType = 1, raster.Uint8
	case h.SampleType == "INT" || h.SampleType == "SI":
		s.dataType = integerType(h.Bits, h.SampleType == "SI")
	case h.SampleType == "R" && h.Bits == 32:
		s.dataType = raster.Float32
	case h.SampleType == "R" && h.Bits == 64:
		s.dataType = raster.Float64
	case h.SampleType == "C" && h.Bits == 64:
		s.dataType = raster.Complex64
	}
	if s.dataType == raster.Unknown {
		return s, fmt.Errorf("samples of type %q with %d bits: %w", h.SampleType, h.Bits, decode.ErrUnsupported)
	}
	s.setUsed(h)
	return s, nil
}

func integerType(bits int, signed bool) raster.DataType {
	for _, t := range integerTypes {
		if bits >= 1 && bits <= t.bits {
			if signed {
				return t.signed
			}
			return t.unsigned
		}
	}
	return raster.Unknown
}

// setUsed sets how many bits of an integer are in use. Samples are given as they are stored, since
// some writers say ABPP or PJUST wrongly.
func (s *samples) setUsed(h *segments.Image) {
	isInteger := !s.dataType.IsFloat() && !s.dataType.IsComplex()
	if !isInteger {
		return
	}
	used := s.bits
	if h.UsedBits > 0 && h.UsedBits < used && !h.LeftAligned {
		used = h.UsedBits
	}
	if used < 8*s.dataType.Size() {
		s.used = used
	}
}
