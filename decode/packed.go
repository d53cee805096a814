package decode

import (
	"encoding/binary"

	"tileserver/raster"
)

// packed tells whether samples are stored in fewer bits than they take in
// memory. They are widened and not scaled; only unsigned ones are stored so.
// Their bits have one order in files of either byte order, those of 24 bits too.
func (l *Layout) packed() bool {
	switch l.Type {
	case raster.Uint8, raster.Uint16, raster.Uint32, raster.Uint64:
		return l.Bits > 0 && l.Bits < 8*l.Type.Size()
	}
	return false
}

// unpackBits widens samples that are packed from the highest bit of a byte down.
// Rows begin on whole bytes.
func unpackBits(rows []byte, job *Job) {
	switch job.Layout.Type {
	case raster.Uint8:
		unpackBitsAs[uint8](rows, job)
	case raster.Uint16:
		unpackBitsAs[uint16](rows, job)
	case raster.Uint32:
		unpackBitsAs[uint32](rows, job)
	case raster.Uint64:
		unpackBitsAs[uint64](rows, job)
	}
}

func unpackBitsAs[T word](rows []byte, job *Job) {
	l, width := job.Layout, job.Target.Width()
	planes := targetPlanes[T](job)
	for y := range job.Target.Height() {
		row := rows[y*l.RowBytes():][:l.RowBytes()]
		for i, s := range job.Samples {
			plane := planes[i][y*width:][:width]
			switch bytes, areBytes := any(plane).([]uint8); {
			case areBytes && l.Bits == 1 && l.Samples == 1:
				widenBits(bytes, row)
			case 8%l.Bits == 0:
				widenWithinBytes(plane, row, s*l.Bits, l)
			default:
				widenAcrossBytes(plane, row, s*l.Bits, l)
			}
		}
	}
}

// widenWithinBytes is for 1, 2 and 4 bits, which never straddle bytes.
func widenWithinBytes[T word](plane []T, row []byte, bit int, l *Layout) {
	mask := byte(1)<<l.Bits - 1
	step := l.Samples * l.Bits
	for x := range plane {
		plane[x] = T(row[bit>>3] >> (8 - l.Bits - bit&7) & mask)
		bit += step
	}
}

// widenBits makes bytes of bits, eight at a time: each of them is singled out in
// a byte of its own, the highest in the first, and then moved down.
func widenBits(plane, row []byte) {
	const each, singled, below = 0x0101010101010101, 0x0102040810204080, 0x7f7f7f7f7f7f7f7f
	for ; len(plane) >= 8; plane, row = plane[8:], row[1:] {
		binary.LittleEndian.PutUint64(plane, (uint64(row[0])*each&singled+below)>>7&each)
	}
	for x := range plane {
		plane[x] = row[0] >> (7 - x) & 1
	}
}

func widenAcrossBytes[T word](plane []T, row []byte, bit int, l *Layout) {
	step := l.Samples * l.Bits
	for x := range plane {
		plane[x] = T(bitsAt(row, bit, l.Bits))
		bit += step
	}
}

// bitsAt is the n bits of row from the given one on, as a number.
func bitsAt(row []byte, bit, n int) uint64 {
	var v uint64
	for n > 0 {
		left := 8 - bit&7 // bits of this byte that are still to come
		take := min(left, n)
		chunk := row[bit>>3] >> (left - take) & (1<<take - 1)
		v = v<<take | uint64(chunk)
		bit += take
		n -= take
	}
	return v
}
