package listing

import "time"

// A Placement selects layers by whether they lie on the earth.
type Placement int

// The placements. AnyPlacement is only for selections.
const (
	AnyPlacement Placement = iota
	Placed
	Unplaced // without a CRS or bounds on the earth
)

// A Selection filters layers.
type Selection struct {
	Words     []string // each in id, title, abstract or attribution; case-insensitive
	Placement Placement
}

// A Range selects a page of a selection.
type Range struct {
	Limit  int    // maximum number of layers
	After  string // the id of the layer that the page follows, or ""
	Offset int    // number of layers to skip; ignored with After
}

// A Page is a range of a selection of layers, in the order of the list.
type Page[L Layer] struct {
	Layers    []L
	Offset    int // index of the first layer in the selection
	Total     int // size of the selection
	ChangedAt time.Time
}

// IsLast reports whether no layer of the selection follows the page.
func (p *Page[L]) IsLast() bool { return p.Offset+len(p.Layers) >= p.Total }
