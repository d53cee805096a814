package colormap

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrInvalid matches every error about an invalid map. The error texts are for people.
var ErrInvalid = errors.New("invalid color map")

// MaxEntries limits the stops, intervals or categories of a map.
const MaxEntries = 1024

// Kind is the way in which a Map assigns colors.
type Kind uint8

// The kinds of maps.
const (
	// Ramp has 256 colors for samples that were stretched to 0 to 255.
	Ramp Kind = iota

	// Stops are colors at samples. Colors between two stops are interpolated linearly. Samples
	// outside have the color of the first or the last stop.
	Stops

	// Intervals include their low sample and exclude their high one.
	Intervals

	// Categories are single samples.
	Categories
)

var kindNames = [...]string{"ramp", "stops", "intervals", "categories"}

// String returns the name of k in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// An Entry is a color of a map. High equals Low except for intervals.
type Entry struct {
	Low, High float64
	Color     Color
	Label     string // optional
}

// A Map assigns a color to every sample. It is immutable and safe for concurrent use.
type Map struct {
	kind    Kind
	entries []Entry // ascending
}

// NewRamp returns the ramp of the given colors.
func NewRamp(colors *[256]Color) *Map {
	m := &Map{Ramp, make([]Entry, len(colors))}
	for i, c := range colors {
		m.entries[i] = Entry{Low: float64(i), High: float64(i), Color: c}
	}
	return m
}

// New returns a map of stops, intervals or categories, given in any order. No two entries may cover
// the same sample.
func New(kind Kind, entries []Entry) (*Map, error) {
	minEntries := 1
	if kind == Stops {
		minEntries = 2
	}
	if kind != Stops && kind != Intervals && kind != Categories {
		return nil, fmt.Errorf("%w: kind %d", ErrInvalid, kind)
	}
	if len(entries) < minEntries || len(entries) > MaxEntries {
		return nil, fmt.Errorf("%w: %d %v, not %d to %d", ErrInvalid, len(entries), kind, minEntries, MaxEntries)
	}
	m := &Map{kind, slices.Clone(entries)}
	for i := range m.entries {
		if err := m.entries[i].normalize(kind); err != nil {
			return nil, fmt.Errorf("%w: entry %d: %w", ErrInvalid, i+1, err)
		}
	}
	slices.SortFunc(m.entries, func(a, b Entry) int { return cmp.Compare(a.Low, b.Low) })
	if err := m.validate(); err != nil {
		return nil, err
	}
	return m, nil
}

var (
	errNotFinite  = errors.New("a value is not a finite number")
	errDescending = errors.New("an interval does not ascend")
)

// normalize checks e. It also replaces -0 by 0, so that equal maps have equal keys.
func (e *Entry) normalize(kind Kind) error {
	if kind != Intervals {
		e.High = e.Low
	}
	if !isFinite(e.Low) || !isFinite(e.High) {
		return errNotFinite
	}
	if kind == Intervals && e.Low >= e.High {
		return fmt.Errorf("%w: %v, %v", errDescending, e.Low, e.High)
	}
	e.Low, e.High = e.Low+0, e.High+0
	return nil
}

// validate checks entries, which must be sorted.
func (m *Map) validate() error {
	for i := range len(m.entries) - 1 {
		this, next := m.entries[i], m.entries[i+1]
		if this.Low == next.Low || next.Low < this.High {
			return fmt.Errorf("%w: two %v contain %v", ErrInvalid, m.kind, next.Low)
		}
	}
	if low, high := m.Domain(); !isFinite(high - low) {
		return fmt.Errorf("%w: the range from %v to %v is too wide", ErrInvalid, low, high)
	}
	return nil
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Kind returns the kind of m.
func (m *Map) Kind() Kind { return m.kind }

// Entries returns the colors of m in ascending order. A ramp has 256 of them.
func (m *Map) Entries() []Entry { return slices.Clone(m.entries) }

// Domain returns the lowest and the highest value in the entries.
func (m *Map) Domain() (low, high float64) {
	return m.entries[0].Low, m.entries[len(m.entries)-1].High
}

// Ramp returns the colors of a ramp. Other kinds of maps return false.
func (m *Map) Ramp() (colors *[256]Color, ok bool) {
	if m.kind != Ramp {
		return nil, false
	}
	colors = new([256]Color)
	for i := range colors {
		colors[i] = m.entries[i].Color
	}
	return colors, true
}
