package codestream

import (
	"fmt"
	"slices"
)

// readPackets sets the packet headers and the packet lengths of the tile, as far as the headers
// have them.
func (a *assembly) readPackets(headers []partHeader) error {
	if err := a.joinPackedHeaders(headers); err != nil {
		return err
	}
	return a.readLengths(headers)
}

// joinPackedHeaders joins the packed packet headers, from the main header or from the headers of
// the tile.
func (a *assembly) joinPackedHeaders(headers []partHeader) error {
	packed := []byte(nil)
	apart := len(a.packed.spans) > 0
	for _, header := range headers {
		var err error
		if len(a.packed.spans) > 0 {
			packed, err = a.appendPiece(packed, &a.packed, a.parts.packed, 4, header)
		} else if header.markers != nil && len(header.markers.packed.indexes) > 0 {
			apart = true
			packed = append(packed, header.markers.packed.join()...)
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

// appendPiece appends the piece of a tile-part from the main header, without its length field. If
// the main header has no piece for the part, the tile is damaged.
func (a *assembly) appendPiece(to []byte, stream *series, offsets []int64, width int64, header partHeader) ([]byte, error) {
	if header.index+1 >= len(offsets) {
		a.note(fmt.Errorf("%w: the main header has nothing for tile-part %d", ErrCorrupt, header.index))
		return to, nil
	}
	from, until := offsets[header.index]+width, offsets[header.index+1]
	if until-from > a.limits.PackedHeaderBytes {
		return to, fmt.Errorf("%w: packed packet headers of %d bytes", ErrLimit, until-from)
	}
	return stream.appendRange(to, a.cached, from, until)
}

// readLengths sets the lengths of all packets, if every part of the tile has them and their sum
// matches its bytes. They are optional: the packets themselves say the same.
func (a *assembly) readLengths(headers []partHeader) error {
	lengths := []uint32{}
	for _, header := range headers {
		if header.afterGap {
			return nil
		}
		var list []byte
		if header.markers != nil && len(header.markers.lengths.indexes) > 0 {
			list = header.markers.lengths.join()
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
