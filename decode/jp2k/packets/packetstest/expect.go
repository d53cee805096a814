package packetstest

// Expected is what a reader must return for a block.
type Expected struct {
	HT                       bool
	MissingBitPlanes, Passes int
	Segments                 [][2]int // passes and length
	Bytes                    []byte
}

// Expect returns what a reader must return for a block with its first layers: no placeholders, and
// only the last set of an HT block.
func (b *Block) Expect(layers int) Expected {
	e := Expected{HT: b.HT, MissingBitPlanes: b.Missing + b.Placeholders/3}
	ended, passes := true, 0
	for i, p := range b.Pieces {
		if p.Layer >= layers {
			break
		}
		if b.HT && len(p.Bytes) == 0 && i < b.placeholderPieces() {
			continue
		}
		if b.HT && passes%3 == 0 {
			e = Expected{HT: true, MissingBitPlanes: b.Missing + b.Placeholders/3 + passes/3}
			ended = true
		}
		if ended {
			e.Segments = append(e.Segments, [2]int{})
		}
		last := &e.Segments[len(e.Segments)-1]
		last[0], last[1] = last[0]+p.Passes, last[1]+len(p.Bytes)
		e.Passes += p.Passes
		e.Bytes = append(e.Bytes, p.Bytes...)
		passes, ended = passes+p.Passes, p.Ends
	}
	return e
}

// placeholderPieces returns the number of pieces that are placeholders.
func (b *Block) placeholderPieces() int {
	passes := 0
	for i, p := range b.Pieces {
		if passes >= b.Placeholders {
			return i
		}
		passes += p.Passes
	}
	return len(b.Pieces)
}
