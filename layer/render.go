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

// Picture is an encoded picture. Its bytes are shared and must not be written.
type Picture struct {
	Bytes     []byte
	MIME      string
	ETag      string // as HTTP writes it
	From      Origin
	Cacheable bool // it fits into the cache, so that asking again costs little

	Damage raster.Damage // what of the file it lacks
}

// Origin says where a picture came from.
type Origin string

// The origins of a picture.
const (
	Hit    Origin = "HIT"    // it was kept, or was being made for somebody else
	Miss   Origin = "MISS"   // it was made
	Stored Origin = "STORED" // it is a block of the file, as it is stored
	Empty  Origin = "EMPTY"  // there is nothing to see at that place
)

// encoded is a picture as it is kept.
type encodedPicture struct {
	bytes    []byte
	mime     string
	isStored bool // in the file, as it is
	isEmpty  bool // nothing is to be seen, and bytes are those of a blank, which is kept by itself
	damage   raster.Damage
}

// Size is what the picture keeps from being freed.
func (e encodedPicture) Size() int64 { return int64(cap(e.bytes)) + e.damage.Size() }

// Picture returns the picture: a kept one, or one that is made once for all who
// ask for it. If the dataset turns out to have changed, it is of the new version,
// and so is its ETag.
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

// make makes the picture, or has overviews made and then the picture of them.
func (j *Job) renderWithOverviews(ctx context.Context) (encodedPicture, error) {
	return j.catalog.withOverviews(ctx, func(ctx context.Context) (encodedPicture, error) {
		result, err := j.planAndRender(ctx)
		return result, asJobError(j, err)
	})
}

// withOverviews makes a picture. Where that takes overviews that are made in the background,
// they are, and then the picture of them. Who waits for that holds nothing meanwhile.
func (c *Catalog) withOverviews(ctx context.Context, render func(context.Context) (encodedPicture, error)) (encodedPicture, error) {
	for built := make(map[string]bool); ; { // a picture of several parts may take a build for each
		result, err := render(ctx)
		var missing *pyramid.TooExpensiveError
		var failed *jobError
		if !errors.As(err, &missing) || !errors.As(err, &failed) {
			return result, err
		}
		target := overviewTarget(failed.job, missing)
		if built[target] { // and not kept
			return encodedPicture{}, &Error{Code: TooLarge, Message: "the server has too little memory for the overviews of this layer", Err: err}
		}
		if built[target], err = c.overviews.await(ctx, failed.job, missing, target); err != nil {
			return encodedPicture{}, asJobError(failed.job, err)
		}
	}
}

// jobError is an error with the job that it came up in: a picture may be made of several.
type jobError struct {
	job *Job
	err error
}

func (e *jobError) Error() string { return fmt.Sprintf("layer %q: %v", e.job.layer.ID(), e.err) }

func (e *jobError) Unwrap() error { return e.err }

// behind is an error as that of a job.
func asJobError(j *Job, err error) error {
	if err == nil {
		return nil
	}
	return &jobError{j, err}
}

// makeOf plans the picture and renders it of what there is, both in a place of the
// gate. Whoever must wait for statistics holds none meanwhile, so that pictures of
// other layers go on; and what shows nothing of the image needs no statistics.
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

// render makes the picture that a plan shows.
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

// drawingBytes is about what it takes to draw what a plan shows, without the picture.
func (j *Job) drawingBytes(plan *pyramid.Plan) int64 {
	rect := plan.View.Rect
	computing := int64(rect.Width()) * int64(rect.Height()) * int64(j.resolved.ComputingBytes())
	return readingBytes(j.providers.pyramid.Provider().Info(), plan) + j.providers.overviewBuildBytes(plan) + computing + j.request.Finish.bytes(rect.Width(), rect.Height())
}

// draw reads what a plan shows, gives it its colors, and finishes it. Damage is what is lost of
// what it read.
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

// read reads what a plan shows, and notes what it took. Where nothing is left of it, that is an
// error.
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

// ground is that of a view, for those who look at neighbours.
func (j *Job) ground(view pyramid.View) *display.GroundSpacing {
	if j.resolved.Halo() == 0 {
		return nil
	}
	return groundDistances(j.providers.pyramid, view)
}

// encode makes the file that was asked for.
func (j *Job) encode(drawn *picture.Picture, timing *Timing) (result encodedPicture, err error) {
	defer addSince(&timing.Encode, time.Now())
	f := j.request.Format
	kind := f.fileFormat(!f.isAuto() || drawn.IsOpaque())
	result.mime = kind.MIME()
	result.bytes, err = j.catalog.config.Encoder.Encode(nil, drawn, kind, j.options())
	return result, err
}

// options are what the encoder is told.
func (j *Job) options() picture.Options {
	return j.request.Encoding.options(j.request.Finish.Tone.Apply(j.request.Style.Background))
}
