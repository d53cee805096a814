package tifftest

import (
	"encoding/binary"
	"math/bits"
)

// packing says how samples become bytes.
type packing struct {
	fields    []Field // one, or one for each sample
	predictor int
	order     binary.ByteOrder
}

// packing returns the packing of an image. The parts of complex numbers count as samples.
func (img Image) packing(order binary.ByteOrder) packing {
	p := packing{img.Fields, img.Predictor, order}
	if p.fields == nil {
		p.fields = []Field{{img.Bits, img.Format}}
		if img.Format.complex() {
			p.fields[0] = Field{img.Bits / 2, img.Format.part()}
		}
	}
	return p
}

// rows returns the bytes of rows. It applies the predictor, then the order of bits and bytes.
func (p packing) rows(rows [][]uint64, samples int) [][]byte {
	packed := make([][]byte, len(rows))
	for i, row := range rows {
		packed[i] = p.appendRow(nil, row, samples)
	}
	return packed
}

func (p packing) appendRow(out []byte, row []uint64, samples int) []byte {
	first := p.fields[0]
	switch {
	case p.predictor == 3:
		return appendFloatPredicted(out, row, first.Bits/8, samples)
	case len(p.fields) > 1 || !first.ofBytes():
		return p.appendBits(out, row)
	}
	for i, value := range row {
		if p.predictor == 2 && i >= samples {
			value -= row[i-samples]
		}
		out = appendNumber(out, p.order, value, first.Bits/8)
	}
	return out
}

// ofBytes reports whether a sample is stored in the byte order of the file. Integers of other sizes
// are bits from the highest down.
func (f Field) ofBytes() bool {
	return f.Bits == 8 || f.Bits == 16 || f.Bits == 32 || f.Bits == 64 || f.Format == Float
}

// appendBits packs samples without gaps, highest bit first; each row ends on a whole byte. As in
// libtiff, the bytes of 24-bit integers are reversed in big-endian files. In little-endian files,
// so are samples of whole bytes among others of different type or size.
func (p packing) appendBits(out []byte, row []uint64) []byte {
	free := 0 // bits of the last byte
	for i, value := range row {
		field := p.fields[i%len(p.fields)]
		turned := len(p.fields) == 1 && field.Bits == 24 && p.order == binary.ByteOrder(binary.BigEndian)
		if turned || len(p.fields) > 1 && field.Bits%8 == 0 && p.order == binary.ByteOrder(binary.LittleEndian) {
			value = bits.ReverseBytes64(value) >> (64 - field.Bits)
		}
		for left := field.Bits; left > 0; {
			if free == 0 {
				out, free = append(out, 0), 8
			}
			n := min(left, free)
			left, free = left-n, free-n
			out[len(out)-1] |= byte(value>>left&mask(n)) << free
		}
	}
	return out
}

// appendFloatPredicted sorts the bytes of a row by significance, highest first in either byte
// order, and takes differences.
func appendFloatPredicted(out []byte, row []uint64, size, samples int) []byte {
	begin := len(out)
	for significance := size - 1; significance >= 0; significance-- {
		for _, value := range row {
			out = append(out, byte(value>>(8*significance)))
		}
	}
	bytes := out[begin:]
	for i := len(bytes) - 1; i >= samples; i-- {
		bytes[i] -= bytes[i-samples]
	}
	return out
}
