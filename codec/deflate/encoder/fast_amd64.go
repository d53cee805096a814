//go:build !purego

package encoder

import "tileserver/internal/cpu"

// putFours writes the codes of literals, four at a time. It writes whole words, which must begin at
// last or before. It returns the number of fours that remain when the room is used up. The assembly
// checks no other bounds.
//
//go:noescape
func putFours(o *output, codes *codes, literals *byte, fours int, last *byte) (left int)

func (o *output) putLiterals(codes *codes, literals []byte) {
	if cpu.Has.BMI2 && len(literals) >= minFastLiterals && len(o.bytes)-o.length >= wordBytes {
		fours := len(literals) / 4
		fours -= putFours(o, codes, &literals[0], fours, &o.bytes[len(o.bytes)-wordBytes])
		literals = literals[4*fours:]
	}
	o.putLiteralsGo(codes, literals)
}
