package colormap

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrInvalid is in the chain of every error about a map that is none. The sentence around it
// is for people.
var ErrInvalid = errors.New("invalid color map")

// MaxEntries bounds the stops, intervals or categories of a map.
const MaxEntries = 1024

// Kind is what a Map gives colours to.
type Kind uint8

// The kinds of maps.
const (
	// Ramp has 256 colours, for samples that were stretched to 0 to 255.
	Ramp Kind = iota

	// Stops are colours at samples; between two stops colours run straight, and outside
	// those of the first and the last go on.
	Stops

	// Intervals begin with their low sample and end before their high one.
	Intervals

	// Categories are single samples.
	Categories
)

var kindNames = [...]string{"ramp", "stops", "intervals", "categories"}

// String is the name of k in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Entry is a colour of a map. But for intervals, High is Low.
type Entry struct {
	Low, High float64
	Color     Color
	Label     string // what people call it, which may be nothing
}

// Map gives a colour to every sample. It never changes, so all may read it at once.
type Map struct {
	kind    Kind
	entries []Entry // ascending
}

// NewRamp is the ramp of those colours.
func NewRamp(colors *[256]Color) *Map {
	m := &Map{Ramp, make([]Entry, len(colors))}
	for i, c := range colors {
		m.entries[i] = Entry{Low: float64(i), High: float64(i), Color: c}
	}
	return m
}

// New is the map of stops, intervals or categories, in any order. No two may be in the same
// place.
func New(kind Kind, entries []Entry) (*Map, error) {
	fewest := 1
	if kind == Stops {
		fewest = 2
	}
	if kind != Stops && kind != Intervals && kind != Categories {
		return nil, fmt.Errorf("%w: kind %d", ErrInvalid, kind)
	}
	if len(entries) < fewest || len(entries) > MaxEntries {
		return nil, fmt.Errorf("%w: %d %v, not %d to %d", ErrInvalid, len(entries), kind, fewest, MaxEntries)
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

// normalize also makes 0 of -0, which is equal but has other bits.
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

// validate looks at entries in their order.
func (m *Map) validate() error {
	for i := range len(m.entries) - 1 {
		this, next := m.entries[i], m.entries[i+1]
		if this.Low == next.Low || next.Low < this.High {
			return fmt.Errorf("%w: two of the %v hold %v", ErrInvalid, m.kind, next.Low)
		}
	}
	if low, high := m.Domain(); !isFinite(high - low) {
		return fmt.Errorf("%w: %v to %v is too far", ErrInvalid, low, high)
	}
	return nil
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Kind is what m gives colours to.
func (m *Map) Kind() Kind { return m.kind }

// Entries are the colours of m in ascending order, 256 of them for a ramp.
func (m *Map) Entries() []Entry { return slices.Clone(m.entries) }

// Domain reaches from the lowest value that m mentions to the highest.
func (m *Map) Domain() (low, high float64) {
	return m.entries[0].Low, m.entries[len(m.entries)-1].High
}

// Ramp is the colours of a ramp.
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
