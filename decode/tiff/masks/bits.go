package masks

import (
	"bytes"
	"encoding/binary"

	"tileserver/raster"
)

// AllSet reports whether all bits in a rectangle of a packed mask are set. It ignores the bits that
// pad a row to a whole byte.
func AllSet(packed *raster.Buffer, r raster.Rect) bool {
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

// AllNonzero reports whether no pixel in a rectangle of a mask is 0, in any band.
func AllNonzero(mask *raster.Buffer, r raster.Rect) bool {
	for band := range mask.Bands() {
		for y := r.Y0; y < r.Y1; y++ {
			if bytes.IndexByte(mask.Plane(band)[y*mask.Width()+r.X0:][:r.Width()], 0) >= 0 {
				return false
			}
		}
	}
	return true
}

// MarkValid sets the coverage of all nonzero mask pixels, eight at a time.
func MarkValid(coverage []uint8, mask []byte) {
	const low, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	for ; len(mask) >= 8; coverage, mask = coverage[8:], mask[8:] {
		v := binary.LittleEndian.Uint64(mask)
		notZero := (v&low + low | v) & high // the high bit of each byte
		binary.LittleEndian.PutUint64(coverage, notZero>>7*raster.Valid)
	}
	for x, v := range mask {
		if v != 0 {
			coverage[x] = raster.Valid
		}
	}
}
