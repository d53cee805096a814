package png

import "encoding/binary"

// pack writes the values of indices with bitDepth bits each, the first in the highest bits.
func (w *encoding) pack(out []byte, indices []uint8) {
	perByte := 8 / int(w.bitDepth)
	whole := len(indices) / perByte
	switch w.bitDepth {
	case 8:
		for i, index := range indices {
			out[i] = w.storedValues[index]
		}
	case 4:
		for i := range whole {
			at := (*[2]uint8)(indices[2*i:])
			out[i] = w.storedValues[at[0]]<<4 | w.storedValues[at[1]]
		}
	case 2:
		for i := range whole {
			at := (*[4]uint8)(indices[4*i:])
			out[i] = w.storedValues[at[0]]<<6 | w.storedValues[at[1]]<<4 | w.storedValues[at[2]]<<2 | w.storedValues[at[3]]
		}
	case 1:
		for i := range whole {
			at := (*[8]uint8)(indices[8*i:])
			out[i] = w.storedValues[at[0]]<<7 | w.storedValues[at[1]]<<6 | w.storedValues[at[2]]<<5 | w.storedValues[at[3]]<<4 |
				w.storedValues[at[4]]<<3 | w.storedValues[at[5]]<<2 | w.storedValues[at[6]]<<1 | w.storedValues[at[7]]
		}
	}
	if rest := indices[whole*perByte:]; len(rest) > 0 {
		value := uint8(0)
		for _, index := range rest {
			value = value<<w.bitDepth | w.storedValues[index]
		}
		out[whole] = value << (uint8(perByte-len(rest)) * w.bitDepth)
	}
}

// dropAlpha converts RGBA to RGB, four pixels at a time.
func dropAlpha(out, rgba []byte) {
	for ; len(rgba) >= 16; rgba, out = rgba[16:], out[12:] {
		low, high := binary.LittleEndian.Uint64(rgba), binary.LittleEndian.Uint64(rgba[8:])
		low = low&0xffffff | low>>8&^0xffffff // two pixels in 48 bits, and garbage above
		high = high&0xffffff | high>>8&^0xffffff
		binary.LittleEndian.PutUint64(out, low&(1<<48-1)|high<<48)
		binary.LittleEndian.PutUint32(out[8:], uint32(high>>16))
	}
	for x := range len(rgba) / 4 {
		copy(out[3*x:][:3], rgba[4*x:][:3])
	}
}

// dropHue converts gray RGBA to gray and alpha.
func dropHue(out, rgba []byte) {
	for x := range len(rgba) / 4 {
		out[2*x], out[2*x+1] = rgba[4*x], rgba[4*x+3]
	}
}

// isOpaque reports whether all pixels of an RGBA image are opaque.
func (img *Image) isOpaque() bool {
	for y := range img.Height {
		row := img.row(y)
		all := ^uint64(0)
		for ; len(row) >= 8; row = row[8:] {
			all &= binary.LittleEndian.Uint64(row)
		}
		if len(row) > 0 {
			all &= uint64(binary.LittleEndian.Uint32(row))<<32 | 1<<32 - 1
		}
		if all>>32 < opaque || uint32(all) < opaque {
			return false
		}
	}
	return true
}

// isGray reports whether all pixels of an RGBA image are gray.
func (img *Image) isGray() bool {
	for y := range img.Height {
		for row := img.row(y); len(row) >= 4; row = row[4:] {
			if row[0] != row[1] || row[0] != row[2] {
				return false
			}
		}
	}
	return true
}
