package layer

// maxDeparted is how many removed layers are remembered for clients that are on their way
// through the list.
const maxRemovedPositions = 10_000

// departed remembers where removed layers stood: the id of the layer that came before each in
// the last list that had it and that stayed in the list after it, or "" for the beginning. It is
// immutable.
type removedPositions struct {
	predecessors map[string]string
	order        []string // its keys, the one that was removed first first
}

// after returns what is remembered once a list takes the place of another.
func (d removedPositions) update(old, next *snapshot) removedPositions {
	updated := removedPositions{predecessors: make(map[string]string)}
	for _, id := range d.order {
		if next.byID[id] == nil {
			updated.add(id, d.predecessors[id])
		}
	}
	predecessor := ""
	for _, l := range old.layers {
		if next.byID[l.ID()] != nil {
			predecessor = l.ID()
			continue
		}
		updated.add(l.ID(), predecessor)
	}
	for len(updated.order) > maxRemovedPositions {
		delete(updated.predecessors, updated.order[0])
		updated.order = updated.order[1:]
	}
	return updated
}

func (d *removedPositions) add(id, predecessor string) {
	d.predecessors[id] = predecessor
	d.order = append(d.order, id)
}
