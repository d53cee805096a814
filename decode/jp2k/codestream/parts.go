package codestream

import (
	"fmt"
	"slices"
)

// Parts is where the tile-parts of a codestream lie. It is shared and never written.
type Parts struct {
	runs
	size      int64 // of the codestream
	fromTable bool  // as the main header says; not each has been seen
	fault     fault

	// order is the tile-parts, by tile and then by place; those of a tile begin with first[tile].
	order, first []uint32

	// packed and lengths are where the packet headers and packet lengths of each tile-part begin in the stream that the
	// main header has of them, and the end of the last. They are nil where it has none.
	packed, lengths []int64
}

// runs is tile-parts that lie one behind the other.
type runs struct {
	starts []int64 // and the end of the last
	tiles  []uint16
}

// noTile is the number of no tile: that of a tile-part whose tile is not in the image.
const noTile = 1<<16 - 1

func (r *runs) add(tile int, length int64) {
	r.tiles = append(r.tiles, uint16(tile))
	r.starts = append(r.starts, r.end()+length)
}

// end is where the last tile-part ends.
func (r *runs) end() int64 { return r.starts[len(r.starts)-1] }

// Count is the number of tile-parts.
func (p *Parts) Count() int { return len(p.tiles) }

// OfTile is the number of tile-parts that a tile has: none where it is missing.
func (p *Parts) OfTile(tile int) int { return len(p.ofTile(tile)) }

// ofTile is which tile-parts a tile has.
func (p *Parts) ofTile(tile int) []uint32 { return p.order[p.first[tile]:p.first[tile+1]] }

// Bytes is the memory that p takes.
func (p *Parts) Bytes() int64 {
	wide := cap(p.starts) + cap(p.packed) + cap(p.lengths)
	return 8*int64(wide) + 2*int64(cap(p.tiles)) + 4*int64(cap(p.order)+cap(p.first))
}

// Damage is what was unsound, or nil. Parts that are not there because of it are left out. Tiles without parts are not unsound
// by themselves: OfTile tells.
func (p *Parts) Damage() error {
	if p.fault.kind == sound {
		return nil
	}
	return fmt.Errorf("%w: %v at %d", ErrCorrupt, p.fault.kind, p.fault.offset)
}

// fault is what is wrong with the chain of tile-parts, and where.
type fault struct {
	kind   faultKind
	offset int64
}

type faultKind uint8

const (
	sound faultKind = iota
	cutShort
	chainBroken
	badLength
	strayTile
	faultKinds
)

func (k faultKind) String() string {
	return [...]string{
		"nothing", "the file ends within the tile-part", "no tile-part", "the tile-part has an impossible length",
		"the tile-part is of no tile",
	}[k]
}

// sorted fills in which tile-parts are whose.
func (p *Parts) sorted(tiles int) *Parts {
	p.starts, p.tiles = slices.Clip(p.starts), slices.Clip(p.tiles)
	p.first = make([]uint32, tiles+1)
	for _, tile := range p.tiles {
		if tile != noTile {
			p.first[tile+1]++
		}
	}
	for tile := range tiles {
		p.first[tile+1] += p.first[tile]
	}
	p.order = make([]uint32, p.first[tiles])
	next := slices.Clone(p.first)
	for i, tile := range p.tiles {
		if tile != noTile {
			p.order[next[tile]] = uint32(i)
			next[tile]++
		}
	}
	return p
}
