package pyramid

import (
	"context"
	"time"

	"tileserver/admission"
	"tileserver/internal/threadtime"
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// Cost is the cost of a Read.
type Cost struct {
	Read, Sample time.Duration // time spent waiting for blocks, and time that resampling computed
	Blocks       int
}

// Read executes a plan: it reads the blocks and resamples them to the view. Coverage is 0 where the
// view shows nothing of the image. The tile lies in memory of at least BytesOf the plan.
func (p *Pyramid) Read(ctx context.Context, plan *Plan, memory *raster.Memory) (raster.Tile, Cost, error) {
	r := reader{pyramid: p, plan: plan, level: p.info.Levels[plan.Level]}
	rect := plan.View.Rect
	r.target = raster.NewCoveredBufferIn(memory, p.info.Type, rect.Width(), rect.Height(), plan.targetBands())
	for i := range plan.Parts {
		if err := r.readPart(ctx, &plan.Parts[i]); err != nil {
			return raster.Tile{}, Cost{}, err
		}
	}
	return r.target.Freeze(), r.cost, nil
}

// BytesOf returns the size of the memory that Read needs for the tile of a plan.
func (p *Pyramid) BytesOf(plan *Plan) int64 {
	rect := plan.View.Rect
	return raster.CoveredBytes(p.info.Type, rect.Width(), rect.Height(), plan.targetBands())
}

// targetBands returns the number of bands of the tile. Opacity becomes coverage.
func (p *Plan) targetBands() int {
	if p.View.Alpha >= 0 {
		return len(p.Bands) - 1
	}
	return len(p.Bands)
}

// reader is the state of one Read.
type reader struct {
	pyramid *Pyramid
	plan    *Plan
	level   raster.Level
	target  *raster.Buffer
	cost    Cost
}

// readPart reads the blocks of a part and resamples them to the target.
func (r *reader) readPart(ctx context.Context, part *Part) error {
	start := time.Now()
	sources, err := r.fetch(ctx, part)
	if err != nil {
		return err
	}
	r.cost.Read += time.Since(start)
	r.cost.Blocks += len(sources)
	arrived := threadtime.Now()
	defer func() { r.cost.Sample += arrived.Until(threadtime.Now()) }()
	w := r.gather(part, sources)
	if w.pooled != nil {
		defer r.pyramid.windows.Put(w.pooled)
	}
	r.target.InheritDamage(w.tile)
	w.tile = resample.ShareValidity(w.tile)
	if r.plan.View.Alpha >= 0 {
		w.tile = resample.FoldAlpha(w.tile, r.pyramid.info.Premultiplied)
	}
	return r.resample(ctx, part, w)
}

// window holds the pixels that a part needs, including those that kernels reach.
type window struct {
	rect   raster.Rect // in the level; may extend beyond its edges
	tile   raster.Tile
	pooled *raster.Memory // pooled memory of tile; nil for a block
}

// placedTile is a tile and its rectangle in the level.
type placedTile struct {
	rect raster.Rect
	tile raster.Tile
}

// fetch reads what lies under the window of a part: exactly that if the provider has windows, or
// else the blocks that touch it.
func (r *reader) fetch(ctx context.Context, part *Part) ([]placedTile, error) {
	if rect := part.Window.Intersect(r.level.Bounds()); raster.HasWindows(r.pyramid.provider, r.plan.Level) && !rect.Empty() {
		tile, err := raster.ReadWindow(ctx, r.pyramid.provider, r.plan.Level, rect, r.plan.Bands)
		return []placedTile{{rect, tile}}, err
	}
	tiles, err := r.pyramid.provider.Blocks(ctx, r.plan.Level, part.Blocks, r.plan.Bands)
	if err != nil {
		return nil, err
	}
	blocks := make([]placedTile, len(tiles))
	for i, tile := range tiles {
		blocks[i] = placedTile{r.level.Block(part.Blocks[i]), tile}
	}
	return blocks, nil
}

// gather stitches sources into one window. It copies nothing if one source contains the whole
// window.
func (r *reader) gather(part *Part, sources []placedTile) window {
	info, level, bands := r.pyramid.info, r.level, len(r.plan.Bands)
	if len(sources) == 1 {
		if only := sources[0]; only.rect.Intersect(part.Window) == part.Window {
			return window{rect: only.rect, tile: only.tile}
		}
	}
	pooled := r.pyramid.windows.Get(raster.BufferBytes(info.Type, part.Window.Width(), part.Window.Height(), bands))
	c := raster.NewStitcherIn(pooled, info.Type, part.Window, bands)
	for _, s := range sources {
		c.Put(s.tile, s.rect)
	}
	c.Replicate(part.Window.Intersect(level.Bounds()))
	return window{part.Window, c.Freeze(), pooled}
}

// rowsBetweenChecks is the number of rows of a cell between two checks of the context.
const rowsBetweenChecks = 32

// resample fills a part of the view from its window.
func (r *reader) resample(ctx context.Context, part *Part, w window) error {
	filters := filters{method: r.pyramid.resampling(r.plan.View), window: w.tile, target: r.target}
	g := r.geometry(w)
	view := r.plan.View.Rect
	for i := range part.cells {
		k := &part.cells[i]
		x, y := part.kernels(filters.method, k)
		g.nearest = x.IsNearest()
		f := filters.of(x, y)
		for y := k.rect.Y0; y < k.rect.Y1; y++ {
			if (y-k.rect.Y0)%rowsBetweenChecks == 0 {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				admission.GiveWay(ctx)
			}
			if !g.place(k, y) {
				continue
			}
			to := (y-view.Y0)*view.Width() + k.rect.X0 - view.X0
			f.Resample(&g.Row, to)
		}
	}
	return nil
}

// filters holds the filters of a part, one for each pair of kernels. Most parts need one.
type filters struct {
	method resample.Method
	window raster.Tile
	target *raster.Buffer
	made   []*resample.Filter
}

// of returns the filter with a pair of kernels, which it creates if necessary.
func (f *filters) of(x, y resample.Kernel) *resample.Filter {
	for _, filter := range f.made {
		if filter.Has(x, y) {
			return filter
		}
	}
	filter := resample.NewFilter(f.window, f.target, x, y)
	f.made = append(f.made, filter)
	return filter
}
