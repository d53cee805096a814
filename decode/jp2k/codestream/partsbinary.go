package codestream

import (
	"encoding/binary"
	"fmt"
)

// partsVersion is the first byte of the binary form. It changes with the form.
const partsVersion = 1

// AppendBinary appends a compact form of p for storing: a few bytes per tile-part.
func (p *Parts) AppendBinary(data []byte) ([]byte, error) {
	data = append(data, partsVersion, byte(p.fault.kind))
	data = binary.AppendUvarint(data, uint64(p.fault.offset))
	data = binary.AppendUvarint(data, uint64(p.size))
	from := uint64(0)
	if p.fromTable {
		from = 1
	}
	data = binary.AppendUvarint(data, from)
	data = binary.AppendUvarint(data, uint64(len(p.tiles)))
	before := -1
	for i, tile := range p.tiles {
		data = binary.AppendVarint(data, int64(int(tile)-before-1)) // mostly 0
		data = binary.AppendUvarint(data, uint64(p.starts[i+1]-p.starts[i]))
		before = int(tile)
	}
	data = appendOffsets(data, p.packed)
	return appendOffsets(data, p.lengths), nil
}

// appendOffsets appends increasing offsets as differences.
func appendOffsets(data []byte, offsets []int64) []byte {
	data = binary.AppendUvarint(data, uint64(len(offsets)))
	for i := 1; i < len(offsets); i++ {
		data = binary.AppendUvarint(data, uint64(offsets[i]-offsets[i-1]))
	}
	return data
}

// ParseParts reads the form of [Parts.AppendBinary], for a codestream of the given size. It checks
// all values. After an error, the parts must be found again.
func (h *Header) ParseParts(data []byte, size int64) (*Parts, error) {
	k := partsReader{rest: data}
	version, kind := k.byte(), k.byte()
	p := &Parts{size: size, fault: fault{faultKind(kind), k.number(size)}}
	ok := version == partsVersion && kind < byte(faultKinds) && k.number(size) == size
	p.fromTable = k.number(1) == 1
	count := int(k.number(int64(min(h.limits.TileParts, len(k.rest)/2))))
	if !ok || k.bad {
		return nil, fmt.Errorf("%w: stored tile-parts are from another version or codestream", ErrCorrupt)
	}
	p.partList = partList{starts: make([]int64, 1, count+1), tiles: make([]uint16, 0, count)}
	p.starts[0] = h.Length
	tile := -1
	for range count {
		tile += int(k.signed()) + 1
		length := k.number(size - p.end())
		if k.bad || length < sotLength || (tile < 0 || tile >= h.Tiles()) && tile != noTile {
			return nil, fmt.Errorf("%w: stored tile-part %d", ErrCorrupt, len(p.tiles))
		}
		p.add(tile, length)
	}
	p.packed = k.offsets(h.packed.size(), h.limits.TileParts)
	p.lengths = k.offsets(h.lengths.size(), h.limits.TileParts)
	if k.bad || len(k.rest) > 0 {
		return nil, fmt.Errorf("%w: stored offsets of packet headers", ErrCorrupt)
	}
	return p.sorted(h.Tiles()), nil
}

// partsReader reads numbers of the stored form. For invalid numbers it returns 0 and sets bad.
type partsReader struct {
	rest []byte
	bad  bool
}

func (r *partsReader) byte() byte {
	if len(r.rest) == 0 {
		r.bad = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// number reads a number up to limit.
func (r *partsReader) number(limit int64) int64 {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 || n > uint64(max(limit, 0)) {
		r.bad = true
		return 0
	}
	r.rest = r.rest[length:]
	return int64(n)
}

// signed reads the difference of two tile numbers.
func (r *partsReader) signed() int64 {
	n, length := binary.Varint(r.rest)
	if length <= 0 || n > noTile || n < -noTile-1 {
		r.bad = true
		return 0
	}
	r.rest = r.rest[length:]
	return n
}

// offsets reads the offsets of pieces in a stream.
func (r *partsReader) offsets(size int64, limit int) []int64 {
	count := int(r.number(int64(min(limit+1, len(r.rest)+1))))
	if count == 0 {
		return nil
	}
	offsets := make([]int64, 1, count)
	for len(offsets) < count && !r.bad {
		offsets = append(offsets, offsets[len(offsets)-1]+r.number(size-offsets[len(offsets)-1]))
	}
	return offsets
}
