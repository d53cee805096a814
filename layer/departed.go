package layer

// maxDeparted is how many removed layers are remembered for clients that are on their way
// through the list.
const maxDeparted = 10_000

// departed remembers where removed layers stood: the id of the layer that came before each in
// the last list that had it and that stayed in the list after it, or "" for the beginning. It is
// immutable.
type departed struct {
	before map[string]string
	order  []string // its keys, the one that was removed first first
}

// after returns what is remembered once a list takes the place of another.
func (d departed) after(old, next *served) departed {
	after := departed{before: make(map[string]string)}
	for _, id := range d.order {
		if next.byID[id] == nil {
			after.remember(id, d.before[id])
		}
	}
	stays := ""
	for _, l := range old.list {
		if next.byID[l.ID()] != nil {
			stays = l.ID()
			continue
		}
		after.remember(l.ID(), stays)
	}
	for len(after.order) > maxDeparted {
		delete(after.before, after.order[0])
		after.order = after.order[1:]
	}
	return after
}

func (d *departed) remember(id, before string) {
	d.before[id] = before
	d.order = append(d.order, id)
}
