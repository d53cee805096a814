//go:build !amd64 || purego

package rows

func accumulateVectors[T Word](_, _ []T, _ int) int { return 0 }

func splitVectors[T Cell](_ [][]T, _ []T) int { return 0 }

func joinVectors(_, _ []byte, _ int) int { return 0 }

func swapVectors(_ []byte, _ int) int { return 0 }

func widenVectors(_, _ []byte) int { return 0 }
