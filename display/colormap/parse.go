package colormap

import (
	"fmt"
	"slices"
)

// MaxTextBytes bounds the text of a map.
const MaxTextBytes = 64 << 10

// Explicit and Linear are the types of maps that TiTiler knows, for ParseJSON.
const (
	Explicit = "explicit"
	Linear   = "linear"
)

// ParseJSON reads a map. Its forms, where a colour is a text or an array of three or four
// numbers from 0 to 255:
//
//	{"0": colour, "10": colour}             categories, or a ramp if the values are 0 to 255, all of them
//	{"0": {"color": colour, "label": text}} the same with labels
//	[[0, colour], [10, colour, label]]      stops
//	[[[0, 10], colour, label]]              intervals
//	{"type": "stops", "entries": …}         any of these as the kind that type says; or the entries are
//	                                        [{"value": 0, "color": colour, "label": text}] or
//	                                        [{"low": 0, "high": 10, "color": colour}]
//
// The kind is Explicit, which may be left out, or Linear, which makes a ramp of values from 0
// to 255 and colours that run straight between them; or it is the name of a Kind, and a ramp
// is Linear. What "type" says goes before it.
func ParseJSON(text []byte, kind string) (*Map, error) {
	if len(text) > MaxTextBytes {
		return nil, fmt.Errorf("%w: %d bytes of text, more than %d", ErrInvalid, len(text), MaxTextBytes)
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

// listing is the entries that a text has, in its order.
type listing struct {
	entries []Entry
	keyed   bool   // they are members of an object, by their values
	ranges  int    // how many of them are intervals
	kind    string // that the text asks for, or nothing
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
		return nil, fmt.Errorf("%w: values that are no intervals", ErrInvalid)
	}
	return nil, fmt.Errorf("%w: there is no type %q", ErrInvalid, kind)
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

// buildRamp looks at stops at each whole number from 0 to 255.
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
