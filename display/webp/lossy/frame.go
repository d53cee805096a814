package lossy

// firstPartitionLimit is the largest size of the first partition that a frame can tell.
const firstPartitionLimit = 1<<19 - 1

// appendFrame appends a frame of what is chosen, or tells that its first partition is too large.
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

// writeHeader writes what the first partition says of the whole frame: RFC 6386, 9.2 to 9.11.
func (e *Encoder) writeHeader(p *probabilityTable) {
	w, s := &e.writer, &e.settings
	w.uint(0, 2)  // the usual colours, which are to be clamped
	w.flag(false) // no segments
	w.flag(false) // the normal filter
	w.uint(s.filterLevel, 6)
	w.uint(0, 3)  // as smooth as it can be
	w.flag(false) // the same for all macroblocks
	w.flag(false) // one partition of coefficients, or two
	w.flag(e.inTwo())
	w.uint(s.quantizer, 7)
	for _, delta := range [...]int{0, 0, 0, s.chromaMeansDelta, 0} {
		w.optional(delta, 4)
	}
	w.flag(false) // nothing to remember
	e.writeProbabilities(p)
	w.flag(true) // macroblocks tell whether they are empty
	p[emptyPlace] = probabilityOf(uint32(e.columns*e.rows)-e.emptyCount, e.emptyCount)
	w.uint(int(p[emptyPlace]), 8)
}

// inTwo tells whether coefficients are written in two partitions, by two writers in turn. The first must not take more
// than its size has bits for, whatever is in the picture.
func (e *Encoder) inTwo() bool {
	const mostMacroblocks = 1 << 13 // each can take 4 kB
	return e.rows > 1 && e.columns*e.rows <= mostMacroblocks
}

// appendPartitions appends the coefficients of even rows and of odd ones: RFC 6386, 9.5.
func (e *Encoder) appendPartitions(frame []byte, p *probabilityTable) []byte {
	if !e.inTwo() {
		e.writer.start(frame)
		if e.overflown {
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
