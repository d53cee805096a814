package lossy

// firstPartitionLimit is the maximum size of the first partition. Its field in the frame header has
// 19 bits.
const firstPartitionLimit = 1<<19 - 1

// appendFrame appends the encoded frame. It returns false if the first partition is too large.
func (e *Encoder) appendFrame(dst []byte, width, height int) ([]byte, bool) {
	start := len(dst)
	frame := append(dst, 0, 0, 0, 0x9d, 0x01, 0x2a, uint8(width), uint8(width>>8), uint8(height), uint8(height>>8))
	first := len(frame)
	var p probabilityTable
	e.writer.start(frame)
	e.writeHeader(&p)
	e.writer.tokens(e.modeTokens, &p)
	frame = e.writer.finish()
	size := len(frame) - first
	if size > e.settings.firstPartitionLimit {
		return dst, false
	}
	const shown = 1 << 4
	tag := size<<5 | shown
	copy(frame[start:], []byte{uint8(tag), uint8(tag >> 8), uint8(tag >> 16)})
	return e.appendPartitions(frame, &p), true
}

// writeHeader writes the frame parameters to the first partition (RFC 6386, sections 9.2 to 9.11).
func (e *Encoder) writeHeader(p *probabilityTable) {
	w, s := &e.writer, &e.settings
	w.uint(0, 2)  // color space, clamping required
	w.flag(false) // no segments
	w.flag(false) // normal filter
	w.uint(s.filterLevel, 6)
	w.uint(0, 3)  // sharpness
	w.flag(false) // no filter deltas
	w.flag(false) // high bit of the number of coefficient partitions
	w.flag(e.hasTwoPartitions())
	w.uint(s.quantizer, 7)
	for _, delta := range [...]int{0, 0, 0, s.chromaDCDelta, 0} {
		w.optional(delta, 4)
	}
	w.flag(false) // no probabilities for later frames
	e.writeProbabilities(p)
	w.flag(true) // macroblocks have a skip flag
	p[emptyIndex] = probabilityOf(uint32(e.columns*e.rows)-e.emptyCount, e.emptyCount)
	w.uint(int(p[emptyIndex]), 8)
}

// hasTwoPartitions reports whether coefficients are written to two partitions, by two writers that
// alternate. The size of the first one is limited to 24 bits, even for the worst picture.
func (e *Encoder) hasTwoPartitions() bool {
	const maxMacroblocks = 1 << 13 // each takes at most 4 kB
	return e.rows > 1 && e.columns*e.rows <= maxMacroblocks
}

// appendPartitions appends the coefficients of the even rows and of the odd rows (RFC 6386, section
// 9.5).
func (e *Encoder) appendPartitions(frame []byte, p *probabilityTable) []byte {
	if !e.hasTwoPartitions() {
		e.writer.start(frame)
		if e.hasOverflowed {
			e.encodeRows(p)
		} else {
			e.writer.tokens(e.tokens.lists[0], p)
		}
		return e.writer.finish()
	}
	const sizeBytes = 3
	frame = append(frame, 0, 0, 0)
	first := len(frame)
	var odd boolWriter
	e.writer.start(frame)
	odd.start(e.oddRows[:0])
	writeTokens(&e.writer, &odd, e.tokens.lists[0], e.tokens.lists[1], p)
	frame, e.oddRows = e.writer.finish(), odd.finish()
	size := len(frame) - first
	copy(frame[first-sizeBytes:], []byte{uint8(size), uint8(size >> 8), uint8(size >> 16)})
	return append(frame, e.oddRows...)
}
