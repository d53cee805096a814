package layer

// maxRemovedPositions bounds the removed layers whose positions are recorded. Clients need them to
// continue a page-by-page listing.
const maxRemovedPositions = 10_000

// removedPositions records where removed layers were in the list. For each, it has the id of the
// nearest preceding layer that stayed in the list, or "" for the beginning. It is immutable.
type removedPositions struct {
	predecessors map[string]string
	order        []string // keys of predecessors, in the order of removal
}

// update returns the positions after next replaces old.
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
