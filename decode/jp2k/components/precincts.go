package components

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
)

// precinctKey identifies a precinct of a file.
type precinctKey struct {
	file              string
	tile, column, row uint32
	component         uint16
	resolution        uint8
}

func (k precinctKey) position() packets.PrecinctPosition {
	return packets.PrecinctPosition{Component: int(k.component), Resolution: int(k.resolution), Column: int(k.column), Row: int(k.row)}
}

// precincts holds the precincts of a tile that a request needs.
type precincts struct {
	tile *codestream.Tile
	read map[packets.PrecinctPosition]*packets.Precinct
}

var _ packets.Blocks = (*precincts)(nil)

// Block returns a code-block from its precinct.
func (s *precincts) Block(at packets.Position, layers int, block *packets.Block) bool {
	one := wavelet.Rect{X0: at.Column, Y0: at.Row, X1: at.Column + 1, Y1: at.Row + 1}
	rect := packets.PrecinctsOf(s.tile, at.Component, at.Resolution, at.Band, one)
	p := s.read[packets.PrecinctPosition{Component: at.Component, Resolution: at.Resolution, Column: rect.X0, Row: rect.Y0}]
	return p != nil && p.Block(at, layers, block)
}

// Damage returns the first damage of any precinct.
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

// Size returns 0, since the cache accounts for the precincts.
func (s *precincts) Size() int64 { return 0 }

// locateBlocks sets the blocks of all tiles. It reads the precincts that the tile windows need, if
// there is no index of the whole tile.
func (r *Request) locateBlocks(ctx context.Context) error {
	r.blocks = make(map[int]packets.Blocks)
	var keys []precinctKey
	seen := make(map[precinctKey]bool)
	for number, t := range r.tiles {
		switch {
		case t.index != nil:
			r.blocks[number] = t.index
		case t.packetMap != nil:
			r.blocks[number] = &precincts{t.Tile, make(map[packets.PrecinctPosition]*packets.Precinct)}
		}
	}
	for _, w := range r.tileWindows {
		if w.tile.packetMap == nil {
			continue
		}
		for _, key := range w.precincts(r.stream.config.Key) {
			if !seen[key] {
				seen[key], keys = true, append(keys, key)
			}
		}
	}
	found, err := r.stream.shared.precincts.Fetch(ctx, keys, r.loadPrecincts)
	if err != nil {
		return err
	}
	for i, key := range keys {
		r.blocks[int(key.tile)].(*precincts).read[key.position()] = found[i]
	}
	return nil
}

// precincts returns the keys of the precincts of a tile window's code-blocks, with repetitions.
func (w *tileWindow) precincts(file string) (keys []precinctKey) {
	for i := range w.components {
		component := w.components[i].component
		for resolution := range w.components[i].resolutions {
			for band := range w.components[i].resolutions[resolution].bands {
				grid := w.components[i].resolutions[resolution].bands[band].grid
				covered := packets.PrecinctsOf(w.tile.Tile, component, resolution, band, grid)
				for row := covered.Y0; row < covered.Y1; row++ {
					for column := covered.X0; column < covered.X1; column++ {
						keys = append(keys, precinctKey{
							file: file, tile: uint32(w.tile.Number), column: uint32(column), row: uint32(row),
							component: uint16(component), resolution: uint8(resolution),
						})
					}
				}
			}
		}
	}
	return keys
}

// precinctOf returns the key of the precinct of a code-block.
func (r *Request) precinctOf(t *tile, of *blockKey) precinctKey {
	columns := t.Components[of.component].Resolutions[of.resolution].Bands[of.band].BlockColumns()
	column, row := int(of.index)%columns, int(of.index)/columns
	block := wavelet.Rect{X0: column, Y0: row, X1: column + 1, Y1: row + 1}
	at := packets.PrecinctsOf(t.Tile, int(of.component), int(of.resolution), int(of.band), block)
	return precinctKey{
		file: r.stream.config.Key, tile: of.tile, column: uint32(at.X0), row: uint32(at.Y0),
		component: of.component, resolution: of.resolution,
	}
}

// loadPrecincts reads the headers of precincts' packets. It reads their probable ranges in one
// call, and more if a header is longer.
func (r *Request) loadPrecincts(ctx context.Context, missing []precinctKey) ([]*packets.Precinct, error) {
	release, err := r.reserveHeaders(ctx, missing)
	if err != nil {
		return nil, err
	}
	defer release()
	ranges, isWhole := r.packetRanges(missing)
	reader := r.stream.newReader(ctx)
	if err := r.stream.prefetch(reader, slices.Concat(ranges...)); err != nil {
		return nil, err
	}
	read := make([]*packets.Precinct, len(missing))
	for i, key := range missing {
		if read[i], err = r.tiles[int(key.tile)].packetMap.Precinct(ctx, reader, key.position()); err != nil {
			return nil, fmt.Errorf("tile %d, precinct %+v: %w", key.tile, key.position(), err)
		}
		if damage := read[i].Damage(); damage != nil {
			r.stream.damage.report("packets", "tile %d: %v", key.tile, damage)
		}
	}
	bytes := make([]readBytes, len(missing))
	for i := range missing {
		if isWhole[i] {
			bytes[i] = reader.readOf(ranges[i])
		}
	}
	return read, keep(ctx, r.stream.shared.read.precincts, missing, bytes)
}

// packetRanges returns what to read of the packets of each precinct: their headers, or all of a far precinct if that
// saves the round trip of its code-blocks.
func (r *Request) packetRanges(keys []precinctKey) (ranges [][]packets.Range, isWhole []bool) {
	ranges, isWhole = make([][]packets.Range, len(keys)), make([]bool, len(keys))
	left := int64(maxWholePrecinctsBytes)
	for i, key := range keys {
		t, bytes := r.tiles[int(key.tile)], int64(0)
		if r.stream.isFar {
			ranges[i] = t.packetMap.AppendRanges(nil, key.position(), math.MaxInt64)
			for _, packet := range ranges[i] {
				bytes += packet.Length
			}
			isWhole[i] = bytes <= min(left, maxFarWholeBytes)
		}
		if isWhole[i] {
			left -= bytes
		} else {
			ranges[i] = t.packetMap.AppendRanges(nil, key.position(), headerBytes(t, key))
		}
	}
	return ranges, isWhole
}

// maxWholePrecinctsBytes bounds the packets of a call that are read with their bodies.
const maxWholePrecinctsBytes = 4 << 20

// reserveHeaders reserves the memory for reading the headers of precincts, before the ranges of
// their packets are listed. Hostile files have millions.
func (r *Request) reserveHeaders(ctx context.Context, keys []precinctKey) (release func(), err error) {
	const rangeBytes = 64 // in the list, in the source, and of the result
	bytes, count := int64(0), int64(0)
	for _, key := range keys {
		t := r.tiles[int(key.tile)]
		bytes += int64(t.Layers) * headerBytes(t, key)
		count += int64(t.Layers)
	}
	if r.stream.isFar {
		bytes += maxWholePrecinctsBytes
	}
	return r.stream.config.Pool.Reserve(ctx, min(bytes, r.stream.extent.Length)+rangeBytes*count)
}

// The usual maximum size of packet headers.
const (
	minHeaderBytes      = 64
	headerBytesPerBlock = 6
	maxHeaderBytes      = 256 << 10
)

// headerBytes estimates the maximum size of a packet header of a precinct, by its code-blocks.
func headerBytes(t *tile, key precinctKey) int64 {
	resolution := &t.Components[key.component].Resolutions[key.resolution]
	blocks := 0
	for i := range resolution.Bands {
		b := &resolution.Bands[i]
		columns := min(b.BlockColumns(), 1<<max(resolution.PrecinctWidthLog2-b.BlockWidthLog2, 0))
		rows := min(b.BlockRows(), 1<<max(resolution.PrecinctHeightLog2-b.BlockHeightLog2, 0))
		blocks += columns * rows
	}
	return min(minHeaderBytes+headerBytesPerBlock*int64(blocks), maxHeaderBytes)
}
