package png

import (
	"encoding/binary"

	"tileserver/display/png/deflate"
)

// pieceBytes are about how many filtered bytes are compressed at once.
const pieceBytes = 1 << 20

// An Encoder keeps the buffers of one picture for the next, so that none of them allocates. The zero value is ready. It
// must not be used by two goroutines at once; whoever has many keeps a pool of Encoders.
type Encoder struct {
	colours colours
	wire    wire
	deflate deflate.Encoder

	scratch  [2][]byte // rows that are not in place
	filtered []byte    // some rows with their filter types in front
}

// Encode appends img as a PNG file to dst. On an error it returns dst as it was.
func (e *Encoder) Encode(dst []byte, img *Image) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	w := e.wireOf(img)
	if w.change != unchanged {
		for i := range e.scratch {
			e.scratch[i] = sized(e.scratch[i], w.rowBytes)
		}
	}
	out := appendStart(dst, w)
	if w.colourType == colourPalette {
		out = appendPalette(out, w.palette)
	}
	start := len(out)
	out = append(out, "\x00\x00\x00\x00IDAT"...)
	out = e.appendZlib(out)
	binary.BigEndian.PutUint32(out[start:], uint32(len(out)-start-8))
	out = appendEnd(appendChecksum(out, start))
	w.pix, e.colours.indices = nil, nil // what is the caller's is not kept
	return out, nil
}

// appendZlib appends the filtered and compressed rows as a zlib stream.
func (e *Encoder) appendZlib(out []byte) []byte {
	w := &e.wire
	how := e.treat()
	out = append(out, 0x78, 0x01) // deflate with a window of 32 KiB, made fast
	checksum := uint32(1)
	rows := max(pieceBytes/(1+w.rowBytes), 1)
	var above []byte
	for y := 0; y < w.height; y += rows {
		end := min(y+rows, w.height)
		above = e.filter(y, end, how.filter, above)
		checksum = adler(checksum, e.filtered)
		out = e.deflate.Append(out, e.filtered, how.effort, end == w.height)
	}
	return binary.BigEndian.AppendUint32(out, checksum)
}

// filter fills e.filtered with the rows from y to end, and returns the last of them as it was before.
func (e *Encoder) filter(y, end int, kind filter, above []byte) []byte {
	w := &e.wire
	e.filtered = sized(e.filtered, (end-y)*(1+w.rowBytes))
	for out := e.filtered; y < end; y++ {
		row := w.row(y, e.scratch[y%2])
		filterRow(out[:1+w.rowBytes], kind, row, above, w.bytesPerPixel)
		out, above = out[1+w.rowBytes:], row
	}
	return above
}

// sized returns buffer with the given length, reallocated only where it is too short.
func sized(buffer []byte, length int) []byte {
	if cap(buffer) < length {
		return make([]byte, length)
	}
	return buffer[:length]
}
