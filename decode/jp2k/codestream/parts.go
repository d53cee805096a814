package codestream

import (
	"fmt"
	"iter"
	"slices"
)

// Parts locates the tile-parts of a codestream. It is immutable and shared.
type Parts struct {
	partList
	size      int64 // of the codestream
	fromTable bool  // the list is from the main header, and most parts were not checked
	fault     fault

	// order holds the tile-parts by tile, in order. Those of a tile begin at first[tile].
	order, first []uint32

	// packed and lengths are the offsets of each tile-part's piece in the packed headers and the
	// packet lengths of the main header, with the end of the last piece. They are nil if the main
	// header has none.
	packed, lengths []int64
}

// partList is a list of consecutive tile-parts.
type partList struct {
	starts []int64 // offsets, and the end of the last part
	tiles  []uint16
}

// noTile marks a tile-part whose tile is not in the image.
const noTile = 1<<16 - 1

func (l *partList) add(tile int, length int64) {
	l.tiles = append(l.tiles, uint16(tile))
	l.starts = append(l.starts, l.end()+length)
}

// end returns the end of the last tile-part.
func (l *partList) end() int64 { return l.starts[len(l.starts)-1] }

// Count returns the number of tile-parts.
func (p *Parts) Count() int { return len(p.tiles) }

// OfTile returns the number of tile-parts of a tile: 0 if the tile is missing.
func (p *Parts) OfTile(tile int) int { return len(p.ofTile(tile)) }

// Of yields the offset and the length of each tile-part of a tile.
func (p *Parts) Of(tile int) iter.Seq2[int64, int64] {
	return func(yield func(offset, length int64) bool) {
		for _, i := range p.ofTile(tile) {
			if !yield(p.starts[i], p.starts[i+1]-p.starts[i]) {
				return
			}
		}
	}
}

// ofTile returns the tile-parts of a tile.
func (p *Parts) ofTile(tile int) []uint32 { return p.order[p.first[tile]:p.first[tile+1]] }

// Bytes returns the memory of p.
func (p *Parts) Bytes() int64 {
	wide := cap(p.starts) + cap(p.packed) + cap(p.lengths)
	return 8*int64(wide) + 2*int64(cap(p.tiles)) + 4*int64(cap(p.order)+cap(p.first))
}

// Damage returns the damage of the chain of tile-parts, or nil. Parts that are lost to it are not
// listed. A tile without parts is not damage; see OfTile.
func (p *Parts) Damage() error {
	if p.fault.kind == sound {
		return nil
	}
	return fmt.Errorf("%w: %v at %d", ErrCorrupt, p.fault.kind, p.fault.offset)
}

// fault is the kind and the offset of damage in the chain of tile-parts.
type fault struct {
	kind   faultKind
	offset int64
}

type faultKind uint8

const (
	sound faultKind = iota
	truncated
	chainBroken
	badLength
	strayTile
	faultKinds
)

func (k faultKind) String() string {
	return [...]string{
		"nothing", "the file ends within the tile-part", "no tile-part", "the tile-part has an impossible length",
		"the tile-part belongs to no tile",
	}[k]
}

// sorted sets the tile-parts of each tile.
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
