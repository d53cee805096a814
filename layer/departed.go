package layer

import "maps"

// maxDeparted is how many removed layers are remembered for clients that are on their way
// through the list.
const maxDeparted = 10_000

// departed remembers where removed layers stood: the id of the layer that came before each in
// the last list that had it and that stayed in the list after it, or "" for the beginning. It is
// immutable.
type departed struct {
	before map[string]string
	order  []string // of their going, the oldest first; some may have come back
}

// after returns what is remembered once a list takes the place of another.
func (d departed) after(old, next *served) departed {
	after := departed{maps.Clone(d.before), d.order[:len(d.order):len(d.order)]}
	if after.before == nil {
		after.before = make(map[string]string)
	}
	stays := ""
	for _, l := range old.list {
		if next.byID[l.ID()] != nil {
			stays = l.ID()
			continue
		}
		after.before[l.ID()] = stays
		after.order = append(after.order, l.ID())
	}
	for id := range after.before {
		if next.byID[id] != nil {
			delete(after.before, id)
		}
	}
	for len(after.order) > maxDeparted {
		delete(after.before, after.order[0])
		after.order = after.order[1:]
	}
	return after
}
