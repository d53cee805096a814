package admission

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A Source is where the bytes of a work come from: a file, on a storage such as a disk.
type Source struct {
	Name    string
	Storage string // "" is unknown
}

// source is a Source, or a storage with all of its files, which visits read.
type source struct {
	Source       // with a Name, unless it is a storage
	visits  int  // waiting and inside
	inside  int  // of these
	overdue int  // of those inside
	isSlow  bool // since enough were overdue, until one ends in time
}

// overdueFiles is how many visits of a storage are overdue when it is slow. Fewer may be the fault of
// their files.
const overdueFiles = 3

// enough returns how many overdue visits make the source slow.
func (s *source) enough() int {
	if s.Name == "" {
		return overdueFiles
	}
	return 1
}

// sourcesOf returns the sources of a work, and their storages, without those that it names twice.
func (g *Gate) sourcesOf(w *Work) (found []*source) {
	for _, named := range w.Sources {
		for _, key := range []Source{named, {Storage: named.Storage}} {
			if key == (Source{}) {
				continue
			}
			s := g.sources[key]
			if s == nil {
				s = &source{Source: key}
				g.sources[key] = s
			}
			found = append(found, s)
		}
	}
	return found
}

// isHeldUp reports whether a visit must wait because a source is slow. Such a source has one visit at
// a time, which finds out whether it still is.
func (g *Gate) isHeldUp(v *visit) bool {
	for _, s := range v.sources {
		if s.isSlow && s.inside > 0 {
			return true
		}
	}
	return false
}

// patience returns how long a visit may wait for its sources before it is overdue.
func (v *visit) patience() time.Duration { return time.Second + 10*v.Cost }

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
	waited, patience := v.waits.total(), v.patience()
	switch {
	case waited >= patience, v.mayWaitForAnother() && time.Since(v.entered) >= patience:
		g.excuse(v)
	default:
		v.timer.Reset(patience - waited)
	}
}

// mayWaitForAnother reports whether another visit is known to wait for a source of this one. Then this
// one may wait for what the other reads, of which its own waits know nothing.
func (v *visit) mayWaitForAnother() bool {
	return slices.ContainsFunc(v.sources, func(s *source) bool { return s.isSlow })
}

// excuse marks a visit as overdue, and its sources as slow if there are enough of such visits. Its slot
// is given to another visit, since it evidently does not need a core.
func (g *Gate) excuse(v *visit) {
	v.isOverdue = true
	for _, s := range v.sources {
		s.overdue++
		s.isSlow = s.isSlow || s.overdue >= s.enough()
	}
	l := &g.lanes[v.lane]
	if l.excused < maxExcused*l.slots {
		v.isExcused = true
		l.excused++
		l.insideCost -= v.Cost
		g.admit()
	}
}

// waits is how long a visit has waited for its sources, which may be read by several calls at a time.
type waits struct {
	mu    sync.Mutex // guards the fields below
	calls int
	since time.Time // when the first of these began
	ended time.Duration
}

func (w *waits) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls++; w.calls == 1 {
		w.since = time.Now()
	}
}

func (w *waits) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls--; w.calls == 0 {
		w.ended += time.Since(w.since)
	}
}

func (w *waits) total() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == 0 {
		return w.ended
	}
	return w.ended + time.Since(w.since)
}

// Wait records that the work of a context waits for a source, until the returned function is called.
func Wait(ctx context.Context) (end func()) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return func() {}
	}
	v.waits.begin()
	return v.waits.end
}
