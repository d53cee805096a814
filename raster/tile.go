package raster

import (
	"slices"
	"unsafe"
)

// Tile is frozen pixels: shared by all who have it and written by nobody. The
// zero Tile has no pixels.
type Tile struct{ p *pixels }

// tileOverheadBytes is about what a tile takes beside its planes.
const tileOverheadBytes = int64(unsafe.Sizeof(pixels{})) + 3*24

// IsZero reports whether t is the tile that has no pixels.
func (t Tile) IsZero() bool { return t.p == nil }

// Width, Height, Bands and Type are the shape of t.
func (t Tile) Width() int     { return t.p.width }
func (t Tile) Height() int    { return t.p.height }
func (t Tile) Bands() int     { return t.p.bands }
func (t Tile) Type() DataType { return t.p.dataType }

// Plane returns the bytes of a band, row by row, to be read only.
func (t Tile) Plane(band int) []byte { return t.p.plane(band) }

// Validity returns the coverage of a band, to be read only, or nil where all is valid.
func (t Tile) Validity(band int) []uint8 { return t.p.validityOf(band) }

// HasOwnValidity reports whether the bands have coverage of their own each.
func (t Tile) HasOwnValidity() bool { return len(t.p.validity) > 1 }

// AllValid reports whether no pixel of any band lacks data.
func (t Tile) AllValid() bool { return len(t.p.validity) == 0 }

// AnyValid reports whether any pixel of any band has data.
func (t Tile) AnyValid() bool {
	for band := range t.Bands() {
		coverage := t.Validity(band)
		if coverage == nil || slices.ContainsFunc(coverage, func(c uint8) bool { return c != Invalid }) {
			return true
		}
	}
	return false
}

// Size returns the bytes that t keeps from being freed: the capacity of its backing
// arrays, not the length of what it shows of them.
func (t Tile) Size() int64 {
	if t.p == nil {
		return 0
	}
	if t.p.shared {
		return tileOverheadBytes
	}
	n := int64(cap(t.p.data)) + tileOverheadBytes + damageOf(t.p.damage).Size()
	for _, plane := range t.p.validity {
		n += int64(cap(plane))
	}
	return n
}

// WithValidity is t with another coverage for all bands. The samples are shared.
func (t Tile) WithValidity(plane []uint8) Tile {
	p := *t.p
	p.shared = false
	b := Buffer{&p}
	b.SetValidity(plane)
	return b.Freeze()
}

// WithBandValidity is t with the coverage of each band set. The samples are shared.
func (t Tile) WithBandValidity(planes [][]uint8) Tile {
	p := *t.p
	p.shared = false
	p.validity = planes
	b := Buffer{&p}
	return b.Freeze()
}

// Shared returns t as one of many that refer to the same pixels. Whoever calls it
// keeps t for good and counts it: the Size of the others is what a reference takes.
func (t Tile) Shared() Tile {
	p := *t.p
	p.shared = true
	return Tile{&p}
}

// SamePixels reports whether two tiles have the same shape, samples and validity.
func (t Tile) SamePixels(o Tile) bool {
	if t.p == nil || o.p == nil {
		return t.p == o.p
	}
	if t.Width() != o.Width() || t.Height() != o.Height() || t.Bands() != o.Bands() || t.Type() != o.Type() {
		return false
	}
	for b := range t.Bands() {
		if string(t.Plane(b)) != string(o.Plane(b)) || string(t.Validity(b)) != string(o.Validity(b)) {
			return false
		}
	}
	return true
}
