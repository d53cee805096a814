package tiff

import (
	"bytes"
	"encoding/binary"

	"tileserver/decode/blocks"
	"tileserver/raster"
)

// hasPackedMask reports whether the codec of a mask yields rows of bits, eight pixels a byte. That
// holds for codecs that compress bytes without knowing what they mean.
func (d *directory) hasPackedMask() bool {
	if d.samples.Bits != 1 || d.samples.Count != 1 || d.samples.Fields != nil || d.hasColumnBlocks() || d.coding.Predictor != uint64(blocks.NoPredictor) {
		return false
	}
	return d.coding.Compression.KeepsBytes()
}

// packedLayout returns the layout of a mask of bits as that of an image of bytes.
func (d *directory) packedLayout() *blocks.Layout {
	packed := d.coding.Layout
	packed.Width, packed.Bits = packed.RowBytes(), 8
	return &packed
}

// addPackedMasks adds the jobs of the masks of all blocks, after those of pixels. Their targets
// have eight pixels per byte.
func (b *batch) addPackedMasks(pl *plan) {
	pixelJobs, layout := len(b.jobs), pl.mask.packedLayout()
	b.masks = make(map[raster.BlockID]*raster.Buffer)
	for i := range b.blocks {
		for _, m := range b.blocks[i].masks {
			rect := pl.mask.ownLevel().Block(m.id)
			target := raster.NewBuffer(raster.Uint8, (rect.Width()+7)/8, rect.Height(), 1)
			b.masks[m.id] = target
			for _, u := range m.units {
				if u.ok {
					b.add(u, target, rect)
					b.jobs[len(b.jobs)-1].Layout = layout
				}
			}
		}
	}
	b.maskJobs = len(b.jobs) - pixelJobs
}

// allSet reports whether all bits in a rectangle of a packed mask are set. It ignores the bits that
// pad a row to a whole byte.
func allSet(packed *raster.Buffer, r raster.Rect) bool {
	if r.Empty() {
		return true
	}
	plane, stride := packed.Plane(0), packed.Width()
	if r.X0 == 0 && r.X1 == 8*stride {
		return allOnes(plane[r.Y0*stride : r.Y1*stride])
	}
	first, last := r.X0>>3, (r.X1-1)>>3
	head, tail := byte(0xFF)>>(r.X0&7), byte(0xFF)<<(7-(r.X1-1)&7)
	if first == last {
		head, tail = head&tail, head&tail
	}
	for y := r.Y0; y < r.Y1; y++ {
		row := plane[y*stride:][:stride]
		if ^row[first]&head|^row[last]&tail != 0 || !allOnes(row[min(first+1, last):last]) {
			return false
		}
	}
	return true
}

// allOnes reports whether all bits of b are set. It checks 32 bytes at a time.
func allOnes(b []byte) bool {
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

// allNonzero reports whether no pixel in a rectangle of a mask is 0, in any band.
func allNonzero(mask *raster.Buffer, r raster.Rect) bool {
	for band := range mask.Bands() {
		for y := r.Y0; y < r.Y1; y++ {
			if bytes.IndexByte(mask.Plane(band)[y*mask.Width()+r.X0:][:r.Width()], 0) >= 0 {
				return false
			}
		}
	}
	return true
}
