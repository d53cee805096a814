package packets

// blockReader turns records into Blocks.
type blockReader struct {
	parts   parts
	entries []byte
}

// fill sets block to a code-block as of its first layers.
func (b *blockReader) fill(block *Block, r *record, layers int) bool {
	*block = Block{
		HT:               r.missing&htFlag != 0,
		MissingBitPlanes: int(r.missing &^ htFlag),
		Segments:         block.Segments[:0],
		Chunks:           block.Chunks[:0],
	}
	if r.layer == inEntry {
		b.fillFromEntry(block, r, layers)
	} else if int(r.layer) < layers {
		b.add(block, int(r.passes), r.at(), int64(r.length), false)
	}
	return block.Passes > 0
}

func (b *blockReader) fillFromEntry(block *Block, r *record, layers int) {
	n := numbers{data: b.entries[r.at():][:r.length]}
	layer, at := uint64(0), int64(0)
	sets := htSets{missing: block.MissingBitPlanes}
	for len(n.data) > 0 {
		later, gap, head := n.contribution()
		layer, at = layer+later, at+int64(gap)
		if layer >= uint64(layers) {
			return
		}
		continues := head&1 != 0
		for range head >> 1 {
			passes, length := n.piece()
			if !block.HT || sets.take(block, passes, length) {
				b.add(block, passes, at, int64(length), continues)
			}
			continues = false
			at += int64(length)
		}
	}
}

// add adds a piece to a block.
func (b *blockReader) add(block *Block, passes int, at, length int64, continues bool) {
	if last := len(block.Segments) - 1; continues && last >= 0 {
		block.Segments[last].Passes += passes
		block.Segments[last].Length += int(length)
	} else {
		block.Segments = append(block.Segments, Segment{passes, int(length)})
	}
	block.Passes += passes
	block.Length += int(length)
	block.Chunks = b.parts.appendRanges(block.Chunks, at, length)
}

// htSets follows the sets of passes of an HT block: a cleanup pass, a SigProp and a MagRef pass.
// Each set codes the content of the set before it and one more bit-plane, so the last set suffices.
type htSets struct {
	missing int  // missing bit-planes before the first set
	passes  int  // number of passes so far
	skip    bool // the current set has no bytes
}

// take reports whether a piece belongs to the last set so far. It removes the earlier sets from
// block.
func (h *htSets) take(block *Block, passes int, length uint64) bool {
	set, cleanup := h.passes/3, h.passes%3 == 0
	h.passes += passes
	if cleanup {
		if h.skip = length == 0; !h.skip {
			*block = Block{HT: true, MissingBitPlanes: h.missing + set, Segments: block.Segments[:0], Chunks: block.Chunks[:0]}
		}
	}
	return !h.skip
}
