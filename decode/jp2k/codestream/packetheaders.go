package codestream

import (
	"fmt"
	"slices"
)

// takePackets takes what headers say of packets: their headers, and their lengths.
func (a *assembly) takePackets(headers []partHeader) error {
	if err := a.takePackedHeaders(headers); err != nil {
		return err
	}
	return a.takeLengths(headers)
}

// takePackedHeaders joins the packet headers that are not before their bodies: those of the main header, or
// those of the tile's.
func (a *assembly) takePackedHeaders(headers []partHeader) error {
	packed := []byte(nil)
	apart := len(a.packed.spans) > 0
	for _, header := range headers {
		var err error
		if len(a.packed.spans) > 0 {
			packed, err = a.appendPiece(packed, &a.packed, a.parts.packed, 4, header)
		} else if header.said != nil && len(header.said.packed.turns) > 0 {
			apart = true
			packed = append(packed, header.said.packed.joined()...)
		}
		if err != nil {
			return err
		}
		if int64(len(packed)) > a.limits.PackedHeaderBytes {
			return fmt.Errorf("%w: packed packet headers of more than %d bytes", ErrLimit, a.limits.PackedHeaderBytes)
		}
	}
	if apart {
		a.tile.PackedHeaders = slices.Clip(append([]byte{}, packed...))
	}
	return nil
}

// appendPiece appends what the main header has for a tile-part, behind the number that says its length. Where it
// has nothing for so late a part, the tile tells.
func (a *assembly) appendPiece(to []byte, stream *series, places []int64, width int64, header partHeader) ([]byte, error) {
	if header.index+1 >= len(places) {
		a.note(fmt.Errorf("%w: nothing in the main header for tile-part %d", ErrCorrupt, header.index))
		return to, nil
	}
	from, until := places[header.index]+width, places[header.index+1]
	if until-from > a.limits.PackedHeaderBytes {
		return to, fmt.Errorf("%w: packed packet headers of %d bytes", ErrLimit, until-from)
	}
	return stream.appendRange(to, a.view, from, until)
}

// takeLengths lists the lengths of all packets, if every part of the tile has them and they are as many bytes
// as it has. They are a help: the packets themselves say the same.
func (a *assembly) takeLengths(headers []partHeader) error {
	lengths := []uint32{}
	for _, header := range headers {
		if header.afterGap {
			return nil
		}
		var list []byte
		if header.said != nil && len(header.said.lengths.turns) > 0 {
			list = header.said.lengths.joined()
		} else if header.index+1 < len(a.parts.lengths) {
			var err error
			if list, err = a.appendPiece(nil, &a.lengths, a.parts.lengths, 1, header); err != nil {
				return err
			}
		}
		ok := false
		if lengths, ok = appendLengths(lengths, list, header.end-header.data, a.limits.PacketLengths); !ok {
			return nil
		}
	}
	if len(lengths) > 0 {
		a.tile.PacketLengths = slices.Clip(lengths)
	}
	return nil
}
