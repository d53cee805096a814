package npy

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
)

const (
	magic     = "\x93NUMPY\x01\x00" // format 1.0
	alignment = 64                  // of the data in the file, so that readers can map it to memory
)

// Append appends the array as a file of shape (bands, height, width) to dst. On an error it returns
// dst unchanged.
func Append(dst []byte, a *Array) ([]byte, error) {
	dataBytes, err := a.validate()
	if err != nil {
		return dst, err
	}
	out := appendHeader(dst, a)
	out = slices.Grow(out, dataBytes)
	fill := a.fill()
	for band, plane := range a.Bands {
		start := len(out)
		out = append(out, plane...)
		fillUncovered(out[start:], a.coverage(band), fill[:a.Type.Size()])
	}
	if a.Mask {
		out = appendMask(out, a)
	}
	return out, nil
}

// appendHeader appends the header: a Python dictionary literal, padded with spaces and ended by a
// newline.
func appendHeader(dst []byte, a *Array) []byte {
	start := len(dst)
	out := append(dst, magic...)
	out = append(out, 0, 0) // length of the text that follows
	text := len(out)
	out = append(out, "{'descr': '"...)
	out = append(out, a.Type.String()...)
	out = append(out, "', 'fortran_order': False, 'shape': ("...)
	out = strconv.AppendInt(out, int64(a.planes()), 10)
	out = append(out, ", "...)
	out = strconv.AppendInt(out, int64(a.Height), 10)
	out = append(out, ", "...)
	out = strconv.AppendInt(out, int64(a.Width), 10)
	out = append(out, "), }"...)
	for (len(out)+1-start)%alignment != 0 {
		out = append(out, ' ')
	}
	out = append(out, '\n')
	binary.LittleEndian.PutUint16(out[text-2:], uint16(len(out)-text))
	return out
}

// fill returns the sample of pixels without coverage.
func (a *Array) fill() [16]byte {
	if a.NoData == nil {
		return [16]byte{}
	}
	return a.Type.sample(*a.NoData)
}

// fillUncovered writes fill to samples without coverage, so that files do not depend on leftover
// samples.
func fillUncovered(samples []byte, coverage []uint8, fill []byte) {
	for from := 0; ; from++ {
		next := bytes.IndexByte(coverage[from:], 0)
		if next < 0 {
			return
		}
		from += next
		copy(samples[from*len(fill):], fill)
	}
}
