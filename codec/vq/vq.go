// Package vq decodes vector quantization as MIL-STD-188-199 has it, from slices into slices. An image
// is a grid of codes, and each code stands for a kernel of 4 x 4 pixels of 8 bits. The decoders of
// containers call it. It knows neither the file around the codes nor the colors of the pixels.
//
// Words: a *kernel* is the pixels of one code. The *codebook* holds the kernels. A *table* of the
// codebook holds one row of each kernel.
package vq

import (
	"encoding/binary"
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a header that contradicts itself, or a code that has no kernel.
	ErrCorrupt = decode.Corrupt("vq: corrupt data")
	// ErrTruncated reports tables or codes that end too early.
	ErrTruncated = decode.Corrupt("vq: truncated data")
	// ErrUnsupported reports another algorithm, or kernels of another shape.
	ErrUnsupported = errors.New("vq: unsupported compression")
	// ErrSize reports an invalid size of the destination.
	ErrSize = errors.New("vq: invalid size")
)

const (
	kernelSide = 4 // pixels, and so the number of tables
	codeBits   = 12
	maxKernels = 1 << codeBits
)

// kernel holds the four rows of a kernel, the leftmost pixel in the lowest bits.
type kernel [kernelSide]uint32

// Codebook decodes the blocks of an image. It is immutable and safe for concurrent use.
type Codebook struct {
	rows, columns int // of codes in a block
	kernels       [maxKernels]kernel
	count         int // of kernels; the others are black
}

// Codebook reads the tables of the codebook. It takes the data that the header was read from, with
// all h.Bytes bytes.
func (h *Header) Codebook(data []byte) (*Codebook, error) {
	if len(data) < h.Bytes {
		return nil, fmt.Errorf("%w: %d of %d bytes of a codebook", ErrTruncated, len(data), h.Bytes)
	}
	c := &Codebook{rows: h.rows, columns: h.columns, count: h.kernels}
	for row, at := range h.tables {
		for i := range c.kernels[:c.count] {
			c.kernels[i][row] = binary.LittleEndian.Uint32(data[at+kernelSide*i:])
		}
	}
	return c, nil
}

// Decode decodes the upper left width x height pixels of a block into dst, row by row. It returns
// the number of complete rows, even if it returns an error. The content of dst after those rows is
// undefined. It ignores data after the last code.
func (c *Codebook) Decode(dst, codes []byte, width, height int) (rows int, err error) {
	if width <= 0 || height <= 0 || width > c.columns*kernelSide || height > c.rows*kernelSide || len(dst) < width*height {
		return 0, fmt.Errorf("%w: %dx%d pixels into %d bytes from a block of %dx%d codes",
			ErrSize, width, height, len(dst), c.columns, c.rows)
	}
	for y := 0; y < height; y += kernelSide {
		s := strip{dst: dst[y*width : min(y+kernelSide, height)*width], codes: codes, first: y / kernelSide * c.columns}
		if err := c.decodeStrip(&s, width); err != nil {
			return y, fmt.Errorf("row %d: %w", y, err)
		}
	}
	return height, nil
}

// strip is a row of kernels that is being decoded.
type strip struct {
	dst   []byte // four rows of pixels, or fewer at the lower edge
	codes []byte // of the block
	first int    // number of the strip's first code
}

// code returns a code of the strip. Two codes share three bytes.
func (s *strip) code(i int) uint16 {
	i += s.first
	pair := binary.BigEndian.Uint16(s.codes[i*codeBits/8:])
	if i%2 == 0 {
		return pair >> (16 - codeBits)
	}
	return pair % maxKernels
}

// decodeStrip copies the kernels of a strip. Those that cross an edge are copied in part.
func (c *Codebook) decodeStrip(s *strip, width int) error {
	across := (width + kernelSide - 1) / kernelSide
	if need := bytesOf(s.first + across); len(s.codes) < need {
		return fmt.Errorf("%w: %d of %d bytes of codes", ErrTruncated, len(s.codes), need)
	}
	whole := width / kernelSide &^ 1
	if len(s.dst) < kernelSide*width {
		whole = 0
	}
	if !c.copyWhole(s, width, whole) {
		return fmt.Errorf("%w: a code without a kernel", ErrCorrupt)
	}
	for i := whole; i < across; i++ {
		code := s.code(i)
		if int(code) >= c.count {
			return fmt.Errorf("%w: code %d of %d kernels", ErrCorrupt, code, c.count)
		}
		x := i * kernelSide
		c.kernels[code].copyPart(s.dst[x:], width, min(kernelSide, width-x))
	}
	return nil
}

// copyWhole copies the first count kernels of a strip of four rows, an even number, in pairs. It
// reports whether all of them exist.
func (c *Codebook) copyWhole(s *strip, width, count int) bool {
	if count == 0 {
		return true
	}
	const pair = 2 * kernelSide
	var largest uint16
	row0, row1, row2, row3 := s.dst[:width], s.dst[width:][:width], s.dst[2*width:][:width], s.dst[3*width:][:width]
	for i := 0; i < count; i += 2 {
		code, next := s.code(i), s.code(i+1)
		largest = max(largest, code, next)
		left, right := &c.kernels[code], &c.kernels[next]
		x := i * kernelSide
		binary.LittleEndian.PutUint64(row0[x:x+pair], uint64(left[0])|uint64(right[0])<<32)
		binary.LittleEndian.PutUint64(row1[x:x+pair], uint64(left[1])|uint64(right[1])<<32)
		binary.LittleEndian.PutUint64(row2[x:x+pair], uint64(left[2])|uint64(right[2])<<32)
		binary.LittleEndian.PutUint64(row3[x:x+pair], uint64(left[3])|uint64(right[3])<<32)
	}
	return int(largest) < c.count
}

// copyPart copies the first columns of a kernel, and as many of its rows as dst has.
func (k *kernel) copyPart(dst []byte, width, columns int) {
	for row := 0; row < kernelSide && row*width < len(dst); row++ {
		for x := range columns {
			dst[row*width+x] = byte(k[row] >> (8 * x))
		}
	}
}

// bytesOf returns the number of bytes that hold a number of codes.
func bytesOf(codes int) int { return (codes*codeBits + 7) / 8 }
