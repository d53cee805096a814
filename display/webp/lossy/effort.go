package lossy

import "encoding/binary"

// The effort to write the differences between 4x4 samples and others is half of what the numbers amount to that the
// transform of Hadamard makes of them. That tells more than their squares do. Four numbers of a row stand in one of 64
// bits: what they borrow from each other they give back when all get large enough to be positive.

const (
	eachLane     = 1 | 1<<16 | 1<<32 | 1<<48
	offset       = 1024 // more than the sum of four differences
	doubleOffset = 2 * offset
)

// effortRows is four rows of four samples.
type effortRows [4]uint64

func effortRowsOf(src []uint8, stride int) (r effortRows) {
	for y := range r {
		r[y] = apart(binary.LittleEndian.Uint32(src[y*stride:]))
	}
	return r
}

// apart is four bytes, each in 16 bits.
func apart(four uint32) uint64 {
	x := uint64(four)
	x = (x | x<<16) & 0x0000ffff_0000ffff
	return (x | x<<8) & 0x00ff00ff_00ff00ff
}

// effortInGo is the effort for the differences of rows.
func (r *effortRows) effortInGo(other *effortRows) int32 {
	d0, d1, d2, d3 := r[0]-other[0], r[1]-other[1], r[2]-other[2], r[3]-other[3]
	even, evenLess, odd, oddLess := d0+d2, d0-d2, d1+d3, d1-d3
	return acrossRow(even+odd) + acrossRow(even-odd) + acrossRow(evenLess+oddLess) + acrossRow(evenLess-oddLess)
}

// acrossRow goes on with a row. The last step would make the sum and the difference of two numbers; half of what these
// amount to is the larger one.
func acrossRow(row uint64) int32 {
	row += offset * eachLane
	next := row >> 16
	sums, differences := row+next, row+doubleOffset*eachLane-next
	return larger(sums) + larger(differences)
}

// larger is the larger one of the first and the third number of a row, which have the double offset.
func larger(row uint64) int32 {
	a, b := int32(row&0xffff)-doubleOffset, int32(row>>32&0xffff)-doubleOffset
	return max(a, -a, b, -b)
}

// effort16InGo is the effort for the sixteen blocks of a macroblock.
func effort16InGo(a, b []uint8, stride int) (sum int32) {
	for i := range 16 {
		at := i>>2*4*stride + i&3*4
		rowsA, rowsB := effortRowsOf(a[at:], stride), effortRowsOf(b[at:], stride)
		sum += rowsA.effortInGo(&rowsB)
	}
	return sum
}
