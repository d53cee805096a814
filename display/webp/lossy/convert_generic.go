//go:build !amd64 || purego

package lossy

// convertPairs converts columns from the first one on, and returns how many.
func (p *rowPair) convertPairs() int { return 0 }
