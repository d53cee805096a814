package packets

// brokenSet is the set of a tile's precincts with packets that could not be read.
type brokenSet struct {
	layout    *layout
	precincts []bool // by their number in the tile
}

// newBrokenSet returns the set, given the number of packets that were read of each precinct.
func newBrokenSet(l *layout, read []uint16) *brokenSet {
	b := &brokenSet{l, make([]bool, l.precincts)}
	for i, count := range read {
		b.precincts[i] = int(count) < l.tile.Layers
	}
	return b
}

// has reports whether a precinct is in the set. It is true for precincts outside of the tile.
func (b *brokenSet) has(at PrecinctPosition) bool {
	number := b.layout.precinct(at)
	return number < 0 || b.precincts[number]
}

func (b *brokenSet) size() int64 {
	if b == nil {
		return 0
	}
	return int64(cap(b.precincts)) + b.layout.size()
}
