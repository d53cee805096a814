//go:build !purego

package lossy

import (
	"slices"

	"tileserver/internal/cpu"
)

// The assembly encodes n tokens of each list. It does not check the capacity of the output; the
// functions in this file ensure it.

//go:noescape
func writeOneBMI2(w *boolWriter, list *byte, n int, p *probabilityTable)

//go:noescape
func writePairsBMI2(a, b *boolWriter, listA, listB *byte, n int, p *probabilityTable)

const (
	maxBatch      = 8192
	maxBatchBytes = maxBatch*7/8 + 16 // a token shifts the interval by at most seven bits
)

// canRunAssembly reports whether the processor has BMI2 and LZCNT. The check for LZCNT is
// essential: processors without it execute another instruction and produce wrong output without a
// fault.
func canRunAssembly() bool { return cpu.Has.BMI2 && cpu.Has.LZCNT }

// tokens encodes a list of tokens.
func (w *boolWriter) tokens(list []byte, p *probabilityTable) {
	if !canRunAssembly() {
		w.tokensInGo(list, p)
		return
	}
	for len(list) > 0 {
		n := min(len(list), maxBatch*tokenBytes)
		w.out = slices.Grow(w.out, maxBatchBytes)
		writeOneBMI2(w, &list[0], n/tokenBytes, p)
		list = list[n:]
	}
}

// writeTokens encodes two lists with separate writers.
func writeTokens(a, b *boolWriter, listA, listB []byte, p *probabilityTable) {
	for canRunAssembly() && len(listA) > 0 && len(listB) > 0 {
		n := min(len(listA), len(listB), maxBatch*tokenBytes)
		a.out, b.out = slices.Grow(a.out, maxBatchBytes), slices.Grow(b.out, maxBatchBytes)
		writePairsBMI2(a, b, &listA[0], &listB[0], n/tokenBytes, p)
		listA, listB = listA[n:], listB[n:]
	}
	a.tokens(listA, p)
	b.tokens(listB, p)
}
