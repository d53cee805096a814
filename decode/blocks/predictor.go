package blocks

import "tileserver/decode/rows"

// undoPredictor restores the samples of a block from their differences and leaves them in the
// machine's byte order.
func undoPredictor(block []byte, l *Layout) {
	if l.Predictor == FloatPredictor {
		undoFloatPredictor(block, l)
		return
	}
	toMachineOrder(block, l)
	if l.Predictor != HorizontalPredictor {
		return
	}
	switch l.Bits {
	case 8:
		undoHorizontal(block, l)
	case 16:
		undoHorizontal(asWords[uint16](block), l)
	case 32:
		undoHorizontal(asWords[uint32](block), l)
	case 64:
		undoHorizontal(asWords[uint64](block), l)
	}
	if l.Type.IsComplex() && machineIsBigEndian() {
		swapParts(block, l.Bits/16)
	}
}

// swapParts moves the low half of each number before the high half. The low half is the real part
// of a complex sample.
func swapParts(block []byte, partBytes int) {
	for ; len(block) >= 2*partBytes; block = block[2*partBytes:] {
		for i := range partBytes {
			block[i], block[partBytes+i] = block[partBytes+i], block[i]
		}
	}
}

// undoHorizontal adds to each sample the same sample of the pixel on its left.
func undoHorizontal[T word](samples []T, l *Layout) {
	perRow := l.rowSamples()
	for ; len(samples) >= perRow; samples = samples[perRow:] {
		row := samples[:perRow]
		rows.Accumulate(row, row, l.Samples)
	}
}

// undoFloatPredictor sums up the bytes of each row and reassembles its samples. In a row, the
// highest bytes of all samples come first, then the next lower ones, in files of either byte order.
func undoFloatPredictor(block []byte, l *Layout) {
	rowBytes, size := l.RowBytes(), l.Bits/8
	planes := make([]byte, rowBytes)
	for ; len(block) >= rowBytes; block = block[rowBytes:] {
		row := block[:rowBytes]
		rows.Accumulate(planes, row, l.Samples)
		rows.Join(row, planes, size)
	}
}
