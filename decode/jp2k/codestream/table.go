package codestream

// partTable is the table of the lengths of tile-parts in the main header (TLM).
type partTable struct {
	indexes  []byte
	segments [][]byte // bodies without the byte of their index
	broken   bool
}

// add adds a segment.
func (t *partTable) add(body []byte) {
	if len(body) < 2 || len(t.indexes) == maxIndexes {
		t.broken = true
		return
	}
	t.indexes = append(t.indexes, body[0])
	t.segments = append(t.segments, append([]byte{}, body[1:]...))
}

// partList returns the list of consecutive tile-parts. It is nil if the table is absent or
// unusable; the table is optional.
func (t *partTable) partList(first int64, tiles, limit int) *partList {
	if t.broken || len(t.segments) == 0 {
		return nil
	}
	found := &partList{starts: []int64{first}}
	for _, i := range segmentOrder(t.indexes) {
		if !found.addSegment(t.segments[i], tiles, limit) {
			return nil
		}
	}
	return found
}

// addSegment parses one TLM, after the byte of its index.
func (l *partList) addSegment(body []byte, tiles, limit int) bool {
	sizes := body[0]
	numberBytes, wide := int(sizes>>4&3), sizes>>6&1 != 0
	entry := numberBytes + 2
	if wide {
		entry += 2
	}
	f := fields{rest: body[1:]}
	if numberBytes > 2 || len(f.rest)%entry != 0 || len(f.rest)/entry > limit-len(l.tiles) {
		return false
	}
	for !f.done() {
		tile := len(l.tiles) // without numbers, each tile has one part, in order
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
		l.add(tile, int64(length))
	}
	return true
}
