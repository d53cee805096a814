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
	Bytes []byte
	MIME  string
	ETag  string // as HTTP writes it
	From  Origin
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
type encoded struct {
	bytes  []byte
	mime   string
	stored bool // in the file, as it is
	empty  bool // nothing is to be seen, and bytes are those of a blank, which is kept by itself
}

// Size is what the picture keeps from being freed.
func (e encoded) Size() int64 { return int64(cap(e.bytes)) }

// Picture returns the picture: a kept one, or one that is made once for all who
// ask for it. If the dataset turns out to have changed, it is of the new version,
// and so is its ETag.
func (j *Job) Picture(ctx context.Context) (Picture, error) {
	picture, err := withPresent(ctx, &j.layer.version, func(now *opened) (Picture, error) {
		if now == j.now {
			return j.picture(ctx)
		}
		again, err := j.catalog.prepare(j.layer, now, j.request)
		if err != nil {
			return Picture{}, err
		}
		return again.picture(ctx)
	})
	if err != nil {
		return Picture{}, classify(err)
	}
	return picture, nil
}

func (j *Job) picture(ctx context.Context) (Picture, error) {
	p := Picture{ETag: j.ETag(), From: Hit}
	made := false
	kept, err := j.catalog.pictures.FetchOne(ctx, j.key, func(ctx context.Context) (encoded, error) {
		made = true
		return j.make(ctx)
	})
	if err != nil {
		return Picture{}, err
	}
	switch {
	case kept.empty:
		p.From = Empty
		kept, err = j.blank(ctx)
	case made && kept.stored:
		p.From = Stored
	case made:
		p.From = Miss
	}
	p.Bytes, p.MIME = kept.bytes, kept.mime
	return p, err
}

// make makes the picture, or has overviews made and then the picture of them. Who
// waits for that holds nothing meanwhile.
func (j *Job) make(ctx context.Context) (encoded, error) {
	for built := make(map[string]bool); ; { // a picture of several parts may take a build for each
		made, err := j.makeOf(ctx)
		var dear *pyramid.TooDearError
		if !errors.As(err, &dear) {
			return made, err
		}
		target := targetOf(j, dear)
		if built[target] { // and not kept
			return encoded{}, &Error{Code: TooLarge, Message: "the server has too little memory for the overviews of this layer", Err: err}
		}
		if built[target], err = j.catalog.overviews.await(ctx, j, dear, target); err != nil {
			return encoded{}, err
		}
	}
}

// makeOf plans the picture and renders it of what there is, both in a place of the
// gate. Whoever must wait for statistics holds none meanwhile, so that pictures of
// other layers go on; and what shows nothing of the image needs no statistics.
func (j *Job) makeOf(ctx context.Context) (made encoded, err error) {
	if j.request.Format.IsData() {
		return j.makeData(ctx)
	}
	chain, ready := j.catalog.derived.readyChain(j.from.stored, j.resolved)
	var plan pyramid.Plan
	err = j.catalog.config.Gate.within(ctx, func() error {
		if plan, err = j.plan(ctx); err != nil {
			return err
		}
		if made.empty = len(plan.Parts) == 0 && !j.resolved.HoldsNumbers(); made.empty {
			return nil
		}
		if made, err = j.stored(ctx, &plan); err != nil || made.stored || !ready {
			return err
		}
		made, err = j.render(ctx, &plan, chain)
		return err
	})
	if err != nil || made.empty || made.stored || ready {
		return made, err
	}
	if chain, err = j.catalog.derived.chainFor(ctx, j.from.stored, j.resolved, j.purposeOf); err != nil {
		return encoded{}, err
	}
	err = j.catalog.config.Gate.within(ctx, func() error {
		made, err = j.render(ctx, &plan, chain)
		return err
	})
	return made, err
}

func (j *Job) plan(ctx context.Context) (pyramid.Plan, error) {
	defer note(&timingOf(ctx).Plan, time.Now())
	return j.from.pyramid.Plan(ctx, j.view())
}

// maxKeptBlankPixels is how large a blank may be that is kept. Those that maps
// are made of are smaller; larger ones have any size that a client thinks of.
const maxKeptBlankPixels = 1 << 20

// blank is a picture of nothing, shared by all requests of its size and format.
func (j *Job) blank(ctx context.Context) (encoded, error) {
	width, height := j.want.Rect.Width(), j.want.Rect.Height()
	if int64(width)*int64(height) > maxKeptBlankPixels {
		return j.makeBlank(ctx)
	}
	key := fmt.Sprintf("blank:%v:%v:%dx%d", j.request.Format.of(false), j.encoding(), width, height)
	return j.catalog.pictures.FetchOne(ctx, key, j.makeBlank)
}

func (j *Job) makeBlank(ctx context.Context) (made encoded, err error) {
	width, height := j.want.Rect.Width(), j.want.Rect.Height()
	err = j.catalog.config.Gate.within(ctx, func() error {
		return j.withMemory(ctx, drawnBytes(j.request.Format, j.request.Style.Deep, width, height), func() error {
			kind := j.request.Format.of(false)
			made.mime = kind.MIME()
			made.bytes, err = j.catalog.config.Encoder.Blank(kind, width, height, j.encoding())
			return err
		})
	})
	return made, err
}

// render makes the picture that a plan shows.
func (j *Job) render(ctx context.Context, plan *pyramid.Plan, chain *display.Chain) (made encoded, err error) {
	width, height := plan.View.Rect.Width(), plan.View.Rect.Height()
	bytes := readingBytes(j.from.pyramid.Provider().Info(), plan) + j.from.makingBytes(plan) +
		int64(width)*int64(height)*int64(j.resolved.ComputingBytes()) + drawnBytes(j.request.Format, j.request.Style.Deep, width, height)
	err = j.withMemory(ctx, bytes, func() error {
		tile, err := j.read(ctx, plan)
		if err != nil {
			return err
		}
		made, err = j.encode(chain, tile, plan.View, timingOf(ctx))
		return err
	})
	return made, err
}

// read reads what a plan shows, and notes what it took.
func (j *Job) read(ctx context.Context, plan *pyramid.Plan) (raster.Tile, error) {
	tile, cost, err := j.from.pyramid.Read(ctx, plan)
	if err != nil {
		return raster.Tile{}, err
	}
	timing := timingOf(ctx)
	timing.Read.Add(int64(cost.Read))
	timing.Sample.Add(int64(cost.Sample))
	timing.Blocks.Add(int64(cost.Blocks))
	return tile, ctx.Err()
}

func (j *Job) purposeOf(measured raster.Provider) purpose { return j.layer.purposeOf(j.now, measured) }

// ground is that of a view, for those who look at neighbours.
func (j *Job) ground(view pyramid.View) *display.Ground {
	if j.resolved.Halo() == 0 {
		return nil
	}
	return groundOf(j.from.pyramid, view)
}

// encode shows a tile as the picture that was asked for.
func (j *Job) encode(chain *display.Chain, tile raster.Tile, view pyramid.View, timing *Timing) (made encoded, err error) {
	start := time.Now()
	drawn, err := chain.Render(tile, j.ground(view))
	if err != nil {
		return encoded{}, err
	}
	defer drawn.Release()
	note(&timing.Render, start)
	defer note(&timing.Encode, time.Now())
	f := j.request.Format
	kind := f.of(!f.isAuto() || drawn.IsOpaque())
	made.mime = kind.MIME()
	made.bytes, err = j.catalog.config.Encoder.Encode(nil, drawn, kind, j.encoding())
	return made, err
}

// encoding is what the encoder is told.
func (j *Job) encoding() picture.Options {
	e := j.request.Encoding
	return picture.Options{Quality: e.Quality, FullChroma: e.FullChroma, Lossless: e.Lossless, Background: j.request.Style.Background}
}
