package components

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"unique"

	"tileserver/decode/jp2k/packets"
	"tileserver/decode/pool"
)

// blockKey identifies a code-block of a file, decoded with the given layers.
type blockKey struct {
	file             unique.Handle[string] // the key of the codestream; short, as maps of the cache compare it often
	tile, index      uint32
	component        uint16
	layers           uint16 // 0 means all
	resolution, band uint8
}

// blockKey returns the key of the first code-block of a band.
func (r *Request) blockKey(t *tile, component, resolution, band int) blockKey {
	return blockKey{
		file: unique.Make(r.stream.config.Key), tile: uint32(t.Number), layers: uint16(r.stream.config.Layers),
		component: uint16(component), resolution: uint8(resolution), band: uint8(band),
	}
}

// addBlocks adds the code-blocks of a tile window to the request.
func (r *Request) addBlocks(p *tileWindow) {
	for i := range p.components {
		for resolution := range p.components[i].resolutions {
			bands := p.components[i].resolutions[resolution].bands
			for b := range bands {
				r.addBandBlocks(&bands[b], r.blockKey(p.tile, p.components[i].component, resolution, b))
			}
		}
	}
}

// addBandBlocks adds the code-blocks of a band, group by group. key is that of the first.
func (r *Request) addBandBlocks(w *bandWindow, key blockKey) {
	if w.blocks = slices.Repeat([]member{noBlock}, area(w.grid)); len(w.blocks) == 0 {
		return
	}
	group, block := groupKey(key), new(codeBlock)
	grid := r.gridOf(group)
	columns := uint32(grid.columns())
	first, last := grid.index(w.grid.X0, w.grid.Y0), grid.index(w.grid.X1-1, w.grid.Y1-1)
	for row := first / columns; row <= last/columns; row++ {
		for column := first % columns; column <= last%columns; column++ {
			group.index = row*columns + column
			r.addGroup(w, &grid, group, block)
		}
	}
}

// addGroup adds the code-blocks of a group that a window needs, and the group if there are any. block is
// memory for one.
func (r *Request) addGroup(w *bandWindow, grid *groupGrid, group groupKey, block *codeBlock) {
	bytes, coded, isNeeded := int64(0), 0, false
	groups, isOwn := &r.shared, r.InBulk && w.isOwn(grid, group)
	if isOwn {
		groups = &r.own
	}
	index := groups.index(group)
	for c := r.codedIn(grid, group); c.next(block); {
		bytes, coded = bytes+block.bytes(), coded+1
		if c.column < w.grid.X0 || c.column >= w.grid.X1 || c.row < w.grid.Y0 || c.row >= w.grid.Y1 {
			continue
		}
		w.blocks[(c.row-w.grid.Y0)*w.grid.Width()+c.column-w.grid.X0] = member{index, grid.position(c.column, c.row), isOwn}
		isNeeded = true
	}
	if isNeeded {
		groups.add(group, index)
		r.coded += coded
		r.bytes += bytes + groupBytes(grid.size())
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

// fetch gets the coefficients of all groups. Those that are not cached are read with one call. Groups of the
// request's own are decoded apart, so that what others cost is known.
func (r *Request) fetch(ctx context.Context) (err error) {
	missing, indexes := r.ownMissing()
	own := r.contentOf(missing)
	r.shared.values, err = r.stream.shared.blocks.Fetch(ctx, r.shared.keys, func(ctx context.Context, missing []groupKey) ([]coefficients, error) {
		l := r.contentOf(missing)
		if err := r.stream.read(ctx, l.blocks, own.blocks); err != nil {
			return nil, err
		}
		return r.decode(ctx, missing, l)
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	if err := r.stream.read(ctx, own.blocks); err != nil { // if it was not read with others
		return err
	}
	made, err := r.decode(ctx, missing, own)
	for i := range made {
		r.own.values[indexes[i]] = made[i]
	}
	return err
}

// value returns the coefficients of a code-block.
func (r *Request) value(of member) *coefficients {
	if of.isOwn {
		return r.own.values[of.group].at(of.position)
	}
	return r.shared.values[of.group].at(of.position)
}

// decode decodes the code-blocks of groups with one job.
func (r *Request) decode(ctx context.Context, groups []groupKey, l *loading) ([]coefficients, error) {
	d := newDecodeJob(l.blocks, &r.stream.shared.blockWorkspaces)
	if err := r.stream.config.Pool.Run(ctx, d); err != nil {
		if failed := new(pool.TaskError); errors.As(err, &failed) {
			failed.Index, failed.Count = d.blocksOf(failed.Index)[0], len(l.blocks)
		}
		return nil, err
	}
	r.stream.shared.decoded.Add(int64(len(l.blocks)))
	for i, m := range l.members { // in order, so the first one does not depend on which worker is faster
		if err := d.made[i].lost; err != nil {
			grid := r.gridOf(groups[m.group])
			r.stream.reportLost(grid.block(groups[m.group], m.position), err)
		}
	}
	return l.join(d.made), nil
}

// loading is the code-blocks of groups that are loaded.
type loading struct {
	groups  []coefficients
	blocks  []codeBlock
	members []member // of groups: each of blocks
}

// contentOf returns the code-blocks of groups, with their bytes if these are read already.
func (r *Request) contentOf(keys []groupKey) *loading {
	l := &loading{groups: make([]coefficients, len(keys))}
	var block codeBlock
	for i, key := range keys {
		grid := r.gridOf(key)
		if i == 0 {
			most := min(len(keys)*grid.size(), r.coded)
			l.blocks, l.members = make([]codeBlock, 0, most), make([]member, 0, most)
		}
		l.groups[i] = newGroup(grid.size())
		for c := r.codedIn(&grid, key); c.next(&block); {
			if len(r.data) > 0 {
				block.data = r.data[c.key]
			}
			if block.data == nil {
				block.data = r.known(&c.key, block.Chunks)
			}
			l.blocks, l.members = append(l.blocks, block), append(l.members, member{group: int32(i), position: grid.position(c.column, c.row)})
			block = codeBlock{} // its memory is that of the one in the list
		}
	}
	return l
}

// join returns the groups with what was made of their code-blocks.
func (l *loading) join(made []coefficients) []coefficients {
	for i, m := range l.members {
		group := &l.groups[m.group]
		*group.at(m.position) = made[i]
		group.lost = cmp.Or(group.lost, made[i].lost)
	}
	return l.groups
}

// reportLost reports a damaged code-block.
func (s *Codestream) reportLost(key blockKey, err error) {
	s.shared.damaged.Add(1)
	s.damage.report("code-block", "%v: %v", key, err)
}

// String describes the position of the code-block for the operator.
func (key blockKey) String() string {
	return fmt.Sprintf("code-block %d of band %d, resolution %d, component %d, tile %d", key.index, key.band, key.resolution, key.component, key.tile)
}
