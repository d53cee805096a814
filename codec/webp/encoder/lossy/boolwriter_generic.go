//go:build !amd64 || purego

package lossy

// tokens encodes a list of tokens.
func (w *boolWriter) tokens(list []byte, p *probabilityTable) { w.tokensInGo(list, p) }

// writeTokens encodes two lists with separate writers.
func writeTokens(a, b *boolWriter, listA, listB []byte, p *probabilityTable) {
	a.tokens(listA, p)
	b.tokens(listB, p)
}
