package jp2k

import (
	"context"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// want is samples of one component at a reduction, and where they are to go.
type want struct {
	component, reduction int
	rect                 codestream.Rect
	targets              []target
}

// request is samples that are read and decoded together: each code-block once, whatever
// it is wanted for.
type request struct {
	file    *File
	wants   []want
	outlets []*outlet // of the targets

	unfinished finishing // what is made of samples when these are there

	tiles  map[int]*tile
	blocks map[int]packets.Blocks // of tiles
	pieces []*piece
	joint  map[jointKey]*piece // of pieces, those of several components
	holes  []hole

	missing []missing // tiles, by what is wanted of them

	keys   []blockKey
	bytes  int64          // that all takes together, also what goes to the outlets
	values []coefficients // of keys
}

// plan works out which code-blocks of tiles are needed, and what all takes. It reads what is
// missing of the headers of these tiles and of packets, and no more.
func (r *request) plan(ctx context.Context, tiles []int) (err error) {
	if r.tiles, err = r.file.tiles(ctx, tiles); err != nil {
		return err
	}
	for _, t := range r.tiles {
		r.bytes += t.headerBytes()
	}
	for i := range r.wants {
		r.cut(&r.wants[i])
	}
	if err := r.locate(ctx); err != nil {
		return err
	}
	for _, p := range r.pieces {
		r.need(p)
		r.lose(p, r.blocks[p.tile.Number])
	}
	r.bytes += r.scratchBytes()
	return nil
}

// numbers are those of the tiles that hold what is wanted.
func (r *request) numbers() (numbers []int) {
	for i := range r.wants {
		numbers = r.wants[i].tiles(r.file.header, numbers)
	}
	return sortedNumbers(numbers)
}

// tiles appends the numbers of those that hold what is wanted. A sample is in the tile that
// its place on the reference grid is in.
func (w *want) tiles(h *codestream.Header, numbers []int) []int {
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

// cut makes pieces of what is wanted, one in each tile. Components that were transformed
// together share theirs.
func (r *request) cut(w *want) {
	for _, number := range w.tiles(r.file.header, nil) {
		t := r.tiles[number]
		window := w.within(r.file.header, number)
		switch {
		case window.Empty():
		case t.missing():
			r.file.damage.tell("tile missing", "nothing of tile %d is stored", number)
			r.holes = append(r.holes, hole{w.targets, window})
			r.missing = append(r.missing, missing{hole{w.targets, window}, t.lost(number)})
		case t.transforms(w.component):
			p := r.together(t, jointKey{number, w.reduction, window})
			p.parts[w.component].targets = append(p.parts[w.component].targets, w.targets...)
		default:
			p := newPart(t, w.component, w.reduction, window)
			p.targets = w.targets
			r.pieces = append(r.pieces, &piece{tile: t, window: window, parts: []part{p}})
		}
	}
}

// within is what is wanted of a tile.
func (w *want) within(h *codestream.Header, tile int) codestream.Rect {
	t, c := h.TileRect(tile), h.Components[w.component]
	dx, dy := c.DX<<w.reduction, c.DY<<w.reduction
	return w.rect.Intersect(codestream.Rect{
		X0: ceilDivide(t.X0, dx), Y0: ceilDivide(t.Y0, dy), X1: ceilDivide(t.X1, dx), Y1: ceilDivide(t.Y1, dy),
	})
}

// jointKey names a piece of the three components of a tile that were transformed together.
type jointKey struct {
	tile, reduction int
	window          codestream.Rect
}

// together is such a piece, which is made for the first that wants it.
func (r *request) together(t *tile, key jointKey) *piece {
	p := r.joint[key]
	if p != nil {
		return p
	}
	p = &piece{tile: t, window: key.window, transformed: true}
	for component := range 3 {
		p.parts = append(p.parts, newPart(t, component, key.reduction, key.window))
	}
	if r.joint == nil {
		r.joint = make(map[jointKey]*piece)
	}
	r.joint[key] = p
	r.pieces = append(r.pieces, p)
	return p
}

// scratchBytes is what the pieces that are made at a time take.
func (r *request) scratchBytes() (bytes int64) {
	for _, p := range r.pieces {
		bytes = max(bytes, p.scratchBytes())
	}
	return bytes * int64(min(len(r.pieces), r.file.config.Pool.Stats().Workers))
}

// run gets all that was planned to where it is to go: everything is reserved before it is
// allocated, read by one call, and decoded by a few more.
func (r *request) run(ctx context.Context) error {
	release, err := r.file.config.Pool.Reserve(ctx, r.bytes)
	if err != nil {
		return err
	}
	defer release()
	for _, o := range r.outlets {
		o.make()
	}
	for _, h := range r.holes {
		for _, t := range h.targets {
			t.leaveOut(h.rect)
		}
	}
	if err := r.fetch(ctx); err != nil {
		return err
	}
	r.noteLosses()
	if err := r.file.config.Pool.Run(ctx, &assembly{r, &r.file.shared.pieceBenches}); err != nil {
		return err
	}
	return r.file.config.Pool.Run(ctx, r.unfinished)
}
