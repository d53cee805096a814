package colormap

import (
	"fmt"
	"slices"
)

// MaxTextBytes limits the text of a map.
const MaxTextBytes = 64 << 10

// Explicit and Linear are the map types of TiTiler, for ParseJSON.
const (
	Explicit = "explicit"
	Linear   = "linear"
)

// ParseJSON parses a map. A color is a string or an array of three or four numbers from 0 to 255.
// The forms are:
//
//	{"0": color, "10": color}               categories, or a ramp if the values are all of 0 to 255
//	{"0": {"color": color, "label": text}}  the same with labels
//	[[0, color], [10, color, label]]        stops
//	[[[0, 10], color, label]]               intervals
//	{"type": "stops", "entries": …}         any of these with an explicit kind; entries may also be
//	                                        [{"value": 0, "color": color, "label": text}] or
//	                                        [{"low": 0, "high": 10, "color": color}]
//
// Kind is Explicit, the default; or Linear, a ramp of values from 0 to 255 whose colors are
// interpolated; or the name of a Kind, where "ramp" means Linear. The "type" in the text takes
// precedence.
func ParseJSON(text []byte, kind string) (*Map, error) {
	if len(text) > MaxTextBytes {
		return nil, fmt.Errorf("%w: %d bytes of text exceed the limit of %d", ErrInvalid, len(text), MaxTextBytes)
	}
	l, err := readListing(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if l.kind != "" {
		kind = l.kind
	}
	return l.build(kind)
}

// A listing holds the entries of a text, in order.
type listing struct {
	entries []Entry
	keyed   bool   // entries are members of an object, keyed by value
	ranges  int    // number of entries that are intervals
	kind    string // type given in the text, or empty
}

func (l *listing) build(kind string) (*Map, error) {
	if l.ranges > 0 {
		return l.buildIntervals(kind)
	}
	switch kind {
	case "", Explicit:
		return l.buildExplicit()
	case Linear:
		if !l.keyed {
			return New(Stops, l.entries)
		}
		return l.buildRamp()
	case Ramp.String():
		return l.buildRamp()
	case Stops.String():
		return New(Stops, l.entries)
	case Categories.String():
		return New(Categories, l.entries)
	case Intervals.String():
		return nil, fmt.Errorf("%w: type intervals needs entries with intervals", ErrInvalid)
	}
	return nil, fmt.Errorf("%w: unknown type %q", ErrInvalid, kind)
}

func (l *listing) buildIntervals(kind string) (*Map, error) {
	if l.ranges < len(l.entries) {
		return nil, fmt.Errorf("%w: %d of %d entries are intervals", ErrInvalid, l.ranges, len(l.entries))
	}
	if kind != "" && kind != Explicit && kind != Intervals.String() {
		return nil, fmt.Errorf("%w: intervals cannot be of type %q", ErrInvalid, kind)
	}
	return New(Intervals, l.entries)
}

func (l *listing) buildExplicit() (*Map, error) {
	if !l.keyed {
		return New(Stops, l.entries)
	}
	m, err := New(Categories, l.entries)
	if err != nil {
		return nil, err
	}
	if len(m.entries) == 256 && !slices.ContainsFunc(m.entries, Entry.hasLabel) {
		low, high := m.Domain()
		if low == 0 && high == 255 && m.holdsWholeNumbers() {
			m.kind = Ramp
		}
	}
	return m, nil
}

func (e Entry) hasLabel() bool { return e.Label != "" }

func (m *Map) holdsWholeNumbers() bool {
	return !slices.ContainsFunc(m.entries, func(e Entry) bool { return e.Low != float64(int(e.Low)) })
}

// buildRamp samples the stops at each integer from 0 to 255.
func (l *listing) buildRamp() (*Map, error) {
	stops, err := New(Stops, l.entries)
	if err != nil {
		return nil, err
	}
	if low, high := stops.Domain(); low < 0 || high > 255 {
		return nil, fmt.Errorf("%w: the values of a ramp are 0 to 255, not %v to %v", ErrInvalid, low, high)
	}
	var colors [256]Color
	for i := range colors {
		colors[i] = stops.At(float64(i))
	}
	return NewRamp(&colors), nil
}
