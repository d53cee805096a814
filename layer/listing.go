package layer

import (
	"slices"
	"strings"
	"time"
)

// A listing is a searchable list of a catalog's layers at one moment. It is immutable and shared by
// requests until something changes.
type listing struct {
	changedAt    time.Time
	snapshot     *snapshot
	placements   []Placement // of each layer, in the order of snapshot.layers
	all          []int       // indexes of all layers
	startLayerID string
}

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

// A PageRange selects a page of a selection.
type PageRange struct {
	Limit  int    // maximum number of layers
	After  string // the id of the layer that the page follows, or ""
	Offset int    // number of layers to skip; ignored with After
}

// A Page is a range of a selection of layers, in the order of the catalog.
type Page struct {
	Layers    []*Layer
	Offset    int // index of the first layer in the selection
	Total     int // size of the selection
	ChangedAt time.Time
}

// IsLast reports whether no layer of the selection follows the page.
func (p *Page) IsLast() bool { return p.Offset+len(p.Layers) >= p.Total }

// Page returns a page of a selection. A client that continues with PageRange.After sees each layer
// that remains exactly once, even if layers are added or removed between its requests.
func (c *Catalog) Page(s Selection, w PageRange) (Page, error) {
	c.Refresh()
	page, err := c.currentListing().page(s, w)
	if err != nil {
		return Page{}, err
	}
	for _, l := range page.Layers {
		_, _ = l.versions.Current() // records a change of the file
	}
	if c.ChangedAt().Equal(page.ChangedAt) {
		return page, nil
	}
	return c.currentListing().page(s, w)
}

// StartLayerID returns the id of the layer that viewers should show first, or "" without layers.
func (c *Catalog) StartLayerID() string { return c.currentListing().startLayerID }

// currentListing returns the listing of the current layers. It is cached until something changes.
// Then one request makes the next one, and concurrent requests wait for it: choosing the start layer
// may read from files.
func (c *Catalog) currentListing() *listing {
	if cached := c.listing.Load(); cached.isOf(c.ChangedAt()) {
		return cached
	}
	c.listingMu.Lock()
	defer c.listingMu.Unlock()
	changedAt := c.ChangedAt() // read before the layers, to miss no change in between
	if cached := c.listing.Load(); cached.isOf(changedAt) {
		return cached
	}
	l := newListing(c.snapshot.Load())
	l.changedAt = changedAt
	c.listing.Store(l)
	return l
}

// isOf reports whether nothing has changed since the listing was made. l may be nil.
func (l *listing) isOf(changedAt time.Time) bool { return l != nil && l.changedAt.Equal(changedAt) }

func newListing(s *snapshot) *listing {
	l := &listing{snapshot: s, placements: make([]Placement, len(s.layers)), all: make([]int, len(s.layers))}
	scores := make([]float64, len(s.layers))
	for i, layer := range s.layers {
		d := layer.versions.Last().describe()
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

// searchText returns the lower-case text that searches match. Its parts are joined by NUL, which no
// search word contains, so that no word matches across two parts.
func searchText(config *Config) string {
	return strings.ToLower(strings.Join([]string{config.ID, config.Title, config.Abstract, config.Attribution}, "\x00"))
}

// matches reports whether the layer's search text contains all words, which must be in lower case.
func (l *Layer) matches(words []string) bool {
	for _, word := range words {
		if !strings.Contains(l.searchText, word) {
			return false
		}
	}
	return true
}
