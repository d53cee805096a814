package admission

import "time"

// A source has visits that read from it.
type source struct {
	visits int // waiting and inside
	inside int
	isSlow bool // since a visit was overdue, until one ends in time
}

// isHeldUp reports whether a visit must wait because a source is slow. Such a source has one visit at
// a time, which finds out whether it still is.
func (g *Gate) isHeldUp(v *visit) bool {
	for _, name := range v.Sources {
		if s := g.sources[name]; s.isSlow && s.inside > 0 {
			return true
		}
	}
	return false
}

// patience returns how long a visit may take before it is overdue. Work that computes is not that
// late, even if all cores are busy: it waits for its source.
func (v *visit) patience() time.Duration { return time.Second + 10*v.Cost }

// maxExcused is how many visits of a lane may be excused, for each of its slots.
const maxExcused = 4

// excuse marks a visit as overdue, and its sources as slow. Its slot is given to another visit, since
// it evidently does not need a core.
func (g *Gate) excuse(v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := &g.lanes[v.lane]
	if v.hasLeft {
		return
	}
	v.isOverdue = true
	for _, name := range v.Sources {
		g.sources[name].isSlow = true
	}
	if l.excused < maxExcused*l.slots {
		v.isExcused = true
		l.excused++
		l.insideCost -= v.Cost
		g.admit()
	}
}
