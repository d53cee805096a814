package codestream

// partTable is what the main header tells of the lengths of tile-parts (TLM).
type partTable struct {
	turns    []byte
	segments [][]byte // bodies without the byte that says their turn
	broken   bool
}

// add takes a segment.
func (t *partTable) add(body []byte) {
	if len(body) < 2 || len(t.turns) == maxTurns {
		t.broken = true
		return
	}
	t.turns = append(t.turns, body[0])
	t.segments = append(t.segments, append([]byte{}, body[1:]...))
}

// runs lists the tile-parts, each beginning where the one before ends. It is nil where the table is
// of no use: nothing depends on it.
func (t *partTable) runs(first int64, tiles, limit int) *runs {
	if t.broken || len(t.segments) == 0 {
		return nil
	}
	found := &runs{starts: []int64{first}}
	for _, i := range order(t.turns) {
		if !found.addSegment(t.segments[i], tiles, limit) {
			return nil
		}
	}
	return found
}

// addSegment reads one TLM, behind the byte that says its turn.
func (r *runs) addSegment(body []byte, tiles, limit int) bool {
	sizes := body[0]
	numberBytes, wide := int(sizes>>4&3), sizes>>6&1 != 0
	entry := numberBytes + 2
	if wide {
		entry += 2
	}
	f := fields{rest: body[1:]}
	if numberBytes > 2 || len(f.rest)%entry != 0 || len(f.rest)/entry > limit-len(r.tiles) {
		return false
	}
	for !f.done() {
		tile := len(r.tiles) // where numbers are left out, each tile has one part, in order
		if numberBytes > 0 {
			tile = f.number(numberBytes == 2)
		}
		length := 0
		if wide {
			length = f.four()
		} else {
			length = f.two()
		}
		if tile >= tiles || length < sotLength {
			return false
		}
		r.add(tile, int64(length))
	}
	return true
}
