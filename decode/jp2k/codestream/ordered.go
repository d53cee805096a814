package codestream

import "slices"

// ordered joins the bodies of marker segments of one kind, each of which begins with a byte that says its turn. Where
// turns are not told apart they have come in order.
type ordered struct {
	turns  []byte
	bodies [][]byte
}

// maxTurns is how many segments of a kind a byte can tell apart.
const maxTurns = 256

// add keeps a copy of a body.
func (o *ordered) add(body []byte) bool {
	if len(body) == 0 || len(o.turns) == maxTurns {
		return false
	}
	o.turns = append(o.turns, body[0])
	o.bodies = append(o.bodies, slices.Clone(body[1:]))
	return true
}

// order is in which order the segments follow each other.
func order(turns []byte) []int {
	order := make([]int, len(turns))
	var seen [maxTurns]bool
	distinct := true
	for i, turn := range turns {
		order[i] = i
		distinct = distinct && !seen[turn]
		seen[turn] = true
	}
	if distinct {
		slices.SortFunc(order, func(a, b int) int { return int(turns[a]) - int(turns[b]) })
	}
	return order
}

// joined is all bodies, one behind the other; nil where there is none.
func (o *ordered) joined() []byte {
	var all []byte
	for _, i := range order(o.turns) {
		all = append(all, o.bodies[i]...)
	}
	return all
}
