package listing

// maxRemovedPositions bounds the removed layers whose positions are recorded. Clients need them to
// continue a page-by-page listing.
const maxRemovedPositions = 10_000

// removedPositions records where removed layers were in the list. For each, it has the id of the
// nearest preceding layer that stayed in the list, or "" for the beginning. It is immutable.
type removedPositions struct {
	predecessors map[string]string
	order        []string // keys of predecessors, in the order of removal
}

// removedAfter returns the positions after next replaces previous.
func removedAfter[L Layer](previous, next *List[L]) removedPositions {
	updated := removedPositions{predecessors: make(map[string]string)}
	for _, id := range previous.removed.order {
		if _, isBack := next.byID[id]; !isBack {
			updated.add(id, previous.removed.predecessors[id])
		}
	}
	predecessor := ""
	for _, l := range previous.layers {
		id := l.ID()
		if _, stays := next.byID[id]; stays {
			predecessor = id
			continue
		}
		updated.add(id, predecessor)
	}
	for len(updated.order) > maxRemovedPositions {
		delete(updated.predecessors, updated.order[0])
		updated.order = updated.order[1:]
	}
	return updated
}

func (r *removedPositions) add(id, predecessor string) {
	r.predecessors[id] = predecessor
	r.order = append(r.order, id)
}
