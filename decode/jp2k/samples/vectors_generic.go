//go:build (!amd64 && !arm64) || purego

package samples

func storeVectors[T Sample, V Value](_ []T, _ []V, _ Depth) bool { return false }

func reversibleVectors[V Integer](_, _, _ []V) int { return 0 }

func irreversibleVectors(_, _, _ []float32) int { return 0 }
