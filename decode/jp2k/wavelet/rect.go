// Package wavelet undoes the discrete wavelet transforms of JPEG 2000, one level a call and as much of it as a window
// takes: windows of four bands become the window of the resolution above. It knows nothing of codestreams, of how
// code-blocks are coded, and of what the samples mean.
package wavelet

// Rect is a rectangle of a band's or a resolution's own grid; X1 and Y1 are just outside.
type Rect struct{ X0, Y0, X1, Y1 int }

// Width is the number of columns in r, or 0.
func (r Rect) Width() int { return max(r.X1-r.X0, 0) }

// Height is the number of rows in r, or 0.
func (r Rect) Height() int { return max(r.Y1-r.Y0, 0) }

// Empty tells whether nothing is in r.
func (r Rect) Empty() bool { return r.X1 <= r.X0 || r.Y1 <= r.Y0 }

// Intersect is the part that r and o share.
func (r Rect) Intersect(o Rect) Rect {
	return Rect{max(r.X0, o.X0), max(r.Y0, o.Y0), min(r.X1, o.X1), min(r.Y1, o.Y1)}
}

// holds tells whether all of o is in r.
func (r Rect) holds(o Rect) bool { return o.Empty() || r.Intersect(o) == o }

// Orientation is which of the four parts of a level a band is.
type Orientation uint8

// The orientations, as codestreams count them: the first letter is of the horizontal filter, low or high.
const (
	LL Orientation = iota
	HL
	LH
	HH
)

// BandRect is the rectangle of a band, in its own grid, of a level that makes the resolution whole.
func BandRect(whole Rect, o Orientation) Rect {
	band := Rect{(whole.X0 + 1) >> 1, (whole.Y0 + 1) >> 1, (whole.X1 + 1) >> 1, (whole.Y1 + 1) >> 1}
	if o == HL || o == HH {
		band.X0, band.X1 = whole.X0>>1, whole.X1>>1
	}
	if o == LH || o == HH {
		band.Y0, band.Y1 = whole.Y0>>1, whole.Y1>>1
	}
	return band
}

// Filter is one of the two wavelets.
type Filter uint8

// The filters, by the number of coefficients of their analysis.
const (
	Filter53 Filter = iota // reversible, of integers
	Filter97               // irreversible, of floating-point numbers
)

// Needed is what a window of the resolution whole takes of each band, margins of the filter included and cut at the
// band's rectangle.
func (f Filter) Needed(whole, window Rect) [4]Rect {
	var needed [4]Rect
	window = window.Intersect(whole)
	if window.Empty() {
		return needed
	}
	across, down := newLine(f, whole.X0, whole.X1, window.X0, window.X1), newLine(f, whole.Y0, whole.Y1, window.Y0, window.Y1)
	for o := range needed {
		x, y := &across.low, &down.low
		if o := Orientation(o); o == HL || o == HH {
			x = &across.high
		}
		if o := Orientation(o); o == LH || o == HH {
			y = &down.high
		}
		needed[o] = Rect{x.begin, y.begin, x.end, y.end}
	}
	return needed
}
