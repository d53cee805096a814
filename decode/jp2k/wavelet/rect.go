// Package wavelet inverts the discrete wavelet transforms of JPEG 2000, one level per call and only
// for a window: the four bands of a level become the window of the next finer resolution. Package
// components calls it, once per level of a window. The package must never know of codestreams, the
// coding of code-blocks or the meaning of samples.
//
// Words:
//
//   - A resolution is the image at one scale; a level makes it from four bands.
//   - A band is one of LL, HL, LH and HH: the low or high half of the frequencies, horizontally
//     and vertically.
//   - A whole is the rectangle of a resolution in its own grid; a window is the part of it that
//     is computed.
//   - A pair is two neighboring samples of a row or column, made from one low and one high
//     sample.
//   - Lifting computes samples in place from their neighbors in the other band; the 5-3 wavelet
//     has two lifting steps, the 9-7 wavelet four.
//   - Across is along a row, down is along a column.
package wavelet

import "fmt"

// Rect is a rectangle in the grid of a band or a resolution. X1 and Y1 are exclusive.
type Rect struct{ X0, Y0, X1, Y1 int }

// String returns the corners of r.
func (r Rect) String() string { return fmt.Sprintf("%d,%d to %d,%d", r.X0, r.Y0, r.X1, r.Y1) }

// Width returns the number of columns in r, or 0.
func (r Rect) Width() int { return max(r.X1-r.X0, 0) }

// Height returns the number of rows in r, or 0.
func (r Rect) Height() int { return max(r.Y1-r.Y0, 0) }

// Empty reports whether r has no area.
func (r Rect) Empty() bool { return r.X1 <= r.X0 || r.Y1 <= r.Y0 }

// Intersect returns the intersection of r and o.
func (r Rect) Intersect(o Rect) Rect {
	return Rect{max(r.X0, o.X0), max(r.Y0, o.Y0), min(r.X1, o.X1), min(r.Y1, o.Y1)}
}

// contains reports whether all of o is in r.
func (r Rect) contains(o Rect) bool { return o.Empty() || r.Intersect(o) == o }

// Orientation is one of the four bands of a level.
type Orientation uint8

// The orientations, numbered as in codestreams. The first letter is the horizontal filter, low or
// high; the second is the vertical one.
const (
	LL Orientation = iota
	HL
	LH
	HH
)

// BandRect returns the rectangle of a band in its own grid, for a level that makes the resolution
// whole.
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

// The filters, named by the number of coefficients of their analysis filters.
const (
	Filter53 Filter = iota // reversible, integers
	Filter97               // irreversible, floating point
)

// Needed returns the rectangle of each band that a window of the resolution whole needs. It
// includes the margins of the filter and is clipped to the band.
func (f Filter) Needed(whole, window Rect) [4]Rect {
	var needed [4]Rect
	window = window.Intersect(whole)
	if window.Empty() {
		return needed
	}
	across, down := newAxis(f, whole.X0, whole.X1, window.X0, window.X1), newAxis(f, whole.Y0, whole.Y1, window.Y0, window.Y1)
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

// Exclusive returns the rectangle of each band that no sample outside of a window of the resolution whole needs.
func (f Filter) Exclusive(whole, window Rect) [4]Rect {
	var exclusive [4]Rect
	left := f.Needed(whole, Rect{whole.X0, whole.Y0, window.X0, whole.Y1})
	right := f.Needed(whole, Rect{window.X1, whole.Y0, whole.X1, whole.Y1})
	above := f.Needed(whole, Rect{whole.X0, whole.Y0, whole.X1, window.Y0})
	below := f.Needed(whole, Rect{whole.X0, window.Y1, whole.X1, whole.Y1})
	for o := range exclusive {
		r := BandRect(whole, Orientation(o))
		r.X0, r.Y0 = max(r.X0, left[o].X1), max(r.Y0, above[o].Y1)
		if window.X1 < whole.X1 {
			r.X1 = min(r.X1, right[o].X0)
		}
		if window.Y1 < whole.Y1 {
			r.Y1 = min(r.Y1, below[o].Y0)
		}
		exclusive[o] = r
	}
	return exclusive
}
