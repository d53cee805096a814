// Package rows prepares rows of samples for compression: it interleaves the planes of bands, and
// replaces samples by their differences, as the predictors of TIFF do. It is the counterpart of
// decode/rows. It knows bytes of samples only, lowest byte first, and neither blocks nor files.
package rows

import "encoding/binary"

// Interleave writes the samples of one band, of size bytes each, to out, where step bytes lie between
// the beginnings of two pixels.
func Interleave(out, samples []byte, size, step int) {
	if size == step {
		copy(out, samples)
		return
	}
	switch size {
	case 1:
		for i, sample := range samples {
			out[i*step] = sample
		}
	case 2:
		for i, at := 0, 0; i+2 <= len(samples); i, at = i+2, at+step {
			binary.LittleEndian.PutUint16(out[at:], binary.LittleEndian.Uint16(samples[i:]))
		}
	case 4:
		for i, at := 0, 0; i+4 <= len(samples); i, at = i+4, at+step {
			binary.LittleEndian.PutUint32(out[at:], binary.LittleEndian.Uint32(samples[i:]))
		}
	default:
		for i, at := 0, 0; i+size <= len(samples); i, at = i+size, at+step {
			copy(out[at:at+size], samples[i:])
		}
	}
}

// Repeat fills the rest of a row with the pixel before it, of pixelBytes bytes. Padding like that
// compresses well, and does not disturb the pixels beside it in lossy compressions.
func Repeat(row []byte, at, pixelBytes int) {
	for ; at < len(row); at += pixelBytes {
		copy(row[at:at+pixelBytes], row[at-pixelBytes:])
	}
}
