package admission

import (
	"slices"
	"sort"
)

// Stats describes the activity of a gate, by lane.
type Stats struct {
	Lanes    []LaneStats
	MaxBytes int64 // 0 is unbounded
	Bytes    int64 // of all work inside
}

// LaneStats describes the activity of a lane.
type LaneStats struct {
	Lane             Lane
	Slots            int
	Working, Waiting int // now
	Entered          int64
	Full, Late       int64     // refusals since the start; Late also counts those told to Shadow
	Waits            Histogram // seconds in the queue
	Ratios           Histogram // estimated cost to measured time
}

// Stats returns a snapshot of the activity.
func (g *Gate) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := Stats{MaxBytes: g.memory.maxBytes, Bytes: g.memory.bytes}
	for i := range g.lanes {
		l := &g.lanes[i]
		s.Lanes = append(s.Lanes, LaneStats{
			Lane: l.name, Slots: l.slots, Working: l.occupied, Waiting: l.waiting,
			Entered: l.entered, Full: l.full, Late: l.late, Waits: l.waits.clone(), Ratios: l.ratios.clone(),
		})
	}
	return s
}

// Load returns the number of answers that have a slot, and of those that wait for one.
func (g *Gate) Load() (working, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, l := range g.lanes[:Dear+1] {
		working, waiting = working+l.occupied, waiting+l.waiting
	}
	return working, waiting
}

// A Histogram counts values by their size.
type Histogram struct {
	Bounds []float64 // upper ones, ascending
	Counts []uint64  // of the values up to each bound and above the one before; the last has no bound
	Sum    float64
}

var (
	waitBounds  = []float64{.0001, .001, .01, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}
	ratioBounds = []float64{.1, .25, .5, .8, 1.25, 2, 4, 10}
)

func newHistogram(bounds []float64) Histogram {
	return Histogram{Bounds: bounds, Counts: make([]uint64, len(bounds)+1)}
}

func (h *Histogram) observe(value float64) {
	h.Counts[sort.SearchFloat64s(h.Bounds, value)]++
	h.Sum += value
}

func (h *Histogram) clone() Histogram { return Histogram{h.Bounds, slices.Clone(h.Counts), h.Sum} }
