package lerc

import (
	"encoding/binary"
	"math"
)

// reader reads little-endian numbers from a slice. A read beyond the end sets failed and returns
// zero.
type reader struct {
	src    []byte
	pos    int
	failed bool
}

func (r *reader) rest() []byte { return r.src[r.pos:] }

// take returns the next n bytes.
func (r *reader) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.src)-r.pos {
		r.failed = true
		return nil, ErrTruncated
	}
	r.pos += n
	return r.src[r.pos-n : r.pos], nil
}

func (r *reader) skip(n int) { _, _ = r.take(n) }

func (r *reader) byte() byte {
	if b, err := r.take(1); err == nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint16() uint16 {
	if b, err := r.take(2); err == nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if b, err := r.take(4); err == nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) float64() float64 {
	if b, err := r.take(8); err == nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (r *reader) int32() int { return int(int32(r.uint32())) }

func (r *reader) float32() float32 { return math.Float32frombits(r.uint32()) }

// number reads a number of type t.
func (r *reader) number(t Type) float64 {
	switch t {
	case Int8:
		return float64(int8(r.byte()))
	case Uint8:
		return float64(r.byte())
	case Int16:
		return float64(int16(r.uint16()))
	case Uint16:
		return float64(r.uint16())
	case Int32:
		return float64(int32(r.uint32()))
	case Uint32:
		return float64(r.uint32())
	case Float32:
		return float64(r.float32())
	default:
		return r.float64()
	}
}
