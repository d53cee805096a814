package raster

import (
	"bytes"
	"unsafe"
)

// pixels are samples in planes, one a band, in the machine's byte order.
type pixels struct {
	width, height, bands int
	dataType             DataType
	data                 []byte
	planeStep            int  // bytes from one plane to the next, if they do not follow each other
	shared               bool // by many tiles, of which one is kept for good
	seal                 seal // of data, since it was frozen

	// validity is empty where every pixel is valid; one plane where the bands
	// share it; else one a band, in which nil again says that all are valid.
	validity [][]uint8

	damage    *Damage // nil where nothing is lost
	hasSource bool    // damage tells of the pixels that these are made of
}

// Buffer is pixels being written by one owner.
type Buffer struct{ p *pixels }

// NewBuffer returns a buffer of zeros, all of them valid.
func NewBuffer(t DataType, width, height, bands int) *Buffer {
	n := width * height * bands * t.Size()
	return &Buffer{&pixels{width: width, height: height, bands: bands, dataType: t, data: alignedBytes(n)}}
}

// BufferBytes returns what a buffer of that shape takes, without its validity.
func BufferBytes(t DataType, width, height, bands int) int64 {
	return int64(width) * int64(height) * int64(bands) * int64(t.Size())
}

// alignedBytes allocates n zeros that may be seen as samples of any type.
func alignedBytes(n int) []byte {
	words := make([]uint64, (n+7)/8)
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:n]
}

// Width, Height, Bands and Type are the shape of b.
func (b *Buffer) Width() int     { return b.p.width }
func (b *Buffer) Height() int    { return b.p.height }
func (b *Buffer) Bands() int     { return b.p.bands }
func (b *Buffer) Type() DataType { return b.p.dataType }

// Plane returns the bytes of a band, to be written.
func (b *Buffer) Plane(band int) []byte { return b.p.plane(band) }

// Validity returns the coverage of a band, to be written, or nil where all is valid.
func (b *Buffer) Validity(band int) []uint8 { return b.p.validityOf(band) }

// HasOwnValidity reports whether the bands have coverage of their own each.
func (b *Buffer) HasOwnValidity() bool { return len(b.p.validity) > 1 }

// SetValidity gives all bands the same coverage; nil makes all of them valid.
func (b *Buffer) SetValidity(plane []uint8) {
	b.p.validity = nil
	if plane != nil {
		b.p.validity = [][]uint8{plane}
	}
}

// OwnValidity returns the coverage of one band, to be written; it is made, all valid
// or as the bands shared it, if the band had none of its own.
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

// Freeze ends the writing: the pixels become a Tile, and b is empty.
func (b *Buffer) Freeze() Tile {
	p := b.p
	b.p = nil
	p.simplifyValidity()
	p.seal = sealOf(p.data)
	return Tile{p}
}

// simplifyValidity drops planes that say nothing and shares equal ones, so that
// the fast paths for wholly valid tiles are taken whenever they can be.
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
