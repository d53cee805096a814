package components

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode/jp2k/packets"
	"tileserver/decode/pool"
	"tileserver/source"
)

// blockKey identifies a code-block of a file, decoded with the given layers.
type blockKey struct {
	file             string
	tile, index      uint32
	component        uint16
	layers           uint16 // 0 means all
	resolution, band uint8
}

// addBlocks adds the code-blocks of a tile window to the request.
func (r *Request) addBlocks(p *tileWindow) {
	blocks := r.blocks[p.tile.Number]
	for i := range p.components {
		for resolution := range p.components[i].resolutions {
			bands := p.components[i].resolutions[resolution].bands
			for b := range bands {
				r.addBandBlocks(&bands[b], p.tile, blocks, blockKey{
					file: r.stream.config.Key, tile: uint32(p.tile.Number), layers: uint16(r.stream.config.Layers),
					component: uint16(p.components[i].component), resolution: uint8(resolution), band: uint8(b),
				})
			}
		}
	}
}

// addBandBlocks adds the code-blocks of a band. Their keys differ from key only in the index.
func (r *Request) addBandBlocks(w *bandWindow, t *tile, blocks packets.Blocks, key blockKey) {
	w.valueIndexes = make([]int, 0, area(w.grid))
	columns := w.BlockColumns()
	var block codeBlock
	for row := w.grid.Y0; row < w.grid.Y1; row++ {
		for column := w.grid.X0; column < w.grid.X1; column++ {
			key.index = uint32(row*columns + column)
			if !key.find(t, blocks, &block) {
				w.valueIndexes = append(w.valueIndexes, noBlock)
				continue
			}
			w.valueIndexes = append(w.valueIndexes, len(r.keys))
			r.keys = append(r.keys, key)
			r.bytes += block.bytes()
		}
	}
}

// find sets to to the parameters of the code-block. It returns false if nothing is coded.
func (key *blockKey) find(t *tile, blocks packets.Blocks, to *codeBlock) bool {
	coding := &t.Components[key.component]
	band := &coding.Resolutions[key.resolution].Bands[key.band]
	columns := uint32(band.BlockColumns())
	at := packets.Position{
		Component: int(key.component), Resolution: int(key.resolution), Band: int(key.band),
		Column: int(key.index % columns), Row: int(key.index / columns),
	}
	layers := int(key.layers)
	if layers == 0 {
		layers = packets.AllLayers
	}
	if !blocks.Block(at, layers, &to.Block) || to.Passes == 0 {
		return false
	}
	rect := band.Block(at.Column, at.Row)
	to.width, to.height = rect.Width(), rect.Height()
	to.orientation, to.style, to.bitPlanes = band.Orientation, coding.Style, band.BitPlanes
	to.shift, to.halved = coding.ROIShift, coding.Reversible
	return true
}

// fetch gets the coefficients of all keys. Those that are not cached are read with one call and
// decoded with one job.
func (r *Request) fetch(ctx context.Context) (err error) {
	r.values, err = r.stream.shared.blocks.Fetch(ctx, r.keys, r.load)
	return err
}

func (r *Request) load(ctx context.Context, missing []blockKey) ([]coefficients, error) {
	blocks := make([]codeBlock, len(missing))
	for i := range missing {
		key := &missing[i]
		if number := int(key.tile); !key.find(r.tiles[number], r.blocks[number], &blocks[i]) {
			return nil, fmt.Errorf("internal error: %v is not in the index", *key)
		}
		blocks[i].data = r.data[*key]
	}
	if err := r.stream.read(ctx, blocks); err != nil {
		return nil, err
	}
	d := newDecodeJob(blocks, &r.stream.shared.blockWorkspaces)
	if err := r.stream.config.Pool.Run(ctx, d); err != nil {
		if failed := new(pool.TaskError); errors.As(err, &failed) {
			failed.Index, failed.Count = d.blocksOf(failed.Index)[0], len(blocks)
		}
		return nil, err
	}
	r.stream.shared.decoded.Add(int64(len(missing)))
	r.stream.reportLost(missing, d.made)
	return d.made, nil
}

// read reads the bytes of code-blocks in one call, as far as they lack them.
func (s *Codestream) read(ctx context.Context, blocks []codeBlock) error {
	var ranges []source.Range
	for i := range blocks {
		if blocks[i].data != nil {
			continue
		}
		for _, c := range blocks[i].Chunks {
			ranges = append(ranges, s.sourceRange(c))
		}
	}
	data, err := s.src.ReadRanges(ctx, ranges)
	if err != nil {
		return err
	}
	for i := range blocks {
		if blocks[i].data == nil {
			n := len(blocks[i].Chunks)
			blocks[i].data, data = data[:n:n], data[n:]
		}
	}
	return nil
}

// sourceRange returns the range of the source for a range of the codestream, clipped to the
// codestream.
func (s *Codestream) sourceRange(r packets.Range) source.Range {
	offset := min(max(r.Offset, 0), s.extent.Length)
	return source.Range{Offset: s.extent.Offset + offset, Length: min(max(r.Length, 0), s.extent.Length-offset)}
}

// reportLost reports the damaged code-blocks of a batch. The order is that of the batch, so the
// first one does not depend on which worker is faster.
func (s *Codestream) reportLost(keys []blockKey, made []coefficients) {
	for i := range made {
		if err := made[i].lost; err != nil {
			s.shared.damaged.Add(1)
			s.damage.report("code-block", "%v: %v", keys[i], err)
		}
	}
}

// String describes the position of the code-block for the operator.
func (key blockKey) String() string {
	return fmt.Sprintf("code-block %d of band %d, resolution %d, component %d, tile %d", key.index, key.band, key.resolution, key.component, key.tile)
}
