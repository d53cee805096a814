//go:build !amd64 || purego

package terrain

// gradientVectors does nothing without assembly.
func gradientVectors(_, _, _, _, _ []float32, _, _ float32) int { return 0 }

// shadeVectors does nothing without assembly.
func shadeVectors(_ *sunDirection, _ []uint8, _, _ []float32) int { return 0 }
