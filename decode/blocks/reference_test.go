package blocks

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tileserver/raster"
)

// stored is a block encoded by a writer that shares no code with the codecs. It works sample by
// sample and bit by bit.
type stored struct {
	layout  Layout
	rows    int
	samples []uint64 // the bits of each, by row, pixel and band
}

func newStored(l Layout, rows int, seed uint64) stored {
	random := rand.New(rand.NewPCG(seed, 7))
	s := stored{l, rows, make([]uint64, rows*l.Width*l.Samples)}
	for i := range s.samples {
		s.samples[i] = random.Uint64() & (math.MaxUint64 >> (64 - l.Bits))
		if l.Bits == 16 && l.Type == raster.Float32 && s.samples[i]>>10&31 == 31 {
			s.samples[i] &^= 1 << 10 // NaNs do not compare
		}
	}
	return s
}

func (s stored) at(x, y, band int) uint64 {
	return s.samples[(y*s.layout.Width+x)*s.layout.Samples+band]
}

// encode returns the rows, uncompressed.
func (s stored) encode() []byte {
	var out []byte
	for y := range s.rows {
		row := s.samples[y*s.layout.Width*s.layout.Samples:][:s.layout.Width*s.layout.Samples]
		switch s.layout.Predictor {
		case FloatPredictor:
			out = append(out, s.floatRow(row)...)
		case HorizontalPredictor:
			out = append(out, s.packRow(s.differences(row))...)
		default:
			out = append(out, s.packRow(row)...)
		}
	}
	return out
}

func (s stored) differences(row []uint64) []uint64 {
	out := make([]uint64, len(row))
	for i := range row {
		out[i] = row[i]
		if i >= s.layout.Samples {
			out[i] -= row[i-s.layout.Samples]
		}
		out[i] &= math.MaxUint64 >> (64 - s.layout.Bits)
	}
	return out
}

func (s stored) packRow(row []uint64) []byte {
	l := s.layout
	out := make([]byte, l.RowBytes())
	for i, v := range row {
		for b := range l.Bits {
			bit := v >> (l.Bits - 1 - b) & 1
			at := i*l.Bits + b
			swapped := (l.hasMemorySize() || l.isNarrowFloat()) && !l.BigEndian
			if swapped || l.isPacked() && l.Bits == 24 && l.BigEndian { // as libtiff writes it
				at = i*l.Bits + (l.Bits/8-1-b/8)*8 + b%8
			}
			out[at/8] |= byte(bit) << (7 - at%8)
		}
	}
	return out
}

func (s stored) floatRow(row []uint64) []byte {
	size := s.layout.Bits / 8
	apart := make([]byte, 0, len(row)*size)
	for place := size - 1; place >= 0; place-- {
		for _, v := range row {
			apart = append(apart, byte(v>>(8*place)))
		}
	}
	out := bytes.Clone(apart)
	for i := s.layout.Samples; i < len(out); i++ {
		out[i] = apart[i] - apart[i-s.layout.Samples]
	}
	return out
}

// value returns the number that a sample should decode to.
func (s stored) value(v uint64) float64 {
	switch l := s.layout; {
	case l.isPacked() && isSigned(l.Type) && v>>(l.Bits-1) == 1:
		return float64(v) - math.Ldexp(1, l.Bits)
	case l.Bits == 16 && l.Type == raster.Float32:
		return narrowValue(v, 5, 10)
	case l.Bits == 24 && l.Type == raster.Float32:
		return narrowValue(v, 7, 16)
	case l.Type == raster.Float32:
		return float64(math.Float32frombits(uint32(v)))
	case l.Type == raster.Float64:
		return math.Float64frombits(v)
	case l.Type == raster.Int8:
		return float64(int8(v))
	case l.Type == raster.Int16:
		return float64(int16(v))
	case l.Type == raster.Int32:
		return float64(int32(v))
	case l.Type == raster.Int64:
		return float64(int64(v))
	}
	return float64(v)
}

func narrowValue(v uint64, exponentBits, fractionBits int) float64 {
	sign := 1 - 2*float64(v>>(exponentBits+fractionBits))
	exponent := int(v>>fractionBits) & (1<<exponentBits - 1)
	fraction := float64(v&(1<<fractionBits-1)) / float64(int(1)<<fractionBits)
	bias := 1<<(exponentBits-1) - 1
	switch {
	case exponent == 1<<exponentBits-1 && fraction == 0:
		return math.Inf(int(sign))
	case exponent == 1<<exponentBits-1:
		return math.NaN()
	case exponent == 0:
		return sign * math.Ldexp(fraction, 1-bias)
	}
	return sign * math.Ldexp(1+fraction, exponent-bias)
}

// sampleAt returns a sample of a target of any type.
func sampleAt(b *raster.Buffer, band, i int) float64 {
	plane, order := b.Plane(band), binary.NativeEndian
	switch b.Type() {
	case raster.Uint8:
		return float64(plane[i])
	case raster.Int8:
		return float64(int8(plane[i]))
	case raster.Uint16:
		return float64(order.Uint16(plane[2*i:]))
	case raster.Int16:
		return float64(int16(order.Uint16(plane[2*i:])))
	case raster.Uint32:
		return float64(order.Uint32(plane[4*i:]))
	case raster.Int32:
		return float64(int32(order.Uint32(plane[4*i:])))
	case raster.Uint64:
		return float64(order.Uint64(plane[8*i:]))
	case raster.Int64:
		return float64(int64(order.Uint64(plane[8*i:])))
	case raster.Float32:
		return float64(math.Float32frombits(order.Uint32(plane[4*i:])))
	default:
		return math.Float64frombits(order.Uint64(plane[8*i:]))
	}
}

// compressors encode rows for the codecs that decompress to bytes.
var compressors = map[Compression]func(t testing.TB, rows []byte) []byte{
	None:     func(_ testing.TB, rows []byte) []byte { return rows },
	PackBits: func(_ testing.TB, rows []byte) []byte { return literalPackBits(rows) },
	LZW:      func(_ testing.TB, rows []byte) []byte { return literalLZW(rows) },
	Deflate:  zlibCompressed,
	ZSTD:     zstdCompressed,
}

func literalPackBits(rows []byte) (out []byte) {
	for len(rows) > 0 {
		n := min(len(rows), 128)
		out = append(append(out, byte(n-1)), rows[:n]...)
		rows = rows[n:]
	}
	return out
}

// literalLZW clears the table before codes grow, so that all codes have 9 bits.
func literalLZW(rows []byte) []byte {
	var out []byte
	pending, bits := uint32(0), 0
	put := func(code uint32) {
		pending, bits = pending<<9|code, bits+9
		for ; bits >= 8; bits -= 8 {
			out = append(out, byte(pending>>(bits-8)))
		}
	}
	for i, b := range rows {
		if i%200 == 0 {
			put(256)
		}
		put(uint32(b))
	}
	put(257)
	return append(out, byte(pending<<(8-bits)))
}

func zlibCompressed(t testing.TB, rows []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstdCompressed(t testing.TB, rows []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(rows, nil)
}
