package tilesets

import "tileserver/geo"

// A List has the sets that a layer is served in, and the custom sets of its configuration.
type List struct {
	// Offered returns the sets that the layer is served in. It is called only if a set is looked up,
	// since a picture of a box needs none and finding them takes long.
	Offered func() []TileSet

	Custom []*geo.TileMatrixSet
}

// Find returns a set that the layer is served in, or any other known set: there the layer is empty.
func (l *List) Find(id string) (*geo.TileMatrixSet, bool) {
	for _, offered := range l.Offered() {
		if offered.Set.ID == id {
			return offered.Set, true
		}
	}
	if set, ok := geo.TileMatrixSetByID(id); ok {
		return set, true
	}
	for _, set := range l.Custom {
		if set.ID == id {
			return set, true
		}
	}
	return nil, false
}

// IDs returns the ids of the sets that the layer is served in.
func (l *List) IDs() (ids []string) {
	for _, offered := range l.Offered() {
		ids = append(ids, offered.Set.ID)
	}
	return ids
}
