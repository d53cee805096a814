package raster

import (
	"bytes"
	"unsafe"
)

// pixels holds samples in planes, one for each band, in the machine's byte order.
type pixels struct {
	width, height, bands int
	dataType             DataType
	data                 []byte
	planeStep            int  // bytes from one plane to the next, if more than a plane
	shared               bool // many tiles refer to the data, and one counted tile stays in memory
	seal                 seal // checksum of data when it was frozen

	// validity is empty if every pixel is valid. One plane applies to all bands. Several planes
	// belong to one band each; a nil plane means that the band is all valid.
	validity [][]uint8

	damage    *Damage // nil if nothing is lost
	hasSource bool    // damage covers the pixels that these were computed from

	madeOf []Interval // valid samples that these were computed from, by band; nil if unknown
}

// Buffer holds pixels that one owner is writing.
type Buffer struct{ p *pixels }

// NewBuffer returns a buffer of zeros that are all valid.
func NewBuffer(t DataType, width, height, bands int) *Buffer {
	n := width * height * bands * t.Size()
	return &Buffer{&pixels{width: width, height: height, bands: bands, dataType: t, data: alignedBytes(n)}}
}

// BufferBytes returns the size of the samples of such a buffer, without its validity.
func BufferBytes(t DataType, width, height, bands int) int64 {
	return int64(width) * int64(height) * int64(bands) * int64(t.Size())
}

// alignedBytes allocates n zeros, aligned for samples of any type.
func alignedBytes(n int) []byte {
	words := make([]uint64, (n+7)/8)
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:n]
}

// Width, Height, Bands and Type describe the shape of b.
func (b *Buffer) Width() int     { return b.p.width }
func (b *Buffer) Height() int    { return b.p.height }
func (b *Buffer) Bands() int     { return b.p.bands }
func (b *Buffer) Type() DataType { return b.p.dataType }

// Plane returns the bytes of a band. The caller may write them.
func (b *Buffer) Plane(band int) []byte { return b.p.plane(band) }

// Validity returns the coverage of a band, or nil if all of it is valid. The caller may write it.
func (b *Buffer) Validity(band int) []uint8 { return b.p.validityOf(band) }

// HasOwnValidity reports whether each band has its own coverage.
func (b *Buffer) HasOwnValidity() bool { return len(b.p.validity) > 1 }

// SetValidity sets the coverage of all bands; nil makes all pixels valid.
func (b *Buffer) SetValidity(plane []uint8) {
	b.p.validity = nil
	if plane != nil {
		b.p.validity = [][]uint8{plane}
	}
}

// OwnValidity returns the coverage of one band. The caller may write it. A band without its own
// coverage gets a copy of the shared one, or a plane that is all valid.
func (b *Buffer) OwnValidity(band int) []uint8 {
	p := b.p
	if len(p.validity) != p.bands {
		own := make([][]uint8, p.bands)
		for i := range own {
			own[i] = bytes.Clone(p.validityOf(i))
		}
		p.validity = own
	}
	if p.validity[band] == nil {
		p.validity[band] = bytes.Repeat([]byte{Valid}, p.width*p.height)
	}
	return p.validity[band]
}

// Freeze ends writing: the pixels become a Tile, and b becomes empty.
func (b *Buffer) Freeze() Tile {
	p := b.p
	b.p = nil
	p.simplifyValidity()
	p.seal = sealOf(p.data)
	return Tile{p}
}

// simplifyValidity drops planes that are all valid and merges equal ones. That makes the fast paths
// for fully valid tiles apply more often.
func (p *pixels) simplifyValidity() {
	same := true
	for i, plane := range p.validity {
		if allValid(plane) {
			p.validity[i] = nil
		}
		same = same && bytes.Equal(p.validity[i], p.validity[0])
	}
	if !same || len(p.validity) == 0 {
		return
	}
	p.validity = p.validity[:1]
	if p.validity[0] == nil {
		p.validity = nil
	}
}

func (p *pixels) plane(band int) []byte {
	n := p.width * p.height * p.dataType.Size()
	at := band * max(p.planeStep, n)
	return p.data[at : at+n : at+n]
}

func (p *pixels) validityOf(band int) []uint8 {
	switch len(p.validity) {
	case 0:
		return nil
	case 1:
		return p.validity[0]
	default:
		return p.validity[band]
	}
}
