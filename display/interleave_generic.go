//go:build !amd64 || purego

package display

func interleaveVectors(_, _, _, _ []uint8) int { return 0 }
