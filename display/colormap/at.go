package colormap

import (
	"math"
	"sort"
)

// At is the colour of a sample: transparent where that is not a number, and where no interval
// or category holds it. A ramp rounds, and goes on at its ends.
func (m *Map) At(v float64) Color {
	if math.IsNaN(v) {
		return Color{}
	}
	if m.kind == Ramp {
		return m.entries[rampIndex(v)].Color
	}
	notAbove := sort.Search(len(m.entries), func(i int) bool { return m.entries[i].Low > v })
	if m.kind == Stops {
		return m.between(notAbove, v)
	}
	if notAbove == 0 {
		return Color{}
	}
	last := m.entries[notAbove-1]
	if m.kind == Intervals && v >= last.High || m.kind == Categories && v != last.Low {
		return Color{}
	}
	return last.Color
}

// rampIndex is the entry of a ramp for a sample that is a number.
func rampIndex(v float64) uint8 {
	return uint8(min(max(v, 0), math.MaxUint8) + 0.5)
}

// between is the colour of a sample with that many stops not above it.
func (m *Map) between(notAbove int, v float64) Color {
	if notAbove == 0 {
		return m.entries[0].Color
	}
	from := m.entries[notAbove-1]
	if notAbove == len(m.entries) {
		return from.Color
	}
	to := m.entries[notAbove]
	word := newBlend(from.Color, to.Color).at(progress(v, from.Low, to.Low))
	return Color{uint8(word), uint8(word >> 8), uint8(word >> 16), uint8(word >> 24)}
}
