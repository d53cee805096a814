package layer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tileserver/display"
	"tileserver/display/picture"
	"tileserver/pyramid"
	"tileserver/raster"
)

// A Picture is an encoded picture. Its bytes are shared and must not be modified.
type Picture struct {
	Bytes     []byte
	MIME      string
	ETag      string // quoted
	From      Origin
	Cacheable bool // it fits into the cache, so that repeated requests are cheap

	Damage raster.Damage // damage of the pixels that were read
}

// An Origin tells where a picture came from.
type Origin string

// The origins of a picture.
const (
	Hit    Origin = "HIT"    // cached, or rendered for a concurrent request
	Miss   Origin = "MISS"   // rendered
	Stored Origin = "STORED" // a block of the file, as stored
	Empty  Origin = "EMPTY"  // blank: the image has no pixels there
)

// An encodedPicture is a cache entry.
type encodedPicture struct {
	bytes    []byte
	mime     string
	isStored bool // bytes are a block of the file
	isEmpty  bool // no pixels are visible; the blank picture is cached separately
	damage   raster.Damage
}

// Size returns the memory that the entry occupies.
func (e encodedPicture) Size() int64 { return int64(cap(e.bytes)) + e.damage.Size() }

// Picture returns the picture, rendering it if it is not cached. Concurrent callers share the
// result. If the file has changed, the picture and its ETag are those of the next version.
func (j *Job) Picture(ctx context.Context) (Picture, error) {
	picture, err := withCurrent(ctx, &j.layer.versions, func(current *version) (Picture, error) {
		if current == j.version {
			return j.picture(ctx)
		}
		next, err := j.catalog.prepare(j.layer, current, j.request)
		if err != nil {
			return Picture{}, err
		}
		return next.picture(ctx)
	})
	if err != nil {
		return Picture{}, classify(err)
	}
	return picture, nil
}

func (j *Job) picture(ctx context.Context) (Picture, error) {
	p := Picture{ETag: j.ETag(), From: Hit}
	rendered := false
	result, err := j.catalog.pictures.FetchOne(ctx, j.key, func(ctx context.Context) (encodedPicture, error) {
		rendered = true
		return j.renderWithOverviews(ctx)
	})
	if err != nil {
		return Picture{}, err
	}
	p.Damage = result.damage
	j.version.damage.add(p.Damage)
	switch {
	case result.isEmpty:
		p.From = Empty
		result, err = j.catalog.blank(ctx, j.blankSpec())
	case rendered && result.isStored:
		p.From = Stored
	case rendered:
		p.From = Miss
	}
	p.Bytes, p.MIME, p.Cacheable = result.bytes, result.mime, j.catalog.pictures.Fits(result)
	return p, err
}

// renderWithOverviews renders the picture, waiting for missing overviews.
func (j *Job) renderWithOverviews(ctx context.Context) (encodedPicture, error) {
	return j.catalog.withOverviews(ctx, func(ctx context.Context) (encodedPicture, error) {
		result, err := j.planAndRender(ctx)
		return result, asJobError(j, err)
	})
}

// withOverviews calls render until no overviews are missing, and waits for their builds in between.
// The caller holds no slot and no memory while it waits.
func (c *Catalog) withOverviews(ctx context.Context, render func(context.Context) (encodedPicture, error)) (encodedPicture, error) {
	for built := make(map[string]bool); ; { // a stack may need a build for each layer
		result, err := render(ctx)
		var missing *pyramid.TooExpensiveError
		var failed *jobError
		if !errors.As(err, &missing) || !errors.As(err, &failed) {
			return result, err
		}
		target := overviewTarget(failed.job, missing)
		if built[target] { // built before, but not cached
			return encodedPicture{}, &Error{Code: TooLarge, Message: "the server has too little memory for the overviews of this layer", Err: err}
		}
		if built[target], err = c.overviews.await(ctx, failed.job, missing, target); err != nil {
			return encodedPicture{}, asJobError(failed.job, err)
		}
	}
}

// A jobError is an error of one job. A stack renders several.
type jobError struct {
	job *Job
	err error
}

func (e *jobError) Error() string { return fmt.Sprintf("layer %q: %v", e.job.layer.ID(), e.err) }

func (e *jobError) Unwrap() error { return e.err }

// asJobError wraps an error of a job; nil stays nil.
func asJobError(j *Job, err error) error {
	if err == nil {
		return nil
	}
	return &jobError{j, err}
}

// planAndRender plans the picture and renders it, both in a slot of the gate. If statistics are
// missing, it releases the slot while it waits for them, so that pictures of other layers continue.
// Empty pictures need no statistics.
func (j *Job) planAndRender(ctx context.Context) (result encodedPicture, err error) {
	if j.request.Format.IsData() {
		return j.renderData(ctx)
	}
	chain, isReady := j.catalog.displayCache.cachedChain(j.providers.storedLevels, j.resolved, j.statisticsPixels())
	var plan pyramid.Plan
	err = j.catalog.config.Gate.run(ctx, func() error {
		if plan, err = j.plan(ctx); err != nil {
			return err
		}
		if result.isEmpty = len(plan.Parts) == 0 && !j.resolved.HoldsNumbers(); result.isEmpty {
			return nil
		}
		if result, err = j.storedPicture(ctx, &plan); err != nil || result.isStored || !isReady {
			return err
		}
		result, err = j.render(ctx, &plan, chain)
		return err
	})
	if err != nil || result.isEmpty || result.isStored || isReady {
		return result, err
	}
	if chain, err = j.catalog.displayCache.fetchChain(ctx, j.providers.storedLevels, j.resolved, j.statisticsPixels(), j.statisticsTask); err != nil {
		return encodedPicture{}, err
	}
	err = j.catalog.config.Gate.run(ctx, func() error {
		result, err = j.render(ctx, &plan, chain)
		return err
	})
	return result, err
}

func (j *Job) plan(ctx context.Context) (pyramid.Plan, error) {
	defer addSince(&timingOf(ctx).Plan, time.Now())
	return j.providers.pyramid.Plan(ctx, j.grownView())
}

// render renders and encodes a planned picture.
func (j *Job) render(ctx context.Context, plan *pyramid.Plan, chain *display.Chain) (result encodedPicture, err error) {
	width, height := plan.View.Rect.Width(), plan.View.Rect.Height()
	bytes := j.drawingBytes(plan) + pictureBytes(j.request.Format, j.request.Style.Deep, width, height)
	err = j.catalog.withMemory(ctx, bytes, func() error {
		drawn, damage, err := j.draw(ctx, plan, chain)
		if err != nil {
			return err
		}
		defer drawn.Release()
		result, err = j.encode(drawn, timingOf(ctx))
		result.damage = damage
		return err
	})
	return result, err
}

// drawingBytes returns the approximate memory of drawing a plan, without the encoded picture.
func (j *Job) drawingBytes(plan *pyramid.Plan) int64 {
	rect := plan.View.Rect
	computing := int64(rect.Width()) * int64(rect.Height()) * int64(j.resolved.ComputingBytes())
	return readingBytes(j.providers.pyramid.Provider().Info(), plan) + j.providers.overviewBuildBytes(plan) + computing + j.request.Finish.bytes(rect.Width(), rect.Height())
}

// draw reads a plan, colors its pixels, and applies the finish. It also returns the damage of the
// pixels read. The caller must release the picture.
func (j *Job) draw(ctx context.Context, plan *pyramid.Plan, chain *display.Chain) (*picture.Picture, raster.Damage, error) {
	tile, err := j.read(ctx, plan)
	if err != nil {
		return nil, raster.Damage{}, err
	}
	defer addSince(&timingOf(ctx).Render, time.Now())
	drawn, err := chain.Render(tile, j.ground(plan.View))
	if err != nil {
		return nil, raster.Damage{}, err
	}
	return j.request.Finish.apply(drawn), tile.Damage(), nil
}

// read reads the pixels of a plan and records the time taken. It returns an error if damage leaves
// no valid pixels.
func (j *Job) read(ctx context.Context, plan *pyramid.Plan) (raster.Tile, error) {
	tile, cost, err := j.providers.pyramid.Read(ctx, plan)
	if err != nil {
		return raster.Tile{}, err
	}
	if err := j.version.checkDamage(tile); err != nil {
		return raster.Tile{}, err
	}
	timing := timingOf(ctx)
	timing.Read.Add(int64(cost.Read))
	timing.Sample.Add(int64(cost.Sample))
	timing.Blocks.Add(int64(cost.Blocks))
	return tile, ctx.Err()
}

func (j *Job) statisticsTask(measured raster.Provider) statisticsTask {
	return j.layer.statisticsTask(j.version, measured)
}

// ground returns the ground distances of a view, or nil if the style does not depend on neighbors.
func (j *Job) ground(view pyramid.View) *display.GroundSpacing {
	if j.resolved.Halo() == 0 {
		return nil
	}
	return groundDistances(j.providers.pyramid, view)
}

// encode encodes the picture in the requested format.
func (j *Job) encode(drawn *picture.Picture, timing *Timing) (result encodedPicture, err error) {
	defer addSince(&timing.Encode, time.Now())
	f := j.request.Format
	kind := f.fileFormat(!f.isAuto() || drawn.IsOpaque())
	result.mime = kind.MIME()
	result.bytes, err = j.catalog.config.Encoder.Encode(nil, drawn, kind, j.options())
	return result, err
}

// options returns the options of the encoder.
func (j *Job) options() picture.Options {
	return j.request.Encoding.options(j.request.Finish.Tone.Apply(j.request.Style.Background))
}
