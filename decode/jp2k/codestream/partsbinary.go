package codestream

import (
	"encoding/binary"
	"fmt"
)

// partsVersion is the first byte of the binary form, and changes with it.
const partsVersion = 1

// AppendBinary appends p in a compact form, to be kept: a few bytes for each tile-part.
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
	data = appendPlaces(data, p.packed)
	return appendPlaces(data, p.lengths), nil
}

// appendPlaces appends places in their order, as distances.
func appendPlaces(data []byte, places []int64) []byte {
	data = binary.AppendUvarint(data, uint64(len(places)))
	for i := 1; i < len(places); i++ {
		data = binary.AppendUvarint(data, uint64(places[i]-places[i-1]))
	}
	return data
}

// ParseParts is the opposite of [Parts.AppendBinary], for a codestream of so many bytes. It checks what it reads: an error
// says that the parts have to be found again.
func (h *Header) ParseParts(data []byte, size int64) (*Parts, error) {
	k := kept{rest: data}
	version, kind := k.byte(), k.byte()
	p := &Parts{size: size, fault: fault{faultKind(kind), k.number(size)}}
	ok := version == partsVersion && kind < byte(faultKinds) && k.number(size) == size
	p.fromTable = k.number(1) == 1
	count := int(k.number(int64(min(h.limits.TileParts, len(k.rest)/2))))
	if !ok || k.bad {
		return nil, fmt.Errorf("%w: kept places of tile-parts are of another version or codestream", ErrCorrupt)
	}
	p.runs = runs{starts: make([]int64, 1, count+1), tiles: make([]uint16, 0, count)}
	p.starts[0] = h.Length
	tile := -1
	for range count {
		tile += int(k.signed()) + 1
		length := k.number(size - p.end())
		if k.bad || length < sotLength || (tile < 0 || tile >= h.Tiles()) && tile != noTile {
			return nil, fmt.Errorf("%w: kept place of tile-part %d", ErrCorrupt, len(p.tiles))
		}
		p.add(tile, length)
	}
	p.packed = k.places(h.packed.size(), h.limits.TileParts)
	p.lengths = k.places(h.lengths.size(), h.limits.TileParts)
	if k.bad || len(k.rest) > 0 {
		return nil, fmt.Errorf("%w: kept places of packet headers", ErrCorrupt)
	}
	return p.sorted(h.Tiles()), nil
}

// kept takes numbers from what was kept. What it gives is 0 where they do not make sense, and bad tells.
type kept struct {
	rest []byte
	bad  bool
}

func (k *kept) byte() byte {
	if len(k.rest) == 0 {
		k.bad = true
		return 0
	}
	b := k.rest[0]
	k.rest = k.rest[1:]
	return b
}

// number takes one that is not larger than most.
func (k *kept) number(most int64) int64 {
	n, length := binary.Uvarint(k.rest)
	if length <= 0 || n > uint64(max(most, 0)) {
		k.bad = true
		return 0
	}
	k.rest = k.rest[length:]
	return int64(n)
}

// signed takes a difference between two numbers of tiles.
func (k *kept) signed() int64 {
	n, length := binary.Varint(k.rest)
	if length <= 0 || n > noTile || n < -noTile-1 {
		k.bad = true
		return 0
	}
	k.rest = k.rest[length:]
	return n
}

// places takes places of a stream.
func (k *kept) places(size int64, limit int) []int64 {
	count := int(k.number(int64(min(limit+1, len(k.rest)+1))))
	if count == 0 {
		return nil
	}
	places := make([]int64, 1, count)
	for len(places) < count && !k.bad {
		places = append(places, places[len(places)-1]+k.number(size-places[len(places)-1]))
	}
	return places
}
