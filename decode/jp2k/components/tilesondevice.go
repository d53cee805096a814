package components

import (
	"context"
	"slices"

	"tileserver/decode/jp2k/kernel"
	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
)

// computeOnDevice has a device compute tiles of the request from code-blocks to samples. What it leaves is
// read as if there were no device.
func (r *Request) computeOnDevice(ctx context.Context) error {
	if !r.stream.config.Pool.HasDevice(ctx) {
		return nil
	}
	work, err := r.tilesForDevice(ctx)
	if err != nil || len(work.jobs) == 0 {
		return err
	}
	if err := r.stream.config.Pool.RunOnDevice(ctx, work); err != nil {
		return err
	}
	r.leaveOut(work)
	return nil
}

// leaveOut removes the tile windows that a device has computed, and the keys of their code-blocks.
func (r *Request) leaveOut(work *tilesOnDevice) {
	isDone := make(map[*tileWindow]bool)
	for _, t := range work.tiles {
		if !t.isRead {
			continue
		}
		r.stream.shared.decoded.Add(int64(len(t.blocks)))
		for _, w := range t.windows {
			w.reportSound()
			isDone[w] = true
		}
	}
	r.tileWindows = slices.DeleteFunc(r.tileWindows, func(w *tileWindow) bool { return isDone[w] })
	r.resetGroups()
	for _, w := range r.tileWindows {
		r.addBlocks(w)
	}
}

// tilesOnDevice is the tiles of a request that a device can compute. It is work for the pool.
type tilesOnDevice struct {
	request *Request
	tiles   []*deviceTile
	jobs    []gpu.Job
}

// deviceTile is what a request needs of a tile, in the form of the device.
type deviceTile struct {
	windows []*tileWindow
	coded   kernel.Tile
	isRead  bool // whether its samples are in their targets

	keys    []blockKey
	blocks  []codeBlock
	indexes map[blockKey]int // of both
}

// tilesForDevice returns the tiles that a device can compute, with the bytes of their code-blocks.
func (r *Request) tilesForDevice(ctx context.Context) (*tilesOnDevice, error) {
	var tiles []*deviceTile
	var blocks []codeBlock
	for _, t := range r.byTile() {
		if r.describe(t) && r.pays(t) {
			tiles, blocks = append(tiles, t), append(blocks, t.blocks...)
		}
	}
	if err := r.stream.read(ctx, blocks); err != nil {
		return nil, err
	}
	work := &tilesOnDevice{request: r}
	for _, t := range tiles {
		n := copy(t.blocks, blocks)
		blocks = blocks[n:]
		r.keepBytes(t)
		if job, err := t.job(); err == nil { // else workers say what is wrong
			work.tiles, work.jobs = append(work.tiles, t), append(work.jobs, job)
		}
	}
	return work, nil
}

// byTile groups the tile windows of sound tiles.
func (r *Request) byTile() (tiles []*deviceTile) {
	known := make(map[*tile]*deviceTile)
	for _, w := range r.tileWindows {
		if w.tile.damage != nil || r.blocks[w.tile.Number].Damage() != nil {
			continue
		}
		t := known[w.tile]
		if t == nil {
			t = &deviceTile{indexes: make(map[blockKey]int)}
			known[w.tile], tiles = t, append(tiles, t)
		}
		t.windows = append(t.windows, w)
	}
	return tiles
}

// describe describes a tile to the device. It returns false if a device does not compute tiles of its kind.
func (r *Request) describe(t *deviceTile) bool {
	t.coded.IsReversible = t.windows[0].components[0].coding.Reversible
	for _, w := range t.windows {
		described := make(kernel.Window, len(w.components))
		for i := range w.components {
			c := &w.components[i]
			if c.halvings > 0 || c.isLong() || c.coding.Reversible != t.coded.IsReversible || !t.addComponent(r, c, &described[i]) {
				return false
			}
		}
		t.coded.Windows = append(t.coded.Windows, described)
	}
	return true
}

// addComponent describes a component of a window.
func (t *deviceTile) addComponent(r *Request, c *componentWindow, to *kernel.Component) bool {
	header := r.stream.header.Components[c.component]
	to.Depth = samples.Depth{Bits: header.Bits, Signed: header.Signed}
	to.Levels = make([]kernel.Level, len(c.resolutions)-1)
	if !t.addBand(r, &c.resolutions[0].bands[0], r.blockKey(t.windows[0].tile, c.component, 0, 0), &to.Coarsest) {
		return false
	}
	for i := range to.Levels {
		resolution, level := &c.resolutions[i+1], &to.Levels[i]
		level.Whole, level.Window = c.coding.Resolutions[i+1].Rect, resolution.window
		for b := range resolution.bands {
			band := &resolution.bands[b]
			if band.Orientation == wavelet.LL || !t.addBand(r, band, r.blockKey(t.windows[0].tile, c.component, i+1, b), &level.Bands[band.Orientation-1]) {
				return false
			}
		}
	}
	return true
}

// addBand describes the window of a band. key is that of its first code-block.
func (t *deviceTile) addBand(r *Request, b *bandWindow, key blockKey, to *kernel.Band) bool {
	to.Window, to.Step = b.window, b.Step/2
	columns := b.grid.Width()
	for i, member := range b.blocks {
		if member == noBlock {
			continue
		}
		column, row := b.grid.X0+i%columns, b.grid.Y0+i/columns
		key.index = uint32(row*b.BlockColumns() + column)
		index, isKind := t.block(r, key)
		if !isKind {
			return false
		}
		to.Places = append(to.Places, kernel.Place{Block: index, Rect: b.Block(column, row)})
	}
	return true
}

// block returns the index of a code-block, which windows share. isKind is false if it is not of the arithmetic
// coder, or of a region of interest.
func (t *deviceTile) block(r *Request, key blockKey) (index int, isKind bool) {
	if index, isThere := t.indexes[key]; isThere {
		return index, true
	}
	var block codeBlock
	number := int(key.tile)
	if !key.find(r.tiles[number], r.blocks[number], &block) || !block.isArithmetic32() || block.shift != 0 {
		return 0, false
	}
	block.data = r.known(&key, block.Chunks)
	index = len(t.blocks)
	t.indexes[key] = index
	t.keys, t.blocks = append(t.keys, key), append(t.blocks, block)
	return index, true
}

// pays reports whether the device would decode little but what is wanted now. A tile that is read in parts
// has code-blocks that several parts need, which are better kept in the cache, or are there already.
func (r *Request) pays(t *deviceTile) bool {
	all, cached, wanted := 0, 0, 0
	for i := range t.blocks {
		n := t.blocks[i].width * t.blocks[i].height
		all += n
		if r.stream.shared.blocks.Contains(r.groupOf(t.keys[i])) {
			cached += n
		}
	}
	for _, w := range t.windows {
		wanted += len(w.components) * area(w.window)
	}
	return len(t.blocks) > 0 && wanted >= minDeviceSamples && (all-min(all-cached, wanted))*mostInVain <= all
}

const (
	// minDeviceSamples is the least of a tile that a device computes. To describe a tile takes a few kilobytes,
	// for which there is the memory that is reserved for its coefficients.
	minDeviceSamples = 1 << 12

	// mostInVain is the part of the coefficients that may be decoded in vain: one in so many.
	mostInVain = 5
)

// keepBytes keeps the bytes of a tile's code-blocks, in case that workers decode them after all.
func (r *Request) keepBytes(t *deviceTile) {
	if r.data == nil {
		r.data = make(map[blockKey][][]byte)
	}
	for i := range t.blocks {
		r.data[t.keys[i]] = t.blocks[i].data
	}
}

// job returns the job for a tile whose bytes are read.
func (t *deviceTile) job() (gpu.Job, error) {
	for i := range t.blocks {
		b := &t.blocks[i]
		t.coded.Blocks = append(t.coded.Blocks, b.joinedCoding())
	}
	return kernel.JobOf(&t.coded)
}

func (w *tilesOnDevice) Kernel() *gpu.Kernel { return kernel.Tiles }

func (w *tilesOnDevice) Jobs() []gpu.Job { return w.jobs }

func (w *tilesOnDevice) Write(job int, input []byte) { kernel.Write(&w.tiles[job].coded, input) }

// Read stores the samples of a tile. A damaged one is left to the workers, which know what of it is sound.
func (w *tilesOnDevice) Read(job int, status uint32, output []byte) error {
	t := w.tiles[job]
	made, err := kernel.Read(&t.coded, status, output)
	if err != nil {
		return err
	}
	for i, window := range t.windows {
		for c := range window.components {
			for _, target := range window.components[c].targets {
				storePacked(target, made[i][c], window.window, t.coded.Windows[i][c].Depth)
			}
		}
	}
	t.isRead = true
	return nil
}
