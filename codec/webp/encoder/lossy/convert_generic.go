//go:build !amd64 || purego

package lossy

// convertPairs leaves all columns to the Go code.
func (p *rowPair) convertPairs() int { return 0 }
