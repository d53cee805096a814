package codestream

import (
	"encoding/binary"
	"fmt"
)

// sotLength is the length of a SOT marker segment, with its marker: the least that a tile-part has.
const sotLength = 12

// partStart is what a SOT marker says.
type partStart struct {
	tile   int
	length int64 // of the tile-part from the marker on; 0 is "to the end"
	number int   // of the tile-part in its tile
	count  int   // of tile-parts in the tile; 0 is unknown
}

// parsePartStart reads a SOT marker, and tells whether there is one.
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

// FindParts finds out where tile-parts lie: from the table in the main header (TLM) if there is one and it fits, else as
// [Header.WalkParts] does.
func (h *Header) FindParts(r Reader) (*Parts, error) {
	view := &pieces{reader: r}
	listed := h.table.runs(h.Length, h.Tiles(), h.limits.TileParts)
	if listed == nil {
		return h.WalkParts(r)
	}
	p := &Parts{runs: *listed, size: r.Size(), fromTable: true}
	p.cutOff()
	if fits, err := p.fits(view); err != nil {
		return nil, err
	} else if !fits {
		return h.WalkParts(r)
	}
	return h.finish(p, view)
}

// cutOff leaves out what lies behind the end of the codestream.
func (p *Parts) cutOff() {
	for len(p.tiles) > 0 && p.end() > p.size {
		last := len(p.tiles) - 1
		p.fault = fault{cutShort, p.starts[last]}
		if p.starts[last] < p.size {
			p.starts[last+1] = p.size
			return
		}
		p.starts, p.tiles = p.starts[:last+1], p.tiles[:last]
	}
}

// fits tells whether a table is right about the first and the last tile-part, and about there being no more. The
// others are looked at when they are wanted.
func (p *Parts) fits(view *pieces) (bool, error) {
	if len(p.tiles) == 0 {
		return false, nil
	}
	for _, i := range [...]int{0, len(p.tiles) - 1} {
		b, err := view.at(p.starts[i], sotLength)
		if err != nil {
			return false, err
		}
		if start, ok := parsePartStart(b); !ok || !p.agrees(i, start) {
			return false, nil
		}
	}
	behind, err := view.at(p.end(), sotLength)
	if err != nil {
		return false, err
	}
	_, more := parsePartStart(behind)
	return !more, nil
}

// agrees tells whether a tile-part is as it was found before.
func (p *Parts) agrees(i int, start partStart) bool {
	if p.tiles[i] == noTile || start.tile != int(p.tiles[i]) {
		return false
	}
	length := p.starts[i+1] - p.starts[i]
	last := i == len(p.tiles)-1
	return start.length == length || last && (start.length == 0 || p.fault.kind == cutShort)
}

// WalkParts visits one tile-part after the other. That takes a read for each of them, or for as many as one piece of the
// reader holds. Where the chain breaks, what lies before is kept, and Damage tells.
func (h *Header) WalkParts(r Reader) (*Parts, error) {
	view := &pieces{reader: r}
	p := &Parts{runs: runs{starts: []int64{h.Length}}, size: r.Size()}
	found := make(census, h.Tiles())
	for more := true; more; {
		b, err := view.at(p.end(), sotLength)
		if err != nil {
			return nil, fmt.Errorf("tile-part %d: %w", len(p.tiles), err)
		}
		start, ok := parsePartStart(b)
		if !ok {
			if !isEnd(b) && !found.complete() {
				p.fault = fault{chainBroken, p.end()}
			}
			break
		}
		if len(p.tiles) == h.limits.TileParts {
			return nil, fmt.Errorf("%w: more than %d tile-parts", ErrLimit, h.limits.TileParts)
		}
		if more, err = p.append(view, start, len(found)); err != nil {
			return nil, err
		}
		found.count(start)
	}
	return h.finish(p, view)
}

// census is how many tile-parts of each tile there are, and should be. It only serves to tell what is missing where the
// codestream does not end with its marker: many encoders count wrongly.
type census []struct{ found, promised uint32 }

func (c census) count(start partStart) {
	if start.tile < len(c) {
		c[start.tile].found++
		c[start.tile].promised = max(c[start.tile].promised, uint32(start.count))
	}
}

func (c census) complete() bool {
	for _, tile := range c {
		if tile.found < max(tile.promised, 1) {
			return false
		}
	}
	return true
}

// isEnd tells whether the codestream ends with a marker, as it should.
func isEnd(b []byte) bool { return len(b) > 1 && markerCode(binary.BigEndian.Uint16(b)) == eoc }

// append takes a tile-part, and tells whether others may follow.
func (p *Parts) append(view *pieces, start partStart, tiles int) (bool, error) {
	begin, tile := p.end(), start.tile
	if tile >= tiles {
		p.fault = fault{strayTile, begin}
		tile = noTile
	}
	switch {
	case start.length == 0:
		end, err := lastEnd(view, begin)
		p.add(tile, end-begin)
		return false, err
	case start.length < sotLength:
		p.fault = fault{badLength, begin}
		return false, nil
	case start.length > p.size-begin:
		p.fault = fault{cutShort, begin}
		p.add(tile, p.size-begin)
		return false, nil
	}
	p.add(tile, start.length)
	return true, nil
}

// lastEnd is where a tile-part ends that does not say so: before the last marker, if that is there.
func lastEnd(view *pieces, begin int64) (int64, error) {
	size := view.reader.Size()
	b, err := view.at(size-2, 2)
	if err != nil {
		return size, err
	}
	if size-2 >= begin+sotLength && isEnd(b) {
		return size - 2, nil
	}
	return size, nil
}

// finish adds what the main header has for each tile-part.
func (h *Header) finish(p *Parts, view *pieces) (*Parts, error) {
	var err error
	if p.packed, err = h.packed.split(view, 4, h.limits.TileParts); err != nil {
		return nil, fmt.Errorf("packed packet headers (PPM): %w", err)
	}
	if p.lengths, err = h.lengths.split(view, 1, h.limits.TileParts); err != nil {
		return nil, fmt.Errorf("lengths of packets (PLM): %w", err)
	}
	return p.sorted(h.Tiles()), nil
}
