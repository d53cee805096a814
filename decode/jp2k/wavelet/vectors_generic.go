//go:build (!amd64 && !arm64) || purego

package wavelet

func across53Vectors[T Integer](_, _, _ []T, _ int) int { return 0 }

func down53Vectors[T Integer](_, _, _, _, _, _ []T) int { return 0 }

func across97Vectors(_, _, _ []float32, _ int, _ *scale) int { return 0 }

func down97Vectors(_ *rowStep97, _ int) int { return 0 }

func (r *rows[C, T]) placeVectors(T) bool { return false }

func maxMagnitudeVectors[D FixedPoint](_ []D) (magnitude int, isDone bool) { return 0, false }

func narrowVectors[C Coefficient, D FixedPoint](_ []C, _ []D, _ bool) bool { return false }
