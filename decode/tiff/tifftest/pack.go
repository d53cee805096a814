package tifftest

import "encoding/binary"

// pack makes the bytes of a block: the predictor, then the order of the bits and bytes.
func (b block) pack(bits, predictor int, order binary.ByteOrder) []byte {
	var out []byte
	perRow := b.width * b.samples
	for y := range b.height {
		row := b.values[y*perRow : (y+1)*perRow]
		switch {
		case bits < 8:
			out = appendBits(out, row, bits)
		case predictor == 3:
			out = appendFloatPredicted(out, row, bits/8, b.samples)
		default:
			for i, value := range row {
				if predictor == 2 && i >= b.samples {
					value -= row[i-b.samples]
				}
				out = appendNumber(out, order, value, bits/8)
			}
		}
	}
	return out
}

// appendBits packs samples of less than a byte, the first one highest; a row ends with its byte.
func appendBits(out []byte, row []uint64, bits int) []byte {
	for i, value := range row {
		shift := i * bits % 8
		if shift == 0 {
			out = append(out, 0)
		}
		out[len(out)-1] |= byte(value) << (8 - bits - shift)
	}
	return out
}

// appendFloatPredicted sorts the bytes of a row by significance, highest first in any byte order, and takes differences.
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
