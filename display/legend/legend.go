// Package legend explains colours: as a picture of a bar with numbers beside it or of boxes
// with labels, and as data. It must never know which layer or request the colours are of.
package legend

import "tileserver/display/colormap"

// Legend is what there is to explain.
type Legend struct {
	Title string
	Unit  string // of the samples, such as "m"; it stands behind the title
	Map   *colormap.Map

	// NamesOnly says that the categories are no samples: bands that are red, green and blue, or lines.
	NamesOnly bool

	// Low and High are the samples of the first and of the last colour of a ramp. If they
	// are equal or no finite numbers, nobody knows. Other maps say themselves which samples
	// their colours are of.
	Low, High float64
}

// Entry is a colour and what it stands for: a sample, or those from Low up to but without
// High.
type Entry struct {
	Value *float64 `json:"value,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Label string   `json:"label,omitempty"`
	Color string   `json:"color"` // #rrggbbaa
}

// Entries are all colours: those of a ramp with their samples, if they are known.
func (l *Legend) Entries() []Entry {
	colors := l.Map.Entries()
	entries := make([]Entry, len(colors))
	for i, c := range colors {
		entries[i] = Entry{Label: c.Label, Color: c.Color.String()}
		switch l.Map.Kind() {
		case colormap.Ramp:
			if canBeCounted(l.Low, l.High) {
				entries[i].Value = new(l.sample(float64(i) / float64(len(colors)-1)))
			}
		case colormap.Intervals:
			entries[i].Low, entries[i].High = new(c.Low), new(c.High)
			entries[i].Label = labelOf(l.Map.Kind(), c)
		case colormap.Categories:
			entries[i].Label = labelOf(l.Map.Kind(), c)
			if !l.NamesOnly {
				entries[i].Value = new(c.Low)
			}
		default:
			entries[i].Value = new(c.Low)
		}
	}
	return entries
}

// sample is what lies at a part of the way from the lowest colour to the highest. Each product
// is rounded by itself, so that all machines have the same.
func (l *Legend) sample(part float64) float64 {
	low, high := l.limits()
	return float64(low*(1-part)) + float64(high*part)
}

// limits are the samples at the ends of a bar.
func (l *Legend) limits() (low, high float64) {
	if l.Map.Kind() == colormap.Ramp {
		return l.Low, l.High
	}
	return l.Map.Domain()
}

// labelOf is what an interval or a category is called, at least by its numbers.
func labelOf(kind colormap.Kind, e colormap.Entry) string {
	switch {
	case e.Label != "":
		return e.Label
	case kind == colormap.Intervals:
		return formatNumber(e.Low) + " to " + formatNumber(e.High)
	}
	return formatNumber(e.Low)
}
