package tiff

import (
	"bytes"
	"encoding/binary"

	"tileserver/decode"
	"tileserver/raster"
)

// packsMask tells whether the rows of a mask come out of their codec as bits, eight
// pixels a byte: of one that only compresses bytes, and does not know what they are.
func (p *page) packsMask() bool {
	if p.bits != 1 || p.samples != 1 || p.fields != nil || p.inColumns() || p.usedPredictor() != uint64(decode.NoPredictor) {
		return false
	}
	switch p.compression {
	case compressionNone, compressionPackBits, compressionLZW, compressionDeflate, compressionOldDeflate, compressionLZMA, compressionZSTD:
		return true
	}
	return false
}

// packedLayout is the layout of a mask of bits as one of bytes.
func (p *page) packedLayout() *decode.Layout {
	packed := p.layout
	packed.Width, packed.Bits = packed.RowBytes(), 8
	return &packed
}

// addPackedMasks makes the jobs of the masks of all blocks, behind those of pixels,
// with eight pixels of them in a byte.
func (b *batch) addPackedMasks(pl *plan) {
	pixelJobs, layout := len(b.jobs), pl.mask.packedLayout()
	b.masks = make(map[raster.BlockID]*raster.Buffer)
	for i := range b.blocks {
		for _, m := range b.blocks[i].masks {
			rect := pl.mask.level(pl.mask).Block(m.id)
			target := raster.NewBuffer(raster.Uint8, (rect.Width()+7)/8, rect.Height(), 1)
			b.masks[m.id] = target
			for _, p := range m.parts {
				if p.ok {
					b.add(p, target, rect)
					b.jobs[len(b.jobs)-1].Layout = layout
				}
			}
		}
	}
	b.maskJobs = len(b.jobs) - pixelJobs
}

// allSet tells whether all bits of a rectangle of a packed mask are set. Those that
// fill up the last byte of a row may be anything.
func allSet(packed *raster.Buffer, r raster.Rect) bool {
	if r.Empty() {
		return true
	}
	plane, stride := packed.Plane(0), packed.Width()
	if r.X0 == 0 && r.X1 == 8*stride {
		return onlyOnes(plane[r.Y0*stride : r.Y1*stride])
	}
	first, last := r.X0>>3, (r.X1-1)>>3
	head, tail := byte(0xFF)>>(r.X0&7), byte(0xFF)<<(7-(r.X1-1)&7)
	if first == last {
		head, tail = head&tail, head&tail
	}
	for y := r.Y0; y < r.Y1; y++ {
		row := plane[y*stride:][:stride]
		if ^row[first]&head|^row[last]&tail != 0 || !onlyOnes(row[min(first+1, last):last]) {
			return false
		}
	}
	return true
}

// onlyOnes looks at 32 bytes at a time.
func onlyOnes(b []byte) bool {
	const step = 32
	ones := ^uint64(0)
	for ; len(b) >= step && ones == ^uint64(0); b = b[step:] {
		ones = binary.LittleEndian.Uint64(b) & binary.LittleEndian.Uint64(b[8:]) &
			binary.LittleEndian.Uint64(b[16:]) & binary.LittleEndian.Uint64(b[24:])
	}
	if ones != ^uint64(0) {
		return false
	}
	for _, v := range b {
		if v != 0xFF {
			return false
		}
	}
	return true
}

// noneZero tells whether no pixel of a rectangle of a mask is 0, in any band.
func noneZero(mask *raster.Buffer, r raster.Rect) bool {
	for band := range mask.Bands() {
		for y := r.Y0; y < r.Y1; y++ {
			if bytes.IndexByte(mask.Plane(band)[y*mask.Width()+r.X0:][:r.Width()], 0) >= 0 {
				return false
			}
		}
	}
	return true
}
