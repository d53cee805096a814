package jp2k

import (
	"context"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
)

// componentRequest is a request for samples of one component at a reduction, and their targets.
type componentRequest struct {
	component, reduction int
	rect                 wavelet.Rect
	targets              []target
}

// request is a set of samples that are read and decoded together. Each code-block is decoded once.
type request struct {
	file              *File
	componentRequests []componentRequest
	outputs           []*output // of the targets

	unfinished indirectJob // computed from samples at the end

	tiles       map[int]*tile
	blocks      map[int]packets.Blocks // by tile
	tileWindows []*tileWindow
	joint       map[jointKey]*tileWindow // the tile windows of several components
	holes       []hole

	missingTiles []missingTile // tiles, with what needed them

	keys   []blockKey
	bytes  int64          // memory for everything, including the outputs
	values []coefficients // of keys
}

// plan determines the code-blocks and the memory that the request needs. It reads only those
// headers of tiles and packets that are not cached.
func (r *request) plan(ctx context.Context, tiles []int) (err error) {
	if r.tiles, err = r.file.tiles(ctx, tiles); err != nil {
		return err
	}
	for _, t := range r.tiles {
		r.bytes += t.headerBytes()
	}
	for i := range r.componentRequests {
		r.split(&r.componentRequests[i])
	}
	if err := r.locateBlocks(ctx); err != nil {
		return err
	}
	for _, w := range r.tileWindows {
		r.addBlocks(w)
		r.addHoles(w, r.blocks[w.tile.Number])
	}
	r.bytes += r.scratchBytes()
	return nil
}

// numbers returns the numbers of the tiles that the request needs.
func (r *request) numbers() (numbers []int) {
	for i := range r.componentRequests {
		numbers = r.componentRequests[i].tiles(r.file.header, numbers)
	}
	return sortedNumbers(numbers)
}

// tiles appends the numbers of the tiles that hold the samples. A sample belongs to the tile of its
// position on the reference grid.
func (w *componentRequest) tiles(h *codestream.Header, numbers []int) []int {
	if w.rect.Empty() {
		return numbers
	}
	c, columns := h.Components[w.component], h.TileColumns()
	width, height := h.FirstTile.Width(), h.FirstTile.Height()
	column := func(x int) int { return (x*c.DX<<w.reduction - h.FirstTile.X0) / width }
	row := func(y int) int { return (y*c.DY<<w.reduction - h.FirstTile.Y0) / height }
	for y := row(w.rect.Y0); y <= row(w.rect.Y1-1); y++ {
		for x := column(w.rect.X0); x <= column(w.rect.X1-1); x++ {
			numbers = append(numbers, y*columns+x)
		}
	}
	return numbers
}

// split adds a tile window for each tile of a component request. Components that were transformed
// together share one.
func (r *request) split(w *componentRequest) {
	for _, number := range w.tiles(r.file.header, nil) {
		t := r.tiles[number]
		window := w.inTile(r.file.header, number)
		switch {
		case window.Empty():
		case t.isMissing():
			r.file.damage.report("tile missing", "nothing of tile %d is stored", number)
			r.holes = append(r.holes, hole{w.targets, window})
			r.missingTiles = append(r.missingTiles, missingTile{hole{w.targets, window}, t.loss(number)})
		case t.transforms(w.component):
			p := r.jointWindow(t, jointKey{number, w.reduction, window})
			p.components[w.component].targets = append(p.components[w.component].targets, w.targets...)
		default:
			p := newComponentWindow(t, w.component, w.reduction, window)
			p.targets = w.targets
			r.tileWindows = append(r.tileWindows, &tileWindow{tile: t, window: window, components: []componentWindow{p}})
		}
	}
}

// inTile returns the requested samples of a tile.
func (w *componentRequest) inTile(h *codestream.Header, tile int) wavelet.Rect {
	t, c := h.TileRect(tile), h.Components[w.component]
	dx, dy := c.DX<<w.reduction, c.DY<<w.reduction
	return w.rect.Intersect(wavelet.Rect{
		X0: ceilDivide(t.X0, dx), Y0: ceilDivide(t.Y0, dy), X1: ceilDivide(t.X1, dx), Y1: ceilDivide(t.Y1, dy),
	})
}

// jointKey identifies a tile window of three components that were transformed together.
type jointKey struct {
	tile, reduction int
	window          wavelet.Rect
}

// jointWindow returns the tile window of a key, which it creates for the first component.
func (r *request) jointWindow(t *tile, key jointKey) *tileWindow {
	p := r.joint[key]
	if p != nil {
		return p
	}
	p = &tileWindow{tile: t, window: key.window, transformed: true}
	for component := range 3 {
		p.components = append(p.components, newComponentWindow(t, component, key.reduction, key.window))
	}
	if r.joint == nil {
		r.joint = make(map[jointKey]*tileWindow)
	}
	r.joint[key] = p
	r.tileWindows = append(r.tileWindows, p)
	return p
}

// scratchBytes returns the memory for the tile windows that are assembled at a time.
func (r *request) scratchBytes() (bytes int64) {
	for _, w := range r.tileWindows {
		bytes = max(bytes, w.scratchBytes())
	}
	return bytes * int64(min(len(r.tileWindows), r.file.config.Pool.Stats().Workers))
}

// run executes the plan: it reserves all memory before it allocates, reads with one call, and
// decodes with a few jobs.
func (r *request) run(ctx context.Context) error {
	release, err := r.file.config.Pool.Reserve(ctx, r.bytes)
	if err != nil {
		return err
	}
	defer release()
	for _, o := range r.outputs {
		o.allocate()
	}
	for _, h := range r.holes {
		for _, t := range h.targets {
			t.setNodata(h.rect)
		}
	}
	if err := r.fetch(ctx); err != nil {
		return err
	}
	r.reportLosses()
	if err := r.file.config.Pool.Run(ctx, &assembleJob{r, &r.file.shared.windowWorkspaces}); err != nil {
		return err
	}
	return r.file.config.Pool.Run(ctx, r.unfinished)
}
