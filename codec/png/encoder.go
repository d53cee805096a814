package png

import (
	"encoding/binary"

	"tileserver/codec/adler32"
	deflate "tileserver/codec/deflate/encoder"
	"tileserver/internal/reuse"
)

// batchBytes is the approximate number of filtered bytes that are compressed at a time.
const batchBytes = 1 << 20

// Encoder encodes pictures and reuses its buffers, so that it does not allocate in a steady state.
// The zero value is ready to use. It is not safe for concurrent use; callers keep a pool of
// encoders.
type Encoder struct {
	colors   colors
	encoding encoding
	deflate  deflate.Encoder

	scratch  [2][]byte // converted rows
	filtered []byte    // filtered rows with their filter types in front
}

// Encode appends img as a PNG file to dst. If it fails, it returns dst unchanged.
func (e *Encoder) Encode(dst []byte, img *Image) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	w := e.chooseEncoding(img)
	if w.conversion != unchanged {
		for i := range e.scratch {
			e.scratch[i] = reuse.Slice(e.scratch[i], w.rowBytes)
		}
	}
	out := appendStart(dst, w)
	if w.colorType == colorPalette {
		out = appendPalette(out, w.palette)
	}
	start := len(out)
	out = append(out, "\x00\x00\x00\x00IDAT"...)
	out = e.appendZlib(out)
	binary.BigEndian.PutUint32(out[start:], uint32(len(out)-start-8))
	out = appendEnd(appendChecksum(out, start))
	w.pix, e.colors.indices = nil, nil // drop the references to the caller's memory
	return out, nil
}

// appendZlib appends the filtered and compressed rows as a zlib stream.
func (e *Encoder) appendZlib(out []byte) []byte {
	w := &e.encoding
	how := e.chooseStrategy()
	out = append(out, 0x78, 0x01) // deflate, 32 KiB window, fastest level
	checksum := uint32(adler32.Initial)
	rows := max(batchBytes/(1+w.rowBytes), 1)
	var above []byte
	for y := 0; y < w.height; y += rows {
		end := min(y+rows, w.height)
		above = e.filter(y, end, how.filter, above)
		checksum = adler32.Update(checksum, e.filtered)
		out = e.deflate.Append(out, e.filtered, how.effort, end == w.height)
	}
	return binary.BigEndian.AppendUint32(out, checksum)
}

// filter fills e.filtered with the rows from y to end. It returns the last of them unfiltered.
func (e *Encoder) filter(y, end int, kind filter, above []byte) []byte {
	w := &e.encoding
	e.filtered = reuse.Slice(e.filtered, (end-y)*(1+w.rowBytes))
	for out := e.filtered; y < end; y++ {
		row := w.row(y, e.scratch[y%2])
		filterRow(out[:1+w.rowBytes], kind, row, above, w.bytesPerPixel)
		out, above = out[1+w.rowBytes:], row
	}
	return above
}
