//go:build !purego

package lossy

import (
	"slices"

	"golang.org/x/sys/cpu"
)

// The assembly looks for no end of the room for what it writes: n tokens of each list.

//go:noescape
func writeOneBMI2(w *boolWriter, list *byte, n int, p *probabilityTable)

//go:noescape
func writePairsBMI2(a, b *boolWriter, listA, listB *byte, n int, p *probabilityTable)

const (
	mostAtOnce  = 8192
	roomForMost = mostAtOnce*7/8 + 16 // a token moves the interval by seven bits at most
)

// canRunAssembly asks for LZCNT too: where it is missing, its code is that of another instruction, which gives other bits
// and no error.
func canRunAssembly() bool { return cpu.X86.HasBMI2 && cpu.X86.HasLZCNT }

// tokens writes a list of them.
func (w *boolWriter) tokens(list []byte, p *probabilityTable) {
	if !canRunAssembly() {
		w.tokensInGo(list, p)
		return
	}
	for len(list) > 0 {
		n := min(len(list), mostAtOnce*tokenBytes)
		w.out = slices.Grow(w.out, roomForMost)
		writeOneBMI2(w, &list[0], n/tokenBytes, p)
		list = list[n:]
	}
}

// writeTokens writes two lists, each by a writer of its own.
func writeTokens(a, b *boolWriter, listA, listB []byte, p *probabilityTable) {
	for canRunAssembly() && len(listA) > 0 && len(listB) > 0 {
		n := min(len(listA), len(listB), mostAtOnce*tokenBytes)
		a.out, b.out = slices.Grow(a.out, roomForMost), slices.Grow(b.out, roomForMost)
		writePairsBMI2(a, b, &listA[0], &listB[0], n/tokenBytes, p)
		listA, listB = listA[n:], listB[n:]
	}
	a.tokens(listA, p)
	b.tokens(listB, p)
}
