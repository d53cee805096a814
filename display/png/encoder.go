package png

import (
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/flate"
)

// matchLevel is the fastest deflate level that does not give up on the residuals of photographs.
const matchLevel = 3

// An Encoder keeps the buffers and the deflate state of one picture for the next, so that none of them allocates.
// The zero value is ready. It must not be used by two goroutines at once; whoever has many keeps a pool of Encoders.
type Encoder struct {
	compressed output
	writers    [deflateModes]*flate.Writer // made when first needed

	filtered []byte    // one row with its filter type in front
	wire     [2][]byte // two rows of 16-bit samples as bytes
}

// output is where the deflate writers append.
type output struct{ bytes []byte }

func (o *output) Write(p []byte) (int, error) {
	o.bytes = append(o.bytes, p...)
	return len(p), nil
}

// Encode appends img as a PNG file to dst. On an error it returns dst as it was.
func (e *Encoder) Encode(dst []byte, img *Image) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	if colour, ok := img.solid(); ok {
		return e.encodeSolid(dst, img.Width, img.Height, colour)
	}
	out := appendStart(dst, img.Width, img.Height, 8, img.Format.colourType())
	if img.Format == Paletted {
		out = appendPalette(out, img.Palette)
	}
	return e.finish(out, len(dst), img.rows())
}

// EncodeGray16 appends img as a PNG file with 16 bits a sample to dst. On an error it returns dst as it was.
func (e *Encoder) EncodeGray16(dst []byte, img *Gray16Image) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	for i := range e.wire {
		e.wire[i] = sized(e.wire[i], 2*img.Width)
	}
	out := appendStart(dst, img.Width, img.Height, 16, colourGray)
	return e.finish(out, len(dst), img.rows())
}

// encodeSolid writes an image of one colour as a palette of one entry and one bit a pixel: all zero, and so little of
// it that a tile has 100 bytes where whole pixels would take hundreds.
func (e *Encoder) encodeSolid(dst []byte, width, height int, colour [4]uint8) ([]byte, error) {
	rowBytes := (width + 7) / 8
	e.wire[0] = sized(e.wire[0], rowBytes)
	clear(e.wire[0])
	out := appendStart(dst, width, height, 1, colourPalette)
	out = appendPalette(out, [][4]uint8{colour})
	return e.finish(out, len(dst), rows{
		height: height, rowBytes: rowBytes, bytesPerPixel: 1, indexed: true,
		stride: 0, samples8: e.wire[0], // the same row again and again
	})
}

// finish appends the pixels and the end of the file to out; on an error it returns the first start bytes of it.
func (e *Encoder) finish(out []byte, start int, source rows) ([]byte, error) {
	data := len(out)
	out = append(out, "\x00\x00\x00\x00IDAT"...)
	out, err := e.appendZlib(out, &source)
	if err != nil {
		return out[:start], fmt.Errorf("png: deflate: %w", err)
	}
	binary.BigEndian.PutUint32(out[data:], uint32(len(out)-data-8))
	return appendEnd(appendChecksum(out, data)), nil
}

// appendZlib appends the filtered and compressed rows as a zlib stream.
func (e *Encoder) appendZlib(out []byte, source *rows) ([]byte, error) {
	how := treat(source, e.wire[0], e.wire[1])
	e.compressed.bytes = append(out, 0x78, 0x01) // deflate with a window of 32 KiB, made fast
	checksum, err := e.deflate(source, how)
	out, e.compressed.bytes = e.compressed.bytes, nil // what is the caller's is not kept
	if err != nil {
		return out, err
	}
	return binary.BigEndian.AppendUint32(out, checksum), nil
}

// deflate compresses the filtered rows to e.compressed and returns their Adler-32.
func (e *Encoder) deflate(source *rows, how treatment) (checksum uint32, err error) {
	writer, err := e.writer(how.mode)
	if err != nil {
		return 0, err
	}
	e.filtered = sized(e.filtered, 1+source.rowBytes)
	checksum = 1
	var above []byte
	for y := range source.height {
		row := source.row(y, e.wire[y%2])
		filterRow(e.filtered, how.filter, row, above, source.bytesPerPixel)
		checksum = adler(checksum, e.filtered)
		if _, err := writer.Write(e.filtered); err != nil {
			return 0, err
		}
		above = row
	}
	return checksum, writer.Close()
}

func (e *Encoder) writer(mode deflateMode) (*flate.Writer, error) {
	if writer := e.writers[mode]; writer != nil {
		writer.Reset(&e.compressed)
		return writer, nil
	}
	level := flate.HuffmanOnly
	if mode == withMatches {
		level = matchLevel
	}
	writer, err := flate.NewWriter(&e.compressed, level)
	e.writers[mode] = writer
	return writer, err
}

// sized returns buffer with the given length, reallocated only where it is too short.
func sized(buffer []byte, length int) []byte {
	if cap(buffer) < length {
		return make([]byte, length)
	}
	return buffer[:length]
}
