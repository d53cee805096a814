package layer

import (
	"slices"
	"strings"
	"time"
)

// listing is all layers of a catalog at one moment, prepared to be searched and cut into pages.
// It is immutable: requests share it until something changes.
type listing struct {
	changedAt    time.Time
	snapshot     *snapshot
	placements   []Placement // of each layer, in the order in which they are served
	all          []int       // the indexes of all layers
	startLayerID string
}

// Placement tells whether a layer lies on the earth.
type Placement int

// The placements of a layer. AnyPlacement is for selections only.
const (
	AnyPlacement Placement = iota
	Placed
	Unplaced // only its pixels are known
)

// Selection says which layers a page is cut out of.
type Selection struct {
	Words     []string // that a layer must have in its id, title, abstract or attribution, in any case of letters
	Placement Placement
}

// PageRange says which part of a selection a page has.
type PageRange struct {
	Limit  int    // of layers
	After  string // the id of the layer that the page follows, or ""
	Offset int    // how many layers come before the page; without After only
}

// Page is a part of a selection of layers, in the order in which they are served.
type Page struct {
	Layers    []*Layer
	Offset    int // of the first one in the selection
	Total     int // of the selection
	ChangedAt time.Time
}

// IsLast tells whether no layer of the selection follows the page.
func (p *Page) IsLast() bool { return p.Offset+len(p.Layers) >= p.Total }

// Page returns a part of a selection. Whoever walks a selection by Window.After meets each layer
// that stays once, whichever layers come and go meanwhile.
func (c *Catalog) Page(s Selection, w PageRange) (Page, error) {
	c.Refresh()
	page, err := c.currentListing().page(s, w)
	if err != nil {
		return Page{}, err
	}
	for _, l := range page.Layers {
		_, _ = l.versions.current() // notes a change of the file
	}
	if c.ChangedAt().Equal(page.ChangedAt) {
		return page, nil
	}
	return c.currentListing().page(s, w)
}

// StartLayerID returns the id of the layer that is best to look at first, or "" without layers.
func (c *Catalog) StartLayerID() string { return c.currentListing().startLayerID }

// listing returns the listing of the present moment. It is kept until something changes.
func (c *Catalog) currentListing() *listing {
	changedAt := c.ChangedAt() // before the layers are read, or a change in between would be missed
	if cached := c.listing.Load(); cached != nil && cached.changedAt.Equal(changedAt) {
		return cached
	}
	l := newListing(c.snapshot.Load())
	l.changedAt = changedAt
	c.listing.Store(l)
	return l
}

func newListing(s *snapshot) *listing {
	l := &listing{snapshot: s, placements: make([]Placement, len(s.layers)), all: make([]int, len(s.layers))}
	scores := make([]float64, len(s.layers))
	for i, layer := range s.layers {
		d := layer.versions.active.Load().describe()
		l.all[i], l.placements[i] = i, Unplaced
		if d.IsPlaced() {
			l.placements[i] = Placed
		}
		scores[i] = startScore(&d)
	}
	l.startLayerID = chooseStartLayer(s.layers, scores)
	return l
}

func (l *listing) page(s Selection, w PageRange) (Page, error) {
	selected := l.selected(s)
	first := min(max(w.Offset, 0), len(selected))
	if w.After != "" {
		index, ok := l.snapshot.position(w.After)
		if !ok {
			return Page{}, invalid("no layer %q to continue after; start again with the first page", w.After)
		}
		first, _ = slices.BinarySearch(selected, index+1)
	}
	end := first + min(max(w.Limit, 0), len(selected)-first)
	page := Page{Offset: first, Total: len(selected), ChangedAt: l.changedAt, Layers: make([]*Layer, 0, end-first)}
	for _, i := range selected[first:end] {
		page.Layers = append(page.Layers, l.snapshot.layers[i])
	}
	return page, nil
}

// selected returns the indexes of the layers of a selection.
func (l *listing) selected(s Selection) []int {
	if len(s.Words) == 0 && s.Placement == AnyPlacement {
		return l.all
	}
	words := make([]string, len(s.Words))
	for i, word := range s.Words {
		words[i] = strings.ToLower(word)
	}
	var selected []int
	for i, layer := range l.snapshot.layers {
		if (s.Placement == AnyPlacement || s.Placement == l.placements[i]) && layer.matches(words) {
			selected = append(selected, i)
		}
	}
	return selected
}

// searchText returns what searches look at, in lower case. Words have no control characters, so
// none is found across two texts.
func searchText(config *Config) string {
	return strings.ToLower(strings.Join([]string{config.ID, config.Title, config.Abstract, config.Attribution}, "\x00"))
}

// hasAll tells whether the layer has all words, which are in lower case.
func (l *Layer) matches(words []string) bool {
	for _, word := range words {
		if !strings.Contains(l.searchText, word) {
			return false
		}
	}
	return true
}
