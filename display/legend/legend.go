// Package legend explains colors: as a picture of a bar with numbers or of boxes with labels, and
// as data. Package display builds legends, layer and http draw them. It must never know which
// layer or request the colors belong to.
package legend

import "tileserver/display/colormap"

// A Legend describes colors and what they stand for.
type Legend struct {
	Title string
	Unit  string // unit of the samples, such as "m"; it follows the title
	Map   *colormap.Map

	// NamesOnly marks categories that stand for no samples: bands shown as red, green and blue, or
	// lines.
	NamesOnly bool

	// Low and High are the samples of the first and the last color of a ramp. They are unknown if
	// they are equal or not finite. Other kinds of maps define the samples of their colors.
	Low, High float64
}

// An Entry is a color and what it stands for: one sample, or the samples from Low up to but
// excluding High.
type Entry struct {
	Value *float64 `json:"value,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Label string   `json:"label,omitempty"`
	Color string   `json:"color"` // #rrggbbaa
}

// Entries returns all colors. Colors of a ramp have samples if those are known.
func (l *Legend) Entries() []Entry {
	colors := l.Map.Entries()
	entries := make([]Entry, len(colors))
	for i, c := range colors {
		entries[i] = Entry{Label: c.Label, Color: c.Color.String()}
		switch l.Map.Kind() {
		case colormap.Ramp:
			if isFiniteRange(l.Low, l.High) {
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

// sample returns the sample at a fraction of the range from the lowest color to the highest. Each
// product is rounded separately, so that all processors give the same result.
func (l *Legend) sample(part float64) float64 {
	low, high := l.limits()
	return float64(low*(1-part)) + float64(high*part)
}

// limits returns the samples at the ends of a bar.
func (l *Legend) limits() (low, high float64) {
	if l.Map.Kind() == colormap.Ramp {
		return l.Low, l.High
	}
	return l.Map.Domain()
}

// labelOf returns the label of an interval or a category, or its numbers if it has none.
func labelOf(kind colormap.Kind, e colormap.Entry) string {
	switch {
	case e.Label != "":
		return e.Label
	case kind == colormap.Intervals:
		return formatNumber(e.Low) + " to " + formatNumber(e.High)
	}
	return formatNumber(e.Low)
}
