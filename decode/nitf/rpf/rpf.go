// Package rpf reads what the raster product format adds to NITF: where the parts of a frame of a map
// (CADRG) or an image base (CIB) lie in the file, and which area it covers. Package decode/nitf calls
// it with the content of its extensions. It must never know how pixels are stored.
package rpf

import (
	"encoding/binary"
	"fmt"
	"math"

	"tileserver/decode"
	"tileserver/source"
)

// ErrCorrupt marks a frame that contradicts itself.
var ErrCorrupt = decode.Corrupt("corrupt RPF frame")

// Component is a part of a frame.
type Component uint16

// The components that are read.
const (
	Coverage          Component = 130
	DisplayParameters Component = 137 // the codebook of the compression follows
	Mask              Component = 138
	SpatialData       Component = 140
)

// Frame says where the components of a frame are.
type Frame struct {
	Order binary.ByteOrder
	At    map[Component]source.Range
}

// ParseFrame parses the extensions RPFHDR and RPFIMG of a file. Ranges are within a file of the
// given size, cut off where it ends.
func ParseFrame(header, image []byte, size int64) (*Frame, error) {
	const (
		lengthBytes  = 2
		headBytes    = 14
		recordBytes  = 10
		littleEndian = 0xFF
	)
	f := &Frame{Order: binary.BigEndian, At: make(map[Component]source.Range)}
	if len(header) > 0 && header[0] == littleEndian {
		f.Order = binary.LittleEndian
	}
	if len(image) < headBytes {
		return nil, fmt.Errorf("locations of %d bytes: %w", len(image), ErrCorrupt)
	}
	table := f.Order.Uint32(image[lengthBytes:])
	count, step := int(f.Order.Uint16(image[6:])), int(f.Order.Uint16(image[8:]))
	if table < headBytes || step < recordBytes || int64(table)+int64(count)*int64(step) > int64(len(image)) {
		return nil, fmt.Errorf("%d locations of %d bytes at %d: %w", count, step, table, ErrCorrupt)
	}
	for i := range count {
		record := image[int(table)+i*step:]
		where := source.Range{Offset: int64(f.Order.Uint32(record[6:])), Length: int64(f.Order.Uint32(record[2:]))}
		if where.Offset < size {
			where.Length = min(where.Length, size-where.Offset)
			f.At[Component(f.Order.Uint16(record))] = where
		}
	}
	return f, nil
}

// CoverageBytes is the length of what ParseCoverage needs of a coverage.
const CoverageBytes = 8 * 8

// ParseCoverage parses the area that a frame covers: the latitude and longitude of the outer
// corners. They are in the order of a NITF: upper left, upper right, lower right, lower left. What
// follows them in the coverage, the size of a pixel, may be cut off.
func (f *Frame) ParseCoverage(content []byte) (corners [4][2]float64, err error) {
	if len(content) < CoverageBytes {
		return corners, fmt.Errorf("a coverage of %d bytes: %w", len(content), ErrCorrupt)
	}
	for i, corner := range [4]int{0, 3, 1, 2} { // stored: upper left, lower left, upper right, lower right
		for j := range 2 {
			corners[corner][j] = math.Float64frombits(f.Order.Uint64(content[16*i+8*j:]))
		}
	}
	return corners, nil
}
