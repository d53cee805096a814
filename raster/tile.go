package raster

import (
	"slices"
	"unsafe"
)

// Tile holds frozen pixels. Any number of goroutines may share it, and none may write it. The zero
// Tile has no pixels.
type Tile struct{ p *pixels }

// tileOverheadBytes approximates the memory of a tile besides its planes.
const tileOverheadBytes = int64(unsafe.Sizeof(pixels{})) + 3*24

// IsZero reports whether t has no pixels.
func (t Tile) IsZero() bool { return t.p == nil }

// Width, Height, Bands and Type describe the shape of t.
func (t Tile) Width() int     { return t.p.width }
func (t Tile) Height() int    { return t.p.height }
func (t Tile) Bands() int     { return t.p.bands }
func (t Tile) Type() DataType { return t.p.dataType }

// Plane returns the bytes of a band, row by row. The caller must not write them.
func (t Tile) Plane(band int) []byte { return t.p.plane(band) }

// Validity returns the coverage of a band, or nil if all of it is valid. The caller must not write
// it.
func (t Tile) Validity(band int) []uint8 { return t.p.validityOf(band) }

// HasOwnValidity reports whether each band has its own coverage.
func (t Tile) HasOwnValidity() bool { return len(t.p.validity) > 1 }

// AllValid reports whether all pixels of all bands have data.
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

// Size returns the memory that t keeps alive in bytes: the capacity of its backing arrays, not the
// length of its planes.
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
	return n + int64(cap(t.p.madeOf))*int64(unsafe.Sizeof(Interval{}))
}

// WithValidity returns t with another coverage for all bands. The samples are shared. The tile keeps
// plane, so the caller must not write it any more.
func (t Tile) WithValidity(plane []uint8) Tile {
	p := *t.p
	p.shared = false
	b := Buffer{&p}
	b.SetValidity(plane)
	return b.Freeze()
}

// WithBandValidity returns t with the coverage of each band replaced. The samples are shared. The
// tile keeps the planes but not the slice of them.
func (t Tile) WithBandValidity(planes [][]uint8) Tile {
	p := *t.p
	p.shared = false
	p.validity = slices.Clone(planes)
	b := Buffer{&p}
	return b.Freeze()
}

// WithBands returns a tile of some neighboring bands of t, in which it refers to the pixels of t. As for
// Shared, its Size is only that of a reference.
func (t Tile) WithBands(first, count int) Tile {
	p := *t.p
	step := max(p.planeStep, p.width*p.height*p.dataType.Size())
	p.data, p.bands, p.shared = p.data[first*step:(first+count-1)*step+p.width*p.height*p.dataType.Size()], count, true
	if len(p.validity) > 1 {
		p.validity = slices.Clone(p.validity[first : first+count])
	}
	if p.madeOf != nil {
		p.madeOf = p.madeOf[first : first+count]
	}
	p.simplifyValidity()
	p.seal = sealOf(p.data)
	return Tile{&p}
}

// Shared returns a tile that refers to the pixels of t. The caller keeps t in memory and counts its
// size once; the Size of the result is only that of a reference.
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
