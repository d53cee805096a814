package packets

// shelf is what tables refer to.
type shelf struct {
	places  places
	entries []byte
}

// fill tells of a block as its first layers have it.
func (s *shelf) fill(block *Block, r *record, layers int) bool {
	*block = Block{
		HT:               r.missing&ofHT != 0,
		MissingBitPlanes: int(r.missing &^ ofHT),
		Segments:         block.Segments[:0],
		Chunks:           block.Chunks[:0],
	}
	if r.layer == elsewhere {
		s.fillFromEntry(block, r, layers)
	} else if int(r.layer) < layers {
		s.add(block, int(r.passes), r.at(), int64(r.length), false)
	}
	return block.Passes > 0
}

func (s *shelf) fillFromEntry(block *Block, r *record, layers int) {
	n := numbers{data: s.entries[r.at():][:r.length]}
	layer, at := uint64(0), int64(0)
	sets := htSets{missing: block.MissingBitPlanes}
	for len(n.data) > 0 {
		later, gap, head := n.contribution()
		layer, at = layer+later, at+int64(gap)
		if layer >= uint64(layers) {
			return
		}
		within := head&1 != 0
		for range head >> 1 {
			passes, length := n.piece()
			if !block.HT || sets.take(block, passes, length) {
				s.add(block, passes, at, int64(length), within)
			}
			within = false
			at += int64(length)
		}
	}
}

// add adds a piece to a block.
func (s *shelf) add(block *Block, passes int, at, length int64, within bool) {
	if last := len(block.Segments) - 1; within && last >= 0 {
		block.Segments[last].Passes += passes
		block.Segments[last].Length += int(length)
	} else {
		block.Segments = append(block.Segments, Segment{passes, int(length)})
	}
	block.Passes += passes
	block.Length += int(length)
	block.Chunks = s.places.appendRanges(block.Chunks, at, length)
}

// htSets follows the sets of passes of an HT block: a cleanup pass, a SigProp and a MagRef pass. A set codes the same
// as the one before it and a bit-plane more, so that the last one is enough.
type htSets struct {
	missing int  // before the first set
	passes  int  // that went by
	skip    bool // the set has no bytes
}

// take tells whether a piece belongs to the last set until now, and drops the sets before it.
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
