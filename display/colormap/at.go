package colormap

import (
	"math"
	"sort"
)

// At returns the color of a sample. It is transparent for NaN, and for samples outside all
// intervals or categories. A ramp rounds samples and clamps them to its ends.
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

// rampIndex returns the entry of a ramp for a sample; v must not be NaN.
func rampIndex(v float64) uint8 {
	return uint8(min(max(v, 0), math.MaxUint8) + 0.5)
}

// between returns the color of a sample, given the number of stops that are not above it.
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
