//go:build (amd64 || arm64) && !purego

package tier1

// arrangeFours writes the coefficients of count times four columns. Its Go twin is wholeStripe.
//
//go:noescape
func arrangeFours(out *int32, step int, slots *int32, count int)

// wholeStripe32 writes the coefficients of a stripe of four rows.
func wholeStripe32(out, slots []int32, width int) {
	const coefficientBytes = 4
	if fours := width / 4; fours > 0 {
		arrangeFours(&out[:stripeRows*width][0], width*coefficientBytes, &slots[:stripeRows*width][0], fours)
	}
	arrangeColumns(out, slots, width, width&^3)
}
