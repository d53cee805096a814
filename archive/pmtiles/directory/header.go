// Package directory reads and writes the parts of PMTiles (version 3) that say where tiles are: the header,
// and directories. What comes from a file is hostile: sizes are checked before anything is allocated, and
// sums cannot overflow.
//
// It must never read a file.
package directory

import (
	"encoding/binary"
	"fmt"
	"math"

	"tileserver/decode"
)

// ErrCorrupt means that bytes are not what they must be in PMTiles.
var ErrCorrupt = decode.Corrupt("pmtiles: corrupt")

// HeaderBytes is the size of a header, with which the file begins.
const HeaderBytes = 127

// StartBytes is the size of the part of a file that contains the header and the root directory.
const StartBytes = 16384

const (
	magic   = "PMTiles"
	version = 3
)

// Section is a part of a file.
type Section struct{ Offset, Length uint64 }

// End returns the offset behind the section, which CheckWithin has found to be in the file.
func (s Section) End() uint64 { return s.Offset + s.Length }

// CheckWithin returns an error unless the section is within size bytes.
func (s Section) CheckWithin(size uint64) error {
	if s.Offset > size || s.Length > size-s.Offset {
		return fmt.Errorf("%w: %d bytes at %d of %d", ErrCorrupt, s.Length, s.Offset, size)
	}
	return nil
}

// Header is the header of a file.
type Header struct {
	Root, Metadata, Leaves, Data Section

	Tiles    uint64 // that have a content; 0 means unknown, as in the next two
	Entries  uint64 // of directories, for tiles
	Contents uint64 // that differ

	IsClustered     bool // contents lie in the order of their tiles
	Compression     Compression
	TileCompression Compression
	TileType        uint8

	MinZoom, MaxZoom uint8
	Bounds           [4]int32 // west, south, east, north, in units of 1e-7 degrees
	CenterZoom       uint8
	Center           [2]int32 // longitude, latitude
}

// Bytes returns the header as it is stored.
func (h Header) Bytes() []byte {
	b := append(make([]byte, 0, HeaderBytes), magic...)
	b = append(b, version)
	for _, section := range []Section{h.Root, h.Metadata, h.Leaves, h.Data} {
		b = binary.LittleEndian.AppendUint64(b, section.Offset)
		b = binary.LittleEndian.AppendUint64(b, section.Length)
	}
	for _, count := range []uint64{h.Tiles, h.Entries, h.Contents} {
		b = binary.LittleEndian.AppendUint64(b, count)
	}
	clustered := uint8(0)
	if h.IsClustered {
		clustered = 1
	}
	b = append(b, clustered, uint8(h.Compression), uint8(h.TileCompression), h.TileType, h.MinZoom, h.MaxZoom)
	for _, degrees := range h.Bounds {
		b = binary.LittleEndian.AppendUint32(b, uint32(degrees))
	}
	b = append(b, h.CenterZoom)
	for _, degrees := range h.Center {
		b = binary.LittleEndian.AppendUint32(b, uint32(degrees))
	}
	return b
}

// ParseHeader parses the header of a file of size bytes, and checks that its sections are in the file. Other
// fields may have any values.
func ParseHeader(b []byte, size uint64) (Header, error) {
	if len(b) < HeaderBytes || string(b[:len(magic)]) != magic {
		return Header{}, fmt.Errorf("%w: no header", ErrCorrupt)
	}
	if b[len(magic)] != version {
		return Header{}, fmt.Errorf("pmtiles: version %d is %w", b[len(magic)], decode.ErrUnsupported)
	}
	h := parseFields(b[len(magic)+1:])
	for _, named := range []struct {
		name string
		Section
	}{{"root directory", h.Root}, {"metadata", h.Metadata}, {"leaf directories", h.Leaves}, {"tiles", h.Data}} {
		if err := named.CheckWithin(min(size, math.MaxInt64)); err != nil {
			return Header{}, fmt.Errorf("%s: %w", named.name, err)
		}
	}
	if h.Root.Offset < HeaderBytes || h.Root.End() > StartBytes {
		return Header{}, fmt.Errorf("%w: the root directory has %d bytes at %d", ErrCorrupt, h.Root.Length, h.Root.Offset)
	}
	return h, nil
}

func parseFields(b []byte) (h Header) {
	uint64At := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	int32At := func(at int) int32 { return int32(binary.LittleEndian.Uint32(b[at:])) }
	for i, section := range []*Section{&h.Root, &h.Metadata, &h.Leaves, &h.Data} {
		*section = Section{uint64At(16 * i), uint64At(16*i + 8)}
	}
	h.Tiles, h.Entries, h.Contents = uint64At(64), uint64At(72), uint64At(80)
	h.IsClustered = b[88] == 1
	h.Compression, h.TileCompression, h.TileType = Compression(b[89]), Compression(b[90]), b[91]
	h.MinZoom, h.MaxZoom = b[92], b[93]
	h.Bounds = [4]int32{int32At(94), int32At(98), int32At(102), int32At(106)}
	h.CenterZoom, h.Center = b[110], [2]int32{int32At(111), int32At(115)}
	return h
}
