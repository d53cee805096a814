package layer

import (
	"context"
	"errors"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/display"
	"tileserver/display/picture"
	"tileserver/gpu/gather"
	"tileserver/internal/threadtime"
	"tileserver/layer/analysis"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/raster"
)

// renderWithOverviews renders the picture. If overviews are missing, it waits until they are built
// and tries again. It holds no slot and no memory of the gate while it waits.
func (c *Composition) renderWithOverviews(ctx context.Context) (encodedPicture, error) {
	for built := make(map[string]bool); ; { // each part may need a build
		result, err := c.planAndRender(ctx)
		var missing *overview.TooExpensiveError
		var failed *partError
		if !errors.As(err, &missing) || !errors.As(err, &failed) {
			return result, err
		}
		target := c.catalog.buildTarget(failed.part, missing)
		id := target.ID()
		if built[id] { // built before, but not cached
			return encodedPicture{}, &Error{Code: TooLarge, Message: "the server has too little memory for the overviews of this layer", Err: err}
		}
		began := time.Now()
		if built[id], err = c.catalog.overviews.Await(ctx, target); err != nil {
			return encodedPicture{}, failed.part.fail(err)
		}
		cache.Waited(ctx, time.Since(began))
	}
}

// renderOfBuilt renders the picture if its overviews are built.
func (c *Composition) renderOfBuilt(ctx context.Context) (encodedPicture, error) {
	result, err := c.planAndRender(ctx)
	var missing *overview.TooExpensiveError
	if errors.As(err, &missing) {
		err = &Error{Code: Busy, Message: ErrOverviewsMissing.Error(), Err: ErrOverviewsMissing}
	}
	return result, err
}

// A drawing is a part that has pixels to draw.
type drawing struct {
	*part
	plan  pyramid.Plan
	chain *display.Chain // nil until it is cached, and for samples
}

// planAndRender plans all parts, and renders those with pixels in one slot of the gate. If statistics
// are missing, it releases the slot while it waits for them, so that pictures of other layers
// continue. Empty and stored pictures need no statistics.
func (c *Composition) planAndRender(ctx context.Context) (result encodedPicture, err error) {
	drawings, err := c.plan(ctx)
	if err != nil {
		return encodedPicture{}, err
	}
	if len(drawings) == 0 && (c.stack == nil || c.stack.Backdrop.A == 0) {
		return encodedPicture{isEmpty: true}, nil
	}
	isDone := false
	err = c.catalog.config.Gate.Run(ctx, c.admissionOf(drawings), func(ctx context.Context) error {
		if result, err = c.stored(ctx, drawings); err != nil || result.isStored {
			isDone = true
			return err
		}
		if isDone = c.findChains(drawings); isDone {
			result, err = c.render(ctx, drawings)
		}
		return err
	})
	if err != nil || isDone {
		return result, err
	}
	began := time.Now()
	if err := c.fetchChains(ctx, drawings); err != nil {
		return encodedPicture{}, err
	}
	cache.Waited(ctx, time.Since(began)) // statistics stay when the picture is evicted
	err = c.catalog.config.Gate.Run(ctx, c.admissionOf(drawings), func(ctx context.Context) error {
		result, err = c.render(ctx, drawings)
		return err
	})
	return result, err
}

// plan returns the parts with pixels to draw. Pictures whose colors encode numbers, and files of
// samples, are drawn without pixels, too.
func (c *Composition) plan(ctx context.Context) ([]drawing, error) {
	drawings := make([]drawing, 0, len(c.parts))
	for i := range c.parts {
		p := &c.parts[i]
		plan, err := p.plan(ctx)
		if err != nil {
			return nil, p.fail(err)
		}
		if len(plan.Parts) > 0 || p.resolved.HoldsNumbers() || c.output.format.IsData() {
			drawings = append(drawings, drawing{part: p, plan: plan})
		}
	}
	return drawings, nil
}

func (p *part) plan(ctx context.Context) (pyramid.Plan, error) {
	defer addSince(&timingOf(ctx).Plan, time.Now())
	return p.providers.Pyramid.Plan(ctx, p.grownView())
}

// stored returns the picture if the file has it.
func (c *Composition) stored(ctx context.Context, drawings []drawing) (encodedPicture, error) {
	if c.stack != nil {
		return encodedPicture{}, nil
	}
	only := &drawings[0]
	stored, err := only.storedPicture(ctx, &only.plan)
	return stored, only.fail(err)
}

// findChains reports whether all chains are cached, and sets them.
func (c *Composition) findChains(drawings []drawing) bool {
	isReady := true
	for i := range drawings {
		d := &drawings[i]
		if d.request.Format.IsData() {
			continue // samples need no chain
		}
		var isCached bool
		d.chain, isCached = c.catalog.analysis.CachedChain(d.providers.StoredLevels, d.resolved, d.statisticsPixels())
		isReady = isReady && isCached
	}
	return isReady
}

// fetchChains waits for the missing chains.
func (c *Composition) fetchChains(ctx context.Context, drawings []drawing) (err error) {
	for i := range drawings {
		d := &drawings[i]
		if d.chain != nil {
			continue
		}
		if d.chain, err = c.catalog.analysis.Chain(ctx, d.providers.StoredLevels, d.resolved, d.statisticsPixels(), d.statisticsTask); err != nil {
			return d.fail(err)
		}
	}
	return nil
}

// AwaitStatistics waits for the statistics that the picture needs, so that a caller takes memory for
// the picture only when it can be rendered.
func (c *Composition) AwaitStatistics(ctx context.Context) error {
	drawings, err := c.plan(ctx)
	if err != nil || c.findChains(drawings) {
		return nil // Picture returns the same error
	}
	err = c.fetchChains(admission.KeepDeadline(ctx), drawings)
	if err == nil || errors.Is(err, raster.ErrChanged) {
		return nil // Picture uses the next version
	}
	return Classify(err)
}

func (p *part) statisticsTask(measured raster.Provider) analysis.Task {
	return p.layer.statisticsTask(p.version, measured)
}

// render draws the parts and encodes the picture.
func (c *Composition) render(ctx context.Context, drawings []drawing) (result encodedPicture, err error) {
	ctx, trace := gather.Traced(ctx)
	defer func() { result.decoding = trace.Offers() }()
	if c.output.format.IsData() {
		return c.encodeSamples(ctx, &drawings[0])
	}
	drawn, damage, err := c.draw(ctx, drawings)
	if err != nil {
		return encodedPicture{}, err
	}
	defer drawn.Release()
	result, err = c.catalog.encode(ctx, &c.output, drawn)
	result.damage = damage
	return result, err
}

// draw returns the pixels of the picture and their damage. The caller must release the picture.
func (c *Composition) draw(ctx context.Context, drawings []drawing) (*picture.Picture, raster.Damage, error) {
	if c.stack == nil {
		drawn, damage, err := drawings[0].draw(ctx, &c.catalog.pixels)
		return drawn, damage, drawings[0].fail(err)
	}
	canvas, damage := new(picture.Picture), raster.Damage{}
	canvas.ResetCanvas(c.output.width, c.output.height, c.stack.Backdrop)
	for i := range drawings {
		lost, err := drawings[i].drawOver(ctx, &c.catalog.pixels, canvas)
		if err != nil {
			return nil, raster.Damage{}, drawings[i].fail(err)
		}
		damage = damage.Join(lost)
	}
	return canvas, damage, nil
}

// drawOver draws the part over a canvas and returns the damage of its pixels.
func (d *drawing) drawOver(ctx context.Context, pool *raster.MemoryPool, canvas *picture.Picture) (raster.Damage, error) {
	drawn, damage, err := d.draw(ctx, pool)
	if err != nil {
		return raster.Damage{}, err
	}
	defer drawn.Release()
	return damage, canvas.Overlay(drawn)
}

// draw reads the pixels of the part into memory of a pool, colors them, and applies the finish. It also
// returns the damage of the pixels read. The caller must release the picture.
func (d *drawing) draw(ctx context.Context, pool *raster.MemoryPool) (*picture.Picture, raster.Damage, error) {
	memory := pool.Get(d.providers.Pyramid.BytesOf(&d.plan))
	defer pool.Put(memory) // a picture has pixels of its own
	tile, err := d.read(ctx, memory)
	if err != nil {
		return nil, raster.Damage{}, err
	}
	began := threadtime.Now()
	defer addSince(&timingOf(ctx).Render, time.Now())
	drawn, err := d.chain.Render(tile, d.ground())
	if err != nil {
		return nil, raster.Damage{}, err
	}
	drawn = d.request.Finish.apply(drawn)
	learnSince(ctx, d.layer.group.rates.coloring, d.coloringUnits(), began)
	return drawn, tile.Damage(), nil
}

// read reads the pixels of the plan into memory and records the time taken. It returns an error if
// damage leaves no valid pixels.
func (d *drawing) read(ctx context.Context, memory *raster.Memory) (raster.Tile, error) {
	rates, missing, before := d.layer.group.rates, d.missingSamples(), admission.Spent(ctx)
	tile, cost, err := d.providers.Pyramid.Read(admission.Reading(ctx, d.version.dataset.Storage), &d.plan, memory)
	if err != nil {
		return raster.Tile{}, err
	}
	rates.decoding.Measure(missing, admission.Spent(ctx)-before)
	learn(ctx, rates.sampling, d.pixels(), cost.Sample)
	if err := d.version.checkDamage(tile); err != nil {
		return raster.Tile{}, err
	}
	timing := timingOf(ctx)
	timing.Read.Add(int64(cost.Read))
	timing.Sample.Add(int64(cost.Sample))
	timing.Blocks.Add(int64(cost.Blocks))
	return tile, ctx.Err()
}

// ground returns the ground distances of the view, or nil if the style does not depend on neighbors.
func (d *drawing) ground() *display.GroundSpacing {
	if d.resolved.Halo() == 0 {
		return nil
	}
	along, across := d.providers.Pyramid.GroundDistances(d.plan.View)
	return &display.GroundSpacing{StepX: along, StepY: across}
}
