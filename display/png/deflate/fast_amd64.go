//go:build !purego

package deflate

import "golang.org/x/sys/cpu"

// putFours writes the codes of literals, four at a time, as words that begin at last or before. It tells how many fours
// are left for which there is no room.
//
//go:noescape
func putFours(o *output, codes *codes, literals *byte, fours int, last *byte) (left int)

func (o *output) putLiterals(codes *codes, literals []byte) {
	if cpu.X86.HasBMI2 && len(literals) >= fewLiterals && len(o.bytes)-o.length >= wordBytes {
		fours := len(literals) / 4
		fours -= putFours(o, codes, &literals[0], fours, &o.bytes[len(o.bytes)-wordBytes])
		literals = literals[4*fours:]
	}
	o.putLiteralsGo(codes, literals)
}
