package decode

// undoPredictor makes the samples of rows whole again, in the machine's order.
func undoPredictor(rows []byte, l *Layout) {
	if l.Predictor == FloatPredictor {
		undoFloatPredictor(rows, l)
		return
	}
	toMachineOrder(rows, l)
	if l.Predictor != HorizontalPredictor {
		return
	}
	switch l.Bits {
	case 8:
		undoHorizontal(rows, l)
	case 16:
		undoHorizontal(asWords[uint16](rows), l)
	case 32:
		undoHorizontal(asWords[uint32](rows), l)
	case 64:
		undoHorizontal(asWords[uint64](rows), l)
	}
	if l.Type.IsComplex() && machineIsBigEndian() {
		swapParts(rows, l.Bits/16)
	}
}

// swapParts puts the low half of each number, which is the real part, before the
// high one.
func swapParts(rows []byte, partBytes int) {
	for ; len(rows) >= 2*partBytes; rows = rows[2*partBytes:] {
		for i := range partBytes {
			rows[i], rows[partBytes+i] = rows[partBytes+i], rows[i]
		}
	}
}

// undoHorizontal adds to each sample the one of the pixel on its left.
func undoHorizontal[T word](samples []T, l *Layout) {
	perRow := l.rowSamples()
	for ; len(samples) >= perRow; samples = samples[perRow:] {
		row := samples[:perRow]
		switch l.Samples {
		case 1:
			accumulate1(row)
		case 3:
			accumulate3(row)
		case 4:
			accumulate4(row)
		default:
			accumulate(row, l.Samples)
		}
	}
}

// The sums of the common counts of samples stay in registers.

func accumulate1[T word](row []T) {
	var a T
	for i, v := range row {
		a += v
		row[i] = a
	}
}

func accumulate3[T word](row []T) {
	var a, b, c T
	for ; len(row) >= 3; row = row[3:] {
		a += row[0]
		b += row[1]
		c += row[2]
		row[0], row[1], row[2] = a, b, c
	}
}

func accumulate4[T word](row []T) {
	var a, b, c, d T
	for ; len(row) >= 4; row = row[4:] {
		a += row[0]
		b += row[1]
		c += row[2]
		d += row[3]
		row[0], row[1], row[2], row[3] = a, b, c, d
	}
}

func accumulate[T word](row []T, samples int) {
	left := row
	for i := range row[samples:] {
		row[samples+i] += left[i]
	}
}

// undoFloatPredictor adds up the bytes of each row and puts together samples
// whose bytes lie apart: first the highest byte of all of them, then the next.
// That is so in files of either byte order.
func undoFloatPredictor(rows []byte, l *Layout) {
	rowBytes, size := l.RowBytes(), l.Bits/8
	apart := make([]byte, rowBytes)
	for ; len(rows) >= rowBytes; rows = rows[rowBytes:] {
		row := rows[:rowBytes]
		switch l.Samples {
		case 1:
			accumulate1(row)
		case 3:
			accumulate3(row)
		default:
			accumulate(row, min(l.Samples, len(row)))
		}
		copy(apart, row)
		joinBytes(row, apart, size)
	}
}

// joinBytes writes samples of size bytes whose high bytes come first in apart.
func joinBytes(row, apart []byte, size int) {
	count := len(row) / size
	if size == 4 {
		joinBytes4(asWords[uint32](row), apart)
		return
	}
	for place := range size {
		to := size - 1 - place
		if machineIsBigEndian() {
			to = place
		}
		for i, b := range apart[place*count : (place+1)*count] {
			row[i*size+to] = b
		}
	}
}

func joinBytes4(row []uint32, apart []byte) {
	n := len(row)
	b3, b2, b1, b0 := apart[:n], apart[n:][:n], apart[2*n:][:n], apart[3*n:][:n]
	for i := range row {
		row[i] = uint32(b3[i])<<24 | uint32(b2[i])<<16 | uint32(b1[i])<<8 | uint32(b0[i])
	}
}
