//go:build !amd64 || purego

package decoder

// writePairs leaves all pixels to the Go code.
func (w *rowWriter) writePairs() int { return 0 }
