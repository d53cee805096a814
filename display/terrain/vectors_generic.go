//go:build !amd64 || purego

package terrain

// gradientVectors does nothing where there is no assembly.
func gradientVectors(_, _, _, _, _ []float32, _, _ float32) int { return 0 }

// shadeVectors does nothing where there is no assembly.
func shadeVectors(_ *lamp, _ []uint8, _, _ []float32) int { return 0 }
