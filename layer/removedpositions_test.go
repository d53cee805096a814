package layer

import (
	"strconv"
	"testing"
)

// A layer that was removed twice counts from its last removal.
func TestOldestRemovedPositionsAreDropped(t *testing.T) {
	const stays, goesTwice = "stays", "goes twice"
	list := func(ids ...string) *snapshot {
		var layers []*Layer
		for _, id := range ids {
			layers = append(layers, &Layer{config: Config{ID: id}})
		}
		s, err := newSnapshot(layers)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	many := []string{stays}
	for i := range maxRemovedPositions - 1 {
		many = append(many, strconv.Itoa(i))
	}
	var d removedPositions
	now := list(stays, goesTwice)
	for _, next := range []*snapshot{list(stays), list(append(many, goesTwice)...), list(append(many[:1:1], goesTwice)...), list(stays), list(stays, "last"), list(stays)} {
		d, now = d.update(now, next), next
	}
	now.removed = d
	for id, want := range map[string]bool{goesTwice: true, "last": true, "0": false, "1": true} {
		if _, ok := now.position(id); ok != want {
			t.Errorf("%s is recorded: %v", id, ok)
		}
	}
	if len(d.order) != maxRemovedPositions || len(d.predecessors) != maxRemovedPositions {
		t.Errorf("%d and %d positions are recorded", len(d.order), len(d.predecessors))
	}
}
