package packets

// broken are the precincts of a tile of which not all packets could be read.
type broken struct {
	layout    *layout
	precincts []bool // by their number in the tile
}

// newBroken finds them by how many packets of each precinct were read.
func newBroken(l *layout, read []uint16) *broken {
	b := &broken{l, make([]bool, l.precincts)}
	for i, count := range read {
		b.precincts[i] = int(count) < l.tile.Layers
	}
	return b
}

// has reports whether a precinct is among them. One that the tile does not have is.
func (b *broken) has(at PrecinctPosition) bool {
	number := b.layout.precinct(at)
	return number < 0 || b.precincts[number]
}

func (b *broken) size() int64 {
	if b == nil {
		return 0
	}
	return int64(cap(b.precincts)) + b.layout.size()
}
