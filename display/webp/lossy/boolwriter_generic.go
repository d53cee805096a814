//go:build !amd64 || purego

package lossy

// tokens writes a list of them.
func (w *boolWriter) tokens(list []byte, p *probabilityTable) { w.tokensInGo(list, p) }

// writeTokens writes two lists, each by a writer of its own.
func writeTokens(a, b *boolWriter, listA, listB []byte, p *probabilityTable) {
	a.tokens(listA, p)
	b.tokens(listB, p)
}
