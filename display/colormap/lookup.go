package colormap

import "encoding/binary"

// A Lookup is a Map compiled for many samples of one type. It is immutable and safe for concurrent
// use.
//
// The bounds of intervals and the values of categories are rounded to the type. A float32 sample
// 0.1 belongs to the category 0.1, although its exact value differs.
type Lookup[T float32 | float64] struct {
	kind   Kind
	bounds *bounds  // nil for a ramp
	words  []uint32 // for all kinds but stops; except for a ramp, the first is the color below all bounds
	blends []blend  // for stops; the first and the last are constant
}

// NewLookup compiles m.
func NewLookup[T float32 | float64](m *Map) *Lookup[T] {
	l := &Lookup[T]{kind: m.kind}
	switch m.kind {
	case Ramp:
		for _, e := range m.entries {
			l.words = append(l.words, e.Color.word())
		}
	case Stops:
		l.buildStops(m.entries)
	case Intervals:
		l.buildIntervals(m.entries)
	case Categories:
		l.buildCategories(m.entries)
	}
	return l
}

func (l *Lookup[T]) buildStops(entries []Entry) {
	var values []float64
	last := entries[0].Color
	for _, e := range entries {
		values = append(values, e.Low)
		l.blends = append(l.blends, newBlend(last, e.Color))
		last = e.Color
	}
	l.blends = append(l.blends, newBlend(last, last))
	l.bounds = newBounds(values)
}

// buildIntervals adds a transparent interval for each gap.
func (l *Lookup[T]) buildIntervals(entries []Entry) {
	var values []float64
	l.words = append(l.words, 0)
	for i, e := range entries {
		values = append(values, float64(T(e.Low)))
		l.words = append(l.words, e.Color.word())
		if i+1 == len(entries) || entries[i+1].Low != e.High {
			values = append(values, float64(T(e.High)))
			l.words = append(l.words, 0)
		}
	}
	l.bounds = newBounds(values)
}

func (l *Lookup[T]) buildCategories(entries []Entry) {
	var values []float64
	l.words = append(l.words, 0)
	for _, e := range entries {
		values = append(values, float64(T(e.Low)))
		l.words = append(l.words, e.Color.word())
	}
	l.bounds = newBounds(values)
}

// Colors writes the RGBA colors of samples to pixels, which must have room for all of them.
func (l *Lookup[T]) Colors(pixels []uint8, samples []T) {
	pixels = pixels[:4*len(samples)]
	switch l.kind {
	case Ramp:
		l.ramp(pixels, samples)
	case Stops:
		l.stops(pixels, samples)
	case Intervals:
		l.intervals(pixels, samples)
	case Categories:
		l.categories(pixels, samples)
	}
}

func (l *Lookup[T]) ramp(pixels []uint8, samples []T) {
	words := (*[256]uint32)(l.words)
	for i, sample := range samples {
		word := uint32(0)
		if sample == sample {
			word = words[rampIndex(float64(sample))]
		}
		binary.LittleEndian.PutUint32(pixels[4*i:], word)
	}
}

func (l *Lookup[T]) stops(pixels []uint8, samples []T) {
	for i, sample := range samples {
		binary.LittleEndian.PutUint32(pixels[4*i:], l.stopColor(float64(sample)))
	}
}

func (l *Lookup[T]) stopColor(v float64) uint32 {
	if v != v {
		return 0
	}
	n := l.bounds.notAbove(v)
	position := uint64(0)
	if n > 0 && n < l.bounds.count() {
		position = progress(v, l.bounds.ascending[n-1], l.bounds.ascending[n])
	}
	return l.blends[n].at(position)
}

func (l *Lookup[T]) intervals(pixels []uint8, samples []T) {
	for i, sample := range samples {
		binary.LittleEndian.PutUint32(pixels[4*i:], l.words[l.bounds.notAbove(float64(sample))])
	}
}

func (l *Lookup[T]) categories(pixels []uint8, samples []T) {
	for i, sample := range samples {
		word := uint32(0)
		if n := l.bounds.notAbove(float64(sample)); n > 0 && l.bounds.ascending[n-1] == float64(sample) {
			word = l.words[n]
		}
		binary.LittleEndian.PutUint32(pixels[4*i:], word)
	}
}
