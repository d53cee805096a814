// Package masks reads the tables before the pixels of a masked image: where each block is stored,
// if it is, and which blocks have pad pixels. Package decode/nitf calls it. It reads parts of the
// tables as they are needed and keeps some of them. It must never know what blocks contain.
package masks

import (
	"encoding/binary"
	"fmt"

	"tileserver/decode"
)

// ErrCorrupt marks a mask that contradicts itself.
var ErrCorrupt = decode.Corrupt("corrupt image mask")

// HeaderBytes is the maximum length of the header of the tables.
const HeaderBytes = offsetBytes + tablesBytes + maxPadBytes

const (
	offsetBytes = 4 // where the pixels begin
	tablesBytes = 6 // the lengths of entries, and of the pad pixel
	maxPadBytes = 8
	entryBytes  = 4
	notStored   = 1<<32 - 1
)

// Header says which tables an image has.
type Header struct {
	End  int64 // of the tables
	Data int64 // where the pixels begin; between them may be what all blocks share

	// HasPad says that samples with the bits of Pad mark pad pixels.
	HasPad bool
	Pad    uint64

	blocks, pads int64 // where the tables begin; 0 if there is none
}

// ParseHeader parses the header of the tables, which is the beginning of an image segment. count is
// the number of entries of each table.
func ParseHeader(head []byte, count int64) (h Header, err error) {
	if len(head) < offsetBytes {
		return h, fmt.Errorf("%d bytes: %w", len(head), ErrCorrupt)
	}
	if h, err = parseTables(head[offsetBytes:], offsetBytes, count); err != nil {
		return h, err
	}
	if h.Data = int64(binary.BigEndian.Uint32(head)); h.Data < h.End {
		return h, fmt.Errorf("the pixels begin at %d, within tables of %d bytes: %w", h.Data, h.End, ErrCorrupt)
	}
	return h, nil
}

// ParseSubsection parses the tables of a frame in the raster product format. They do not say where
// the pixels begin.
func ParseSubsection(head []byte, count int64) (Header, error) { return parseTables(head, 0, count) }

// parseTables parses the header of tables that begins at an offset.
func parseTables(head []byte, at, count int64) (h Header, err error) {
	if len(head) < tablesBytes {
		return h, fmt.Errorf("tables of %d bytes: %w", len(head), ErrCorrupt)
	}
	blockEntry, padEntry := binary.BigEndian.Uint16(head), binary.BigEndian.Uint16(head[2:])
	padBits := int(binary.BigEndian.Uint16(head[4:]))
	for _, length := range []uint16{blockEntry, padEntry} {
		if length != 0 && length != entryBytes {
			return h, fmt.Errorf("entries of %d bytes: %w", length, ErrCorrupt)
		}
	}
	padBytes := (padBits + 7) / 8
	if padBytes > maxPadBytes || padBytes > len(head)-tablesBytes {
		return h, fmt.Errorf("a pad pixel of %d bits: %w", padBits, ErrCorrupt)
	}
	h.HasPad = padBits > 0
	for _, b := range head[tablesBytes:][:padBytes] {
		h.Pad = h.Pad<<8 | uint64(b)
	}
	h.End = at + int64(tablesBytes+padBytes)
	for _, table := range []struct {
		entry uint16
		begin *int64
	}{{blockEntry, &h.blocks}, {padEntry, &h.pads}} {
		if table.entry != 0 {
			*table.begin = h.End
			h.End += count * entryBytes
		}
	}
	return h, nil
}

// Reaches reports whether entries can say where all blocks are, of at most so many bytes each, in data
// of some length. Writers of larger images let offsets begin again from zero.
func (h Header) Reaches(length, block int64) bool {
	const maxOffset = notStored - 1
	return !h.HasBlocks() || length-block <= maxOffset
}

// HasBlocks reports whether the place of each block is in a table. Otherwise all are stored, in
// order.
func (h Header) HasBlocks() bool { return h.blocks > 0 }

// HasPads reports whether a table says which blocks have pad pixels. Otherwise any may.
func (h Header) HasPads() bool { return h.pads > 0 }
