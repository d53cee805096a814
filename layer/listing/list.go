package listing

import (
	"fmt"
	"slices"
)

// A List has layers in the order in which they are listed. It is immutable: a request may use an
// old one while the next is published. The zero List is empty.
type List[L Layer] struct {
	layers  []L
	byID    map[string]L
	index   map[string]int // in layers, by id
	removed removedPositions
}

// A Layer has an id that is its own in a list.
type Layer interface {
	comparable
	ID() string
}

// New returns the list of layers that follows previous, in which clients may have begun to read.
func New[L Layer](layers []L, previous *List[L]) (*List[L], error) {
	l := &List[L]{layers: slices.Clone(layers), byID: make(map[string]L, len(layers)), index: make(map[string]int, len(layers))}
	for i, layer := range layers {
		id := layer.ID()
		if _, exists := l.byID[id]; exists {
			return nil, fmt.Errorf("duplicate layer id %q", id)
		}
		l.byID[id], l.index[id] = layer, i
	}
	l.removed = removedAfter(previous, l)
	return l, nil
}

// Layers returns the layers. They are shared and must not be modified.
func (l *List[L]) Layers() []L { return l.layers }

// Find returns the layer of an id.
func (l *List[L]) Find(id string) (layer L, ok bool) {
	layer, ok = l.byID[id]
	return layer, ok
}

// position returns the index of a layer. For a removed one it returns the index of the layer that
// preceded it, or -1 for the beginning. ok is false if the position of the id is not recorded. The
// loop ends, since each step leads to a layer that was removed later than the one before.
func (l *List[L]) position(id string) (index int, ok bool) {
	for id != "" {
		if index, ok = l.index[id]; ok {
			return index, true
		}
		if id, ok = l.removed.predecessors[id]; !ok {
			return 0, false
		}
	}
	return -1, true
}
