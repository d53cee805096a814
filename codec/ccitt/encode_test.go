package ccitt

import (
	"math/rand/v2"
	"strings"
)

// bitWriter collects codes that are written as zeros and ones.
type bitWriter struct {
	out  []byte
	bits int
}

func (w *bitWriter) add(codes ...string) {
	for _, code := range codes {
		for _, bit := range code {
			if w.bits%8 == 0 {
				w.out = append(w.out, 0)
			}
			w.out[w.bits/8] |= byte(bit-'0') << (7 - w.bits%8)
			w.bits++
		}
	}
}

// align adds zeros up to a multiple of the given number of bits.
func (w *bitWriter) align(bits int) {
	for w.bits%bits != 0 {
		w.add("0")
	}
}

// bitmap is an image with one byte per pixel, 1 for black.
type bitmap struct {
	width int
	rows  [][]byte
}

func newBitmap(width, rows int, black func(x, y int) bool) bitmap {
	b := bitmap{width: width}
	for y := range rows {
		row := make([]byte, width)
		for x := range row {
			if black(x, y) {
				row[x] = 1
			}
		}
		b.rows = append(b.rows, row)
	}
	return b
}

// packed returns the expected result of Decode.
func (b bitmap) packed() []byte {
	var w bitWriter
	for _, row := range b.rows {
		for _, pixel := range row {
			w.add([...]string{"0", "1"}[pixel])
		}
		w.align(8)
	}
	return w.out
}

// nextChange returns the index of the first pixel from x on that does not have the given color.
func nextChange(row []byte, x int, color byte) int {
	for x < len(row) && row[x] == color {
		x++
	}
	return x
}

// runCodes lists the codes of white and of black runs.
var runCodes = [2][]string{strings.Fields(whiteRuns + longRuns), strings.Fields(blackRuns + longRuns)}

func (w *bitWriter) addRun(pixels int, color byte) {
	codes := runCodes[color]
	for ; pixels > 2560+63; pixels -= 2560 {
		w.add(codes[63+2560/64])
	}
	if pixels > 63 {
		w.add(codes[63+pixels/64])
	}
	w.add(codes[pixels%64])
}

// addRuns codes a row in one dimension.
func (w *bitWriter) addRuns(row []byte) {
	color := byte(0)
	for x := 0; x < len(row); color ^= 1 {
		end := nextChange(row, x, color)
		w.addRun(end-x, color)
		x = end
	}
}

// firstBehind returns b1 or, from there on, b2: the index of the first pixel behind a0 that has the
// given color while the previous pixel does not.
func firstBehind(row []byte, a0 int, color byte) int {
	for x := a0 + 1; x < len(row); x++ {
		before := byte(0)
		if x > 0 {
			before = row[x-1]
		}
		if row[x] == color && before != color {
			return x
		}
	}
	return len(row)
}

// addModes codes a row in two dimensions, following the flow chart of T.6.
func (w *bitWriter) addModes(row, above []byte) {
	shifts := map[int]string{0: "1", 1: "011", 2: "000011", 3: "0000011", -1: "010", -2: "000010", -3: "0000010"}
	color := byte(0)
	for a0 := -1; a0 < len(row); {
		a1 := nextChange(row, max(a0, 0), color)
		b1 := firstBehind(above, a0, color^1)
		b2 := firstBehind(above, b1, color)
		if b2 < a1 {
			w.add("0001")
			a0 = b2
			continue
		}
		if code, ok := shifts[a1-b1]; ok {
			w.add(code)
			a0, color = a1, color^1
			continue
		}
		a2 := nextChange(row, a1, color^1)
		w.add("001")
		w.addRun(a1-max(a0, 0), color)
		w.addRun(a2-a1, color^1)
		a0 = a2
	}
}

const endOfLineCode = "000000000001"

func encodeRuns(b bitmap, alignment int) []byte {
	var w bitWriter
	for _, row := range b.rows {
		w.align(alignment)
		w.addRuns(row)
	}
	return w.out
}

// group3Style selects variants of T.4.
type group3Style struct {
	twoDimensional int // only the first of so many rows is coded in one dimension
	noEnds         bool
	alignedEnds    bool // bit 2 of T4Options
	alignedRows    bool
	endOfPage      bool
}

func encodeGroup3(b bitmap, style group3Style) []byte {
	var w bitWriter
	end := func(oneDimensional bool) {
		if style.noEnds {
			return
		}
		for style.alignedEnds && (w.bits+len(endOfLineCode))%8 != 0 {
			w.add("0")
		}
		w.add(endOfLineCode)
		if style.twoDimensional > 0 {
			w.add(map[bool]string{true: "1", false: "0"}[oneDimensional])
		}
	}
	for y, row := range b.rows {
		if style.alignedRows {
			w.align(8)
		}
		oneDimensional := style.twoDimensional == 0 || y%style.twoDimensional == 0
		end(oneDimensional)
		if oneDimensional {
			w.addRuns(row)
		} else {
			w.addModes(row, b.rows[y-1])
		}
	}
	for range 6 {
		if style.endOfPage {
			end(true)
		}
	}
	return w.out
}

func encodeGroup4(b bitmap, endOfPage bool) []byte {
	var w bitWriter
	above := make([]byte, b.width)
	for _, row := range b.rows {
		w.addModes(row, above)
		above = row
	}
	if endOfPage {
		w.add(endOfLineCode, endOfLineCode)
	}
	return w.out
}

// samples returns images with different kinds of rows.
func samples(width, rows int) map[string]bitmap {
	random := rand.New(rand.NewPCG(uint64(width), uint64(rows)))
	ragged := make([]int, rows)
	for y := range ragged {
		ragged[y] = random.IntN(9) - 4
	}
	return map[string]bitmap{
		"white":        newBitmap(width, rows, func(x, y int) bool { return false }),
		"black":        newBitmap(width, rows, func(x, y int) bool { return true }),
		"checkerboard": newBitmap(width, rows, func(x, y int) bool { return (x+y)%2 == 0 }),
		"bars":         newBitmap(width, rows, func(x, y int) bool { return x/5%2 == 1 }),
		"noise":        newBitmap(width, rows, func(x, y int) bool { return random.IntN(2) == 0 }),
		"specks":       newBitmap(width, rows, func(x, y int) bool { return random.IntN(40) == 0 }),
		"ragged edges": newBitmap(width, rows, func(x, y int) bool { return (x+ragged[y])/17%2 == 1 }),
		"rules":        newBitmap(width, rows, func(x, y int) bool { return y%4 == 3 || x == width/2 }),
		"last pixels":  newBitmap(width, rows, func(x, y int) bool { return x >= width-1-y%3 }),
	}
}

// page returns a page of text: words of strokes between margins.
func page(width, rows int) bitmap {
	random := rand.New(rand.NewPCG(5, 6))
	strokes := make([]int, width)
	for x := 0; x < width; x += 3 + random.IntN(9) {
		strokes[x] = 1 + random.IntN(5)
	}
	return newBitmap(width, rows, func(x, y int) bool {
		if x < width/12 || x > width*11/12 || y%40 > 24 || x/90%7 == y/40%7 {
			return false
		}
		slanted := x + (y%40)/5
		for back := range min(5, slanted, width-1) {
			if at := slanted - back; at < width && strokes[at] > back {
				return true
			}
		}
		return y%40 == 12 && x%31 < 14
	})
}
