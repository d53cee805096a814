package listing

import (
	"strconv"
	"testing"
)

type named string

func (n named) ID() string { return string(n) }

// A layer that was removed twice counts from its last removal.
func TestOldestRemovedPositionsAreDropped(t *testing.T) {
	const stays, goesTwice = "stays", "goes twice"
	many := []named{stays}
	for i := range maxRemovedPositions - 1 {
		many = append(many, named(strconv.Itoa(i)))
	}
	now := new(List[named])
	for _, layers := range [][]named{
		{stays, goesTwice}, {stays}, append(many, goesTwice), {stays, goesTwice}, {stays}, {stays, "last"}, {stays},
	} {
		next, err := New(layers, now)
		if err != nil {
			t.Fatal(err)
		}
		now = next
	}
	for id, want := range map[string]bool{goesTwice: true, "last": true, "0": false, "1": true} {
		if _, ok := now.position(id); ok != want {
			t.Errorf("%s is recorded: %v", id, ok)
		}
	}
	if order, predecessors := len(now.removed.order), len(now.removed.predecessors); order != maxRemovedPositions || predecessors != maxRemovedPositions {
		t.Errorf("%d and %d positions are recorded", order, predecessors)
	}
}
