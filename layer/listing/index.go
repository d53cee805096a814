package listing

import (
	"slices"
	"strings"
	"time"

	"tileserver/raster"
)

// An Index makes a list searchable. It is immutable and shared by requests until something changes.
type Index[L Layer] struct {
	list      *List[L]
	changedAt time.Time
	entries   []Entry // of each layer, in the order of the list
	all       []int   // indexes of all layers
	startID   string
}

// An Entry has what an index knows about a layer.
type Entry struct {
	Text     string          // that searches match; made by SearchText
	Image    raster.Provider // all levels; only for the choice of the start layer
	IsPlaced bool            // whether the layer lies on the earth
}

// NewIndex returns the index of a list. changedAt is the time of the last change of its layers.
// Choosing the start layer may read from files.
func NewIndex[L Layer](list *List[L], changedAt time.Time, entryOf func(L) Entry) *Index[L] {
	x := &Index[L]{list: list, changedAt: changedAt, entries: make([]Entry, len(list.layers)), all: make([]int, len(list.layers))}
	for i, layer := range list.layers {
		x.all[i], x.entries[i] = i, entryOf(layer)
	}
	if first := chooseStart(x.entries); first >= 0 {
		x.startID = list.layers[first].ID()
	}
	for i := range x.entries {
		x.entries[i].Image = nil // a file that is replaced must not stay open
	}
	return x
}

// IsCurrent reports whether nothing has changed since the index was made. lastChange is the time of
// the last change of the layers. A nil index is not current.
func (x *Index[L]) IsCurrent(lastChange time.Time) bool {
	return x != nil && x.changedAt.Equal(lastChange)
}

// StartID returns the id of the layer that viewers should show first, or "" without layers.
func (x *Index[L]) StartID() string { return x.startID }

// Page returns a page of a selection. ok is false if no layer with the id that the page follows is
// known.
func (x *Index[L]) Page(s Selection, r Range) (page Page[L], ok bool) {
	selected := x.selected(s)
	first := min(max(r.Offset, 0), len(selected))
	if r.After != "" {
		index, ok := x.list.position(r.After)
		if !ok {
			return Page[L]{}, false
		}
		first, _ = slices.BinarySearch(selected, index+1)
	}
	end := first + min(max(r.Limit, 0), len(selected)-first)
	page = Page[L]{Offset: first, Total: len(selected), ChangedAt: x.changedAt, Layers: make([]L, 0, end-first)}
	for _, i := range selected[first:end] {
		page.Layers = append(page.Layers, x.list.layers[i])
	}
	return page, true
}

// selected returns the indexes of the layers of a selection.
func (x *Index[L]) selected(s Selection) []int {
	if len(s.Words) == 0 && s.Placement == AnyPlacement {
		return x.all
	}
	hasWords := s.Matcher()
	var selected []int
	for i := range x.entries {
		if entry := &x.entries[i]; entry.hasPlacement(s.Placement) && hasWords(entry.Text) {
			selected = append(selected, i)
		}
	}
	return selected
}

// hasPlacement reports whether a selection by p includes the layer.
func (e *Entry) hasPlacement(p Placement) bool {
	return p == AnyPlacement || (p == Placed) == e.IsPlaced
}

// Matcher returns what reports whether a text of SearchText has all words of the selection.
func (s Selection) Matcher() func(text string) bool {
	words := make([]string, len(s.Words))
	for i, word := range s.Words {
		words[i] = strings.ToLower(word)
	}
	return func(text string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	}
}

// SearchText returns the lower-case text of a layer that searches match. Its parts are joined by
// NUL, which no search word contains, so that no word matches across two parts.
func SearchText(parts ...string) string { return strings.ToLower(strings.Join(parts, "\x00")) }
