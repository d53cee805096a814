package admission

import (
	"slices"
	"time"
)

// A Source is where the bytes of a work come from: a file, on a storage such as a disk.
type Source struct {
	Name    string
	Storage string // "" is unknown

	// IsFar says that each answer takes many times longer than to compute with it, as over a network.
	IsFar bool
}

// source is a Source, or a storage with all of its files, which visits read.
type source struct {
	Source                 // with a Name, unless it is a storage
	visits  int            // waiting and inside
	inside  [laneCount]int // of these, by lane
	excused int            // of those inside
	isSlow  bool           // since enough were excused, until one ends in time
}

// excusedFiles is how many visits of a storage are excused when it is slow. Fewer may be the fault of
// their files.
const excusedFiles = 3

// enough returns how many excused visits make the source slow.
func (s *source) enough() int {
	if s.Name == "" {
		return excusedFiles
	}
	return 1
}

// add counts visits inside like v.
func (s *source) add(v *visit, visits int) {
	s.inside[v.lane] += visits
	if v.isExcused {
		s.excused += visits
	}
}

// sourcesOf returns the sources of a work, and their storages, each once.
func (g *Gate) sourcesOf(w *Work) (found []*source) {
	for _, named := range w.Sources {
		for _, key := range []Source{named, {Storage: named.Storage, IsFar: named.IsFar}} {
			if key.Name == "" && key.Storage == "" {
				continue
			}
			s := g.sources[key]
			if s == nil {
				s = &source{Source: key}
				g.sources[key] = s
			}
			if !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	return found
}

// waitsForSlow reports whether a visit must wait because a source is slow. Such a source has one visit at
// a time in each lane, which finds out whether it still is. A tile need not wait for a build of hours.
func (v *visit) waitsForSlow() bool {
	return slices.ContainsFunc(v.sources, func(s *source) bool { return s.isSlow && s.inside[v.lane] > 0 })
}

// backgroundPatience is how long statistics and builds may wait for one read. They read more at a time
// than answers do.
const backgroundPatience = 10 * time.Second

// maxExcused is how many visits of a lane may be excused, for each of its slots.
const maxExcused = 4

// look excuses a visit that has waited too long for its sources. If it has not, look is called again
// when that may be.
func (g *Gate) look(v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if v.hasLeft {
		return
	}
	waited, patience := v.waits.total(), g.usuals.patience(v)
	switch {
	case waited >= patience, v.mayWaitForAnother() && time.Since(v.entered) >= patience:
		g.excuse(v)
	default:
		v.timer.Reset(max(patience-waited, patience/maxLooks))
	}
}

// maxLooks bounds how often a visit is looked at that has almost waited for too long, and computes.
const maxLooks = 16

// mayWaitForAnother reports whether another visit is known to wait for a source of this one. Then this
// one may wait for what the other reads, of which its own waits know nothing.
func (v *visit) mayWaitForAnother() bool {
	return slices.ContainsFunc(v.sources, func(s *source) bool { return s.isSlow && s.excused > 0 })
}

// excuse gives the slot of a visit to another one while it waits, since it evidently needs no core. It
// marks the sources as slow if enough visits wait for them. One that lends its slot goes on to do that if no more can
// be excused: else those that lend would take the slots of others as soon as their server hangs.
func (g *Gate) excuse(v *visit) {
	v.isOverdue = true
	if !v.isLent || !g.lanes[v.lane].hasExcusedAll() {
		g.setLent(v, false)
		g.setExcused(v, true)
	}
	for _, s := range v.sources {
		s.isSlow = s.isSlow || s.excused >= s.enough()
	}
	g.admit()
}

// resume ends the excuse of a visit that goes on, or takes back its slot. It counts against the slots
// again. If there are more of these than slots, nobody enters until some have left.
func (g *Gate) resume(v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.admitPrefetches() // which may have its slot
	g.setLent(v, false)
	if !v.isExcused || v.hasLeft {
		return
	}
	g.setExcused(v, false)
	v.waits.forget()
	v.timer.Reset(g.usuals.patience(v))
}

// setExcused sets whether a visit inside is excused, and so how its slot and its memory count.
func (g *Gate) setExcused(v *visit, isExcused bool) {
	g.vacate(v)
	v.isExcused = isExcused
	g.occupy(v)
}
