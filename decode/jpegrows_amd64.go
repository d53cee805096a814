//go:build !purego

package decode

// The assembly works on eight samples at a time and leaves the rest of a row to
// the Go code, which does all of it on other machines.

//go:noescape
func rgbEights(red, green, blue, luma, cb, cr *byte, n int)

//go:noescape
func sumEights(sums *uint16, near, far *byte, n int)

//go:noescape
func widenEights(out *byte, sums *uint16, n int)

// rgbRowStart does the first samples of rgbRow and returns how many.
func rgbRowStart(r, g, b, luma, cb, cr []byte) int {
	n := min(len(r), len(g), len(b), len(luma), len(cb), len(cr)) &^ 7
	if n > 0 {
		rgbEights(&r[0], &g[0], &b[0], &luma[0], &cb[0], &cr[0], n)
	}
	return n
}

// sumRowsStart does the first samples of sumRows and returns how many.
func sumRowsStart(sums []uint16, near, far []byte) int {
	n := min(len(sums), len(near), len(far)) &^ 7
	if n > 0 {
		sumEights(&sums[0], &near[0], &far[0], n)
	}
	return n
}

// widenBetween writes the two samples between each two sums, for the first sums,
// and returns how many.
func widenBetween(out []byte, sums []uint16) int {
	n := min(len(out)/2, len(sums)-1) &^ 7
	if n > 0 {
		widenEights(&out[0], &sums[0], n)
	}
	return max(n, 0)
}
