//go:build !amd64 || purego

package decode

// Without assembly, Go code does all of a row.

func rgbRowStart(r, g, b, luma, cb, cr []byte) int       { return 0 }
func sumRowsStart(sums []uint16, near, far []byte) int   { return 0 }
func widenBetween(out []byte, sums []uint16) (pairs int) { return 0 }
