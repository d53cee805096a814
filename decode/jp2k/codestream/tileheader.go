package codestream

import (
	"encoding/binary"
	"fmt"
	"math"
)

// partHeader is the header of a tile-part. Most have no markers.
type partHeader struct {
	index    int // of the tile-part in the codestream
	number   int // of the tile-part in the tile
	count    int // of tile-parts in the tile; 0 if unknown
	data     int64
	end      int64
	markers  *partMarkers
	afterGap bool
}

// partMarkers holds the markers of a tile-part's header.
type partMarkers struct {
	parameters []byte // markers and their bodies
	packed     segmentList
	lengths    segmentList
}

// readPartHeader reads the header of the tile-part from part.data to part.end. It subtracts the
// bytes of the header from budget.
func (h *Header) readPartHeader(cached *cachedReader, part partHeader, budget *int64) (partHeader, error) {
	offset := part.data + sotLength
	part.data = min(offset, part.end)
	for offset < part.end {
		s, err := cached.segment(offset, part.end)
		if err != nil {
			return part, err
		}
		part.data, offset = s.next, s.next
		if s.marker == sod {
			return part, nil
		}
		if *budget -= int64(4 + len(s.body)); *budget < 0 {
			return part, fmt.Errorf("%w: tile headers of more than %d bytes", ErrLimit, h.limits.HeaderBytes)
		}
		if part.markers == nil {
			part.markers = &partMarkers{}
		}
		if err := part.markers.take(s); err != nil {
			return part, err
		}
	}
	return part, nil
}

// take stores a marker that matters.
func (m *partMarkers) take(s segment) error {
	switch s.marker {
	case cod, coc, qcd, qcc, rgn, poc:
		m.parameters = binary.BigEndian.AppendUint16(m.parameters, uint16(s.marker))
		m.parameters = binary.BigEndian.AppendUint16(m.parameters, uint16(len(s.body)))
		m.parameters = append(m.parameters, s.body...)
	case ppt:
		if !m.packed.add(s.body) {
			return fmt.Errorf("%w: PPT of %d bytes", ErrCorrupt, len(s.body))
		}
	case plt:
		m.lengths.add(s.body) // if it is invalid, the sum of lengths will be wrong
	case soc, siz, sot, eoc:
		return fmt.Errorf("%w: %v in the header of a tile-part", ErrCorrupt, s.marker)
	default:
		if name := s.marker.extension(); name != "" {
			return fmt.Errorf("%w: %s of Part 2", ErrUnsupported, name)
		}
	}
	return nil
}

// parse adds the stored parameters to those of the tile.
func (m *partMarkers) parse(tile *parameters, components int) error {
	for rest := m.parameters; len(rest) > 0; {
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if _, err := tile.take(markerCode(binary.BigEndian.Uint16(rest)), rest[4:4+length], components); err != nil {
			return err
		}
		rest = rest[4+length:]
	}
	return nil
}

// inOrder sorts the parts of a tile by their numbers, and marks the parts after a gap. The numbers
// are wrong if they repeat, or if they have gaps though the announced number of parts exists. Then
// the parts stay in the order of the codestream.
func inOrder(parts []partHeader) []partHeader {
	numbers, announced := make([]byte, len(parts)), 0
	for i, part := range parts {
		numbers[i], announced = byte(part.number), max(announced, part.count)
	}
	indexes := segmentOrder(numbers)
	sorted, next, gaps := make([]partHeader, len(parts)), 0, false
	for to, from := range indexes {
		sorted[to] = parts[from]
		if sorted[to].number < next {
			return parts
		}
		sorted[to].afterGap = sorted[to].number > next
		gaps = gaps || sorted[to].afterGap
		next = sorted[to].number + 1
	}
	if gaps && announced == len(parts) {
		return parts
	}
	return sorted
}

// appendLengths appends the packet lengths of a part. It returns false unless they end with the
// list and their sum is the bytes of the part's packets.
func appendLengths(to []uint32, list []byte, bytes int64, limit int) ([]uint32, bool) {
	length, sum := uint64(0), int64(0)
	for i, b := range list {
		length = length<<7 | uint64(b&127)
		if b < 128 {
			if sum += int64(length); sum > bytes || len(to) == limit {
				return nil, false
			}
			to = append(to, uint32(length))
			length = 0
		} else if length > math.MaxUint32>>7 || i == len(list)-1 {
			return nil, false
		}
	}
	return to, sum == bytes
}
