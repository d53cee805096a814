//go:build !purego

package png

import "tileserver/internal/cpu"

// vectorBytes is the number of bytes that the assembly processes at a time. The assembly checks no
// bounds; the functions in this file check them. The Go code processes slices shorter than a
// vector, and everything on machines without AVX2.
const vectorBytes = 32

//go:noescape
func subtractVectors(out, row, prediction *byte, vectors int)

//go:noescape
func subtractMeanVectors(out, row, left, up *byte, vectors int)

//go:noescape
func subtractPaethVectors(out, row, left, up, upLeft *byte, vectors int)

// ends returns the number of whole vectors in n bytes, and the index of the vector that ends with
// the last byte. That vector covers the remainder; processing some bytes twice is harmless.
func ends(n int) (vectors, last int) {
	if !cpu.Has.AVX2 {
		return 0, 0
	}
	return n / vectorBytes, n - vectorBytes
}

func subtract(out, row, prediction []byte) {
	vectors, last := ends(min(len(out), len(row), len(prediction)))
	if vectors == 0 {
		subtractGo(out, row, prediction)
		return
	}
	subtractVectors(&out[0], &row[0], &prediction[0], vectors)
	subtractVectors(&out[last], &row[last], &prediction[last], 1)
}

func subtractMean(out, row, left, up []byte) {
	vectors, last := ends(min(len(out), len(row), len(left), len(up)))
	if vectors == 0 {
		subtractMeanGo(out, row, left, up)
		return
	}
	subtractMeanVectors(&out[0], &row[0], &left[0], &up[0], vectors)
	subtractMeanVectors(&out[last], &row[last], &left[last], &up[last], 1)
}

func subtractPaeth(out, row, left, up, upLeft []byte) {
	vectors, last := ends(min(len(out), len(row), len(left), len(up), len(upLeft)))
	if vectors == 0 {
		subtractPaethGo(out, row, left, up, upLeft)
		return
	}
	subtractPaethVectors(&out[0], &row[0], &left[0], &up[0], &upLeft[0], vectors)
	subtractPaethVectors(&out[last], &row[last], &left[last], &up[last], &upLeft[last], 1)
}
