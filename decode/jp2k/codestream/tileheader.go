package codestream

import (
	"encoding/binary"
	"fmt"
	"math"
)

// partHeader is what the header of a tile-part says. Most say nothing.
type partHeader struct {
	index    int // of the tile-part in the codestream
	number   int // of the tile-part in the tile
	count    int // of tile-parts in the tile; 0 is unknown
	data     int64
	end      int64
	said     *partSaid
	afterGap bool
}

// partSaid is the markers of a tile-part's header.
type partSaid struct {
	parameters []byte // markers and their bodies
	packed     ordered
	lengths    ordered
}

// readPartHeader reads the header of a tile-part that lies between two places. Room is how many bytes of headers may
// still come, and becomes less.
func (h *Header) readPartHeader(view *pieces, part partHeader, room *int64) (partHeader, error) {
	offset := part.data + sotLength
	part.data = min(offset, part.end)
	for offset < part.end {
		s, err := view.segment(offset, part.end)
		if err != nil {
			return part, err
		}
		part.data, offset = s.next, s.next
		if s.marker == sod {
			return part, nil
		}
		if *room -= int64(4 + len(s.body)); *room < 0 {
			return part, fmt.Errorf("%w: tile headers of more than %d bytes", ErrLimit, h.limits.HeaderBytes)
		}
		if part.said == nil {
			part.said = &partSaid{}
		}
		if err := part.said.take(s); err != nil {
			return part, err
		}
	}
	return part, nil
}

// take keeps a marker, if it means something.
func (p *partSaid) take(s segment) error {
	switch s.marker {
	case cod, coc, qcd, qcc, rgn, poc:
		p.parameters = binary.BigEndian.AppendUint16(p.parameters, uint16(s.marker))
		p.parameters = binary.BigEndian.AppendUint16(p.parameters, uint16(len(s.body)))
		p.parameters = append(p.parameters, s.body...)
	case ppt:
		if !p.packed.add(s.body) {
			return fmt.Errorf("%w: PPT of %d bytes", ErrCorrupt, len(s.body))
		}
	case plt:
		p.lengths.add(s.body) // if it is unfit, the sum of lengths will be wrong
	case soc, siz, sot, eoc:
		return fmt.Errorf("%w: %v in the header of a tile-part", ErrCorrupt, s.marker)
	default:
		if name := s.marker.extension(); name != "" {
			return fmt.Errorf("%w: %s of Part 2", ErrUnsupported, name)
		}
	}
	return nil
}

// settle reads what was kept of parameters into those of the tile.
func (p *partSaid) settle(tile *parameters, components int) error {
	for rest := p.parameters; len(rest) > 0; {
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if _, err := tile.take(markerCode(binary.BigEndian.Uint16(rest)), rest[4:4+length], components); err != nil {
			return err
		}
		rest = rest[4+length:]
	}
	return nil
}

// inTurn sorts the parts of a tile by the numbers that they claim, and marks those that do not follow on the one before. Where
// numbers do not tell them apart, or leave some out though there are as many as were promised, they are
// wrong, and the parts have come in order.
func inTurn(parts []partHeader) []partHeader {
	numbers, promised := make([]byte, len(parts)), 0
	for i, part := range parts {
		numbers[i], promised = byte(part.number), max(promised, part.count)
	}
	turns := order(numbers)
	sorted, next, gaps := make([]partHeader, len(parts)), 0, false
	for to, from := range turns {
		sorted[to] = parts[from]
		if sorted[to].number < next {
			return parts
		}
		sorted[to].afterGap = sorted[to].number > next
		gaps = gaps || sorted[to].afterGap
		next = sorted[to].number + 1
	}
	if gaps && promised == len(parts) {
		return parts
	}
	return sorted
}

// appendLengths appends the lengths of packets that a part has, and tells whether they make sense: they end
// where the list does, and are as many bytes as the packets of the part.
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
