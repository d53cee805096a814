package codestream

import (
	"encoding/binary"
	"fmt"
	"iter"
)

// FindParts locates the tile-parts. It uses the table in the main header (TLM) if that exists and
// fits; otherwise it works like [Header.ScanParts].
func (h *Header) FindParts(r Reader) (*Parts, error) {
	cached := &cachedReader{reader: r}
	listed := h.table.partList(h.Length, h.Tiles(), h.limits.TileParts)
	if listed == nil {
		return h.ScanParts(r)
	}
	p := &Parts{partList: *listed, size: r.Size(), fromTable: true}
	p.truncate()
	if fits, err := p.fits(cached); err != nil {
		return nil, err
	} else if !fits {
		return h.ScanParts(r)
	}
	return h.finish(p, cached)
}

// Listed returns the tile-parts in the table of the main header, as far as they begin within a codestream of some
// bytes. They are not checked. It returns nil if there are none.
func (h *Header) Listed(size int64) *Parts {
	listed := h.table.partList(h.Length, h.Tiles(), h.limits.TileParts)
	if listed == nil {
		return nil
	}
	p := &Parts{partList: *listed, size: size, fromTable: true}
	if p.truncate(); len(p.tiles) == 0 {
		return nil
	}
	return p.sorted(h.Tiles())
}

// Compared yields the offsets and the lengths of what FindParts compares with listed tile-parts.
func (p *Parts) Compared() iter.Seq2[int64, int64] {
	return func(yield func(offset, length int64) bool) {
		for _, at := range [...]int64{p.starts[0], p.starts[len(p.tiles)-1], p.end()} {
			if length := min(sotLength, p.size-at); length > 0 && !yield(at, length) {
				return
			}
		}
	}
}

// truncate removes the parts after the end of the codestream.
func (p *Parts) truncate() {
	for len(p.tiles) > 0 && p.end() > p.size {
		last := len(p.tiles) - 1
		p.fault = fault{truncated, p.starts[last]}
		if p.starts[last] < p.size {
			p.starts[last+1] = p.size
			return
		}
		p.starts, p.tiles = p.starts[:last+1], p.tiles[:last]
	}
}

// fits reports whether the table is right about the first and the last tile-part, and about their
// number. The other parts are checked when their tiles are read.
func (p *Parts) fits(cached *cachedReader) (bool, error) {
	if len(p.tiles) == 0 {
		return false, nil
	}
	for _, i := range [...]int{0, len(p.tiles) - 1} {
		b, err := cached.at(p.starts[i], sotLength)
		if err != nil {
			return false, err
		}
		if start, ok := parsePartStart(b); !ok || !p.agrees(i, start) {
			return false, nil
		}
	}
	behind, err := cached.at(p.end(), sotLength)
	if err != nil {
		return false, err
	}
	_, more := parsePartStart(behind)
	return !more, nil
}

// agrees reports whether the SOT marker of tile-part i matches the list.
func (p *Parts) agrees(i int, start partStart) bool {
	if p.tiles[i] == noTile || start.tile != int(p.tiles[i]) {
		return false
	}
	length := p.starts[i+1] - p.starts[i]
	last := i == len(p.tiles)-1
	return start.length == length || last && (start.length == 0 || p.fault.kind == truncated)
}

// ScanParts visits all tile-parts in order. That takes one read per tile-part, or fewer if a read
// covers several. If the chain breaks, the parts before are kept and Damage returns the reason.
func (h *Header) ScanParts(r Reader) (*Parts, error) {
	cached := &cachedReader{reader: r}
	p := &Parts{partList: partList{starts: []int64{h.Length}}, size: r.Size()}
	found := make(partCounts, h.Tiles())
	for more := true; more && !p.isWhole(found); {
		b, err := cached.at(p.end(), sotLength)
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
		if more, err = p.append(cached, start, len(found)); err != nil {
			return nil, err
		}
		found.count(start)
	}
	return h.finish(p, cached)
}

// isWhole reports whether all tile-parts are found, and the rest of the codestream is too short for another. It
// is not read then: it tells nothing, and may lie far away.
func (p *Parts) isWhole(found partCounts) bool { return p.size-p.end() < sotLength && found.complete() }

// partCounts holds the found and announced numbers of each tile's parts. It only serves to detect
// missing parts if the codestream does not end with its marker, since many encoders count wrongly.
type partCounts []struct{ found, announced uint32 }

func (c partCounts) count(start partStart) {
	if start.tile < len(c) {
		c[start.tile].found++
		c[start.tile].announced = max(c[start.tile].announced, uint32(start.count))
	}
}

func (c partCounts) complete() bool {
	for _, tile := range c {
		if tile.found < max(tile.announced, 1) {
			return false
		}
	}
	return true
}

// isEnd reports whether the codestream properly ends with its marker.
func isEnd(b []byte) bool { return len(b) > 1 && markerCode(binary.BigEndian.Uint16(b)) == eoc }

// append adds a tile-part. It reports whether others may follow.
func (p *Parts) append(cached *cachedReader, start partStart, tiles int) (bool, error) {
	begin, tile := p.end(), start.tile
	if tile >= tiles {
		p.fault = fault{strayTile, begin}
		tile = noTile
	}
	switch {
	case start.length == 0:
		end, err := lastEnd(cached, begin)
		p.add(tile, end-begin)
		return false, err
	case start.length < sotLength:
		p.fault = fault{badLength, begin}
		return false, nil
	case start.length > p.size-begin:
		p.fault = fault{truncated, begin}
		p.add(tile, p.size-begin)
		return false, nil
	}
	p.add(tile, start.length)
	return true, nil
}

// lastEnd returns the end of a tile-part without a length: before the final marker if there is one.
func lastEnd(cached *cachedReader, begin int64) (int64, error) {
	size := cached.reader.Size()
	b, err := cached.at(size-2, 2)
	if err != nil {
		return size, err
	}
	if size-2 >= begin+sotLength && isEnd(b) {
		return size - 2, nil
	}
	return size, nil
}

// finish adds the offsets of each tile-part's packed headers and lengths in the main header.
func (h *Header) finish(p *Parts, cached *cachedReader) (*Parts, error) {
	var err error
	if p.packed, err = h.packed.split(cached, 4, h.limits.TileParts); err != nil {
		return nil, fmt.Errorf("packed packet headers (PPM): %w", err)
	}
	if p.lengths, err = h.lengths.split(cached, 1, h.limits.TileParts); err != nil {
		return nil, fmt.Errorf("lengths of packets (PLM): %w", err)
	}
	return p.sorted(h.Tiles()), nil
}
