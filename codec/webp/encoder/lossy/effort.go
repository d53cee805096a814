package lossy

import "encoding/binary"

// The effort estimates the cost of coding the difference between two blocks of 4x4 samples. It is
// half the sum of the absolute values of their Hadamard transform, which is a better estimate than
// squared differences.
//
// The Go code holds four 16-bit numbers of a row in one 64-bit word. Borrows between the numbers
// cancel out once an offset makes all of them positive.

const (
	eachLane     = 1 | 1<<16 | 1<<32 | 1<<48
	offset       = 1024 // exceeds the sum of four differences
	doubleOffset = 2 * offset
)

// effortRows holds four rows of four samples.
type effortRows [4]uint64

func effortRowsOf(src []uint8, stride int) (r effortRows) {
	for y := range r {
		r[y] = unpack(binary.LittleEndian.Uint32(src[y*stride:]))
	}
	return r
}

// unpack widens four bytes to 16 bits each.
func unpack(four uint32) uint64 {
	x := uint64(four)
	x = (x | x<<16) & 0x0000ffff_0000ffff
	return (x | x<<8) & 0x00ff00ff_00ff00ff
}

// effortInGo returns the effort of the difference between two blocks.
func (r *effortRows) effortInGo(other *effortRows) int32 {
	d0, d1, d2, d3 := r[0]-other[0], r[1]-other[1], r[2]-other[2], r[3]-other[3]
	even, evenLess, odd, oddLess := d0+d2, d0-d2, d1+d3, d1-d3
	return acrossRow(even+odd) + acrossRow(even-odd) + acrossRow(evenLess+oddLess) + acrossRow(evenLess-oddLess)
}

// acrossRow transforms a row and returns its effort. The last step would compute the sum and the
// difference of two numbers. Half the sum of their absolute values is the larger absolute value of
// the two numbers, so that step is skipped.
func acrossRow(row uint64) int32 {
	row += offset * eachLane
	next := row >> 16
	sums, differences := row+next, row+doubleOffset*eachLane-next
	return larger(sums) + larger(differences)
}

// larger returns the larger absolute value of the first and the third number of a row, which have
// doubleOffset added.
func larger(row uint64) int32 {
	a, b := int32(row&0xffff)-doubleOffset, int32(row>>32&0xffff)-doubleOffset
	return max(a, -a, b, -b)
}

// effort16InGo returns the sum of the efforts of the sixteen blocks of a macroblock.
func effort16InGo(a, b []uint8, stride int) (sum int32) {
	for i := range 16 {
		at := i>>2*4*stride + i&3*4
		rowsA, rowsB := effortRowsOf(a[at:], stride), effortRowsOf(b[at:], stride)
		sum += rowsA.effortInGo(&rowsB)
	}
	return sum
}
