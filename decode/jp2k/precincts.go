package jp2k

import (
	"context"
	"fmt"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// precinctKey names a precinct of a file.
type precinctKey struct {
	file              string
	tile, column, row uint32
	component         uint16
	resolution        uint8
}

func (k precinctKey) position() packets.PrecinctPosition {
	return packets.PrecinctPosition{Component: int(k.component), Resolution: int(k.resolution), Column: int(k.column), Row: int(k.row)}
}

// precincts are those of a tile that a request takes.
type precincts struct {
	tile *codestream.Tile
	read map[packets.PrecinctPosition]*packets.Precinct
}

var _ packets.Blocks = (*precincts)(nil)

// Block tells of a code-block of the precinct that it lies in.
func (s *precincts) Block(at packets.Position, layers int, block *packets.Block) bool {
	one := codestream.Rect{X0: at.Column, Y0: at.Row, X1: at.Column + 1, Y1: at.Row + 1}
	where := packets.PrecinctsOf(s.tile, at.Component, at.Resolution, at.Band, one)
	p := s.read[packets.PrecinctPosition{Component: at.Component, Resolution: at.Resolution, Column: where.X0, Row: where.Y0}]
	return p != nil && p.Block(at, layers, block)
}

// Damage is the first that is told of any precinct.
func (s *precincts) Damage() error {
	for _, p := range s.read {
		if err := p.Damage(); err != nil {
			return err
		}
	}
	return nil
}

// Broken reports whether packets of a precinct could not be read.
func (s *precincts) Broken(at packets.PrecinctPosition) bool {
	p := s.read[at]
	return p == nil || p.Broken(at)
}

// Size is nothing of its own.
func (s *precincts) Size() int64 { return 0 }

// locate finds out what is in the packets that the pieces take, where that is not known of
// the whole tile.
func (r *request) locate(ctx context.Context) error {
	r.blocks = make(map[int]packets.Blocks)
	var keys []precinctKey
	seen := make(map[precinctKey]bool)
	for number, t := range r.tiles {
		switch {
		case t.index != nil:
			r.blocks[number] = t.index
		case t.located != nil:
			r.blocks[number] = &precincts{t.Tile, make(map[packets.PrecinctPosition]*packets.Precinct)}
		}
	}
	for _, p := range r.pieces {
		if p.tile.located == nil {
			continue
		}
		for _, key := range p.precincts(r.file.config.Key) {
			if !seen[key] {
				seen[key], keys = true, append(keys, key)
			}
		}
	}
	found, err := r.file.shared.precincts.Fetch(ctx, keys, r.loadPrecincts)
	if err != nil {
		return err
	}
	for i, key := range keys {
		r.blocks[int(key.tile)].(*precincts).read[key.position()] = found[i]
	}
	return nil
}

// precincts are the keys of those that hold the code-blocks of a piece, some more than once.
func (p *piece) precincts(file string) (keys []precinctKey) {
	for i := range p.parts {
		component := p.parts[i].component
		for resolution := range p.parts[i].stages {
			for band := range p.parts[i].stages[resolution].bands {
				grid := p.parts[i].stages[resolution].bands[band].grid
				held := packets.PrecinctsOf(p.tile.Tile, component, resolution, band, grid)
				for row := held.Y0; row < held.Y1; row++ {
					for column := held.X0; column < held.X1; column++ {
						keys = append(keys, precinctKey{
							file: file, tile: uint32(p.tile.Number), column: uint32(column), row: uint32(row),
							component: uint16(component), resolution: uint8(resolution),
						})
					}
				}
			}
		}
	}
	return keys
}

// loadPrecincts reads the headers of packets: what is likely to hold them in one call, and
// more where one is longer.
func (r *request) loadPrecincts(ctx context.Context, missing []precinctKey) ([]*packets.Precinct, error) {
	release, err := r.reserveHeaders(ctx, missing)
	if err != nil {
		return nil, err
	}
	defer release()
	var ranges []packets.Range
	for _, key := range missing {
		t := r.tiles[int(key.tile)]
		ranges = t.located.AppendRanges(ranges, key.position(), headerBytes(t, key))
	}
	reader, err := r.file.gather(ctx, ranges)
	if err != nil {
		return nil, err
	}
	read := make([]*packets.Precinct, len(missing))
	for i, key := range missing {
		if read[i], err = r.tiles[int(key.tile)].located.Precinct(ctx, reader, key.position()); err != nil {
			return nil, fmt.Errorf("tile %d, precinct %+v: %w", key.tile, key.position(), err)
		}
		if damage := read[i].Damage(); damage != nil {
			r.file.damage.tell("packets", "tile %d: %v", key.tile, damage)
		}
	}
	return read, nil
}

// reserveHeaders reserves what reading the headers of precincts takes, before the ranges of
// their packets are listed: hostile files have millions.
func (r *request) reserveHeaders(ctx context.Context, keys []precinctKey) (release func(), err error) {
	const rangeBytes = 64 // here, in the source, and what is read
	bytes, count := int64(0), int64(0)
	for _, key := range keys {
		t := r.tiles[int(key.tile)]
		bytes += int64(t.Layers) * headerBytes(t, key)
		count += int64(t.Layers)
	}
	return r.file.config.Pool.Reserve(ctx, min(bytes, r.file.where.Length)+rangeBytes*count)
}

// What the header of a packet takes seldom more than.
const (
	leastHeaderBytes      = 64
	headerBytesOfABlock   = 6
	mostHeaderBytesAtOnce = 256 << 10
)

// headerBytes is about how long the header of a packet may be, which tells of some or all of
// the code-blocks of a precinct.
func headerBytes(t *tile, key precinctKey) int64 {
	resolution := &t.Components[key.component].Resolutions[key.resolution]
	blocks := 0
	for i := range resolution.Bands {
		b := &resolution.Bands[i]
		columns := min(b.BlockColumns(), 1<<max(resolution.PrecinctWidthLog2-b.BlockWidthLog2, 0))
		rows := min(b.BlockRows(), 1<<max(resolution.PrecinctHeightLog2-b.BlockHeightLog2, 0))
		blocks += columns * rows
	}
	return min(leastHeaderBytes+headerBytesOfABlock*int64(blocks), mostHeaderBytesAtOnce)
}
