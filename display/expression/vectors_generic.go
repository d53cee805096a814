//go:build !amd64 || purego

package expression

func (o operation) computeVectors(_, _, _, _ []float64) int { return 0 }

func loadVectors[T Sample](_ []float64, _ []T) int { return 0 }

func scaleVectors(_ []float64, _, _ float64) int { return 0 }

func storeVectors[T float32 | float64](_ []T, _ []float64) int { return 0 }

func storeValidVectors[T float32 | float64](_ []T, _ []float64, _ []uint8) int { return 0 }
