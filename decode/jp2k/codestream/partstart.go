package codestream

import (
	"bytes"
	"encoding/binary"
)

// sotLength is the length of a SOT marker segment with its marker, the minimum length of a
// tile-part.
const sotLength = 12

// partStart is the content of a SOT marker.
type partStart struct {
	tile   int
	length int64 // of the tile-part, marker included; 0 means to the end of the codestream
	number int   // of the tile-part in its tile
	count  int   // of tile-parts in the tile; 0 if unknown
}

// parsePartStart parses a SOT marker. It returns false if there is none.
func parsePartStart(b []byte) (partStart, bool) {
	if len(b) < sotLength || markerCode(binary.BigEndian.Uint16(b)) != sot || binary.BigEndian.Uint16(b[2:]) != sotLength-2 {
		return partStart{}, false
	}
	return partStart{
		tile:   int(binary.BigEndian.Uint16(b[4:])),
		length: int64(binary.BigEndian.Uint32(b[6:])),
		number: int(b[10]),
		count:  int(b[11]),
	}, true
}

// PartStartBytes is how many bytes at the beginning of a tile-part tell its length.
const PartStartBytes = sotLength

// PartLength returns the length of the tile-part that begins with some bytes, or 0 if none of the image does, or
// if it does not tell its length.
func (h *Header) PartLength(b []byte) int64 {
	start, ok := parsePartStart(b)
	if !ok || start.tile >= h.Tiles() || start.length < sotLength {
		return 0
	}
	return start.length
}

// FindPart returns where in some bytes a tile-part seems to begin, or -1. Neither coded bytes nor headers of
// packets look like that; other markers may.
func (h *Header) FindPart(b []byte) int {
	mark := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, uint16(sot)), sotLength-2)
	for from := 0; ; {
		at := bytes.Index(b[from:], mark)
		if at < 0 {
			return -1
		}
		if from += at; h.PartLength(b[from:]) > 0 {
			return from
		}
		from++
	}
}
