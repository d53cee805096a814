package admission

import "slices"

// maxLent is how many visits of a lane may lend their slots, for each slot that it has.
const maxLent = 8

// mayLend reports whether a visit lends its slot while it waits for its sources: if one of them is far. Work
// in the background reads ahead, and has its lane for itself.
func (v *visit) mayLend() bool {
	return !v.isBackground() && slices.ContainsFunc(v.Sources, func(s Source) bool { return s.IsFar })
}

// waitsFirst reports whether a visit begins with a wait for which it needs no slot.
func (v *visit) waitsFirst() bool { return v.ReadsFirst && v.mayLend() && v.gate.usuals.waits(v) }

// lend lets another visit in while one waits. It does not wait for longer than usual, so nothing is slow.
func (g *Gate) lend(v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if v.hasLeft || v.isExcused {
		return
	}
	g.setLent(v, true)
	g.admit()
}

// setLent sets whether another visit has the slot.
func (g *Gate) setLent(v *visit, isLent bool) {
	if v.isLent == isLent {
		return
	}
	v.isLent = isLent
	if isLent {
		g.lanes[v.lane].lent++
	} else {
		g.lanes[v.lane].lent--
	}
}
