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

// Picture returns the picture: a kept one, or one that is made once for all who ask for it.
// If datasets turn out to have changed, it is of the new versions, and so is its ETag.
func (s *Stack) Picture(ctx context.Context) (Picture, error) {
	for changed := 0; ; changed++ { // each may change once
		p, err := s.picture(ctx)
		if err == nil {
			return p, nil
		}
		var from *jobError
		if !errors.Is(err, raster.ErrChanged) || !errors.As(err, &from) || changed == len(s.jobs) {
			return Picture{}, classify(err)
		}
		if _, reopenErr := from.job.layer.version.reopen(ctx, from.job.now); reopenErr != nil {
			return Picture{}, classify(fmt.Errorf("%w, and %w", err, reopenErr))
		}
		if s, err = s.catalog.PrepareStack(s.request); err != nil {
			return Picture{}, err
		}
	}
}

func (s *Stack) picture(ctx context.Context) (Picture, error) {
	p := Picture{ETag: s.ETag(), From: Hit}
	made := false
	kept, err := s.catalog.pictures.FetchOne(ctx, s.key, func(ctx context.Context) (encoded, error) {
		made = true
		return s.catalog.withOverviews(ctx, s.makeOf)
	})
	if err != nil {
		return Picture{}, err
	}
	p.Damage = kept.damage
	switch {
	case kept.empty:
		p.From = Empty
		kept, err = s.catalog.blank(ctx, blank{s.request.Format, false, s.request.Width, s.request.Height, s.options()})
	case made:
		p.From = Miss
	}
	p.Bytes, p.MIME, p.Cacheable = kept.bytes, kept.mime, s.catalog.pictures.Fits(kept)
	return p, err
}

func (s *Stack) options() picture.Options { return s.request.Encoding.options(s.request.Background) }

// part is what there is to see of a job.
type part struct {
	job   *Job
	plan  pyramid.Plan
	chain *display.Chain
}

// makeOf plans all parts and renders those that show something, all in one place of the
// gate. As with a single layer, nobody holds one who waits for statistics.
func (s *Stack) makeOf(ctx context.Context) (made encoded, err error) {
	var parts []part
	ready := true
	err = s.catalog.config.Gate.within(ctx, func() error {
		if parts, err = s.plan(ctx); err != nil {
			return err
		}
		if made.empty = len(parts) == 0 && s.request.Backdrop.A == 0; made.empty {
			return nil
		}
		for i := range parts {
			ready = ready && parts[i].chain != nil
		}
		if ready {
			made, err = s.render(ctx, parts)
		}
		return err
	})
	if err != nil || made.empty || ready {
		return made, err
	}
	if err := fetchChains(ctx, parts); err != nil {
		return encoded{}, err
	}
	err = s.catalog.config.Gate.within(ctx, func() error {
		made, err = s.render(ctx, parts)
		return err
	})
	return made, err
}

// plan is the parts that show something, with the chains that are kept.
func (s *Stack) plan(ctx context.Context) ([]part, error) {
	var parts []part
	for _, j := range s.jobs {
		plan, err := j.plan(ctx)
		if err != nil {
			return nil, behind(j, err)
		}
		if len(plan.Parts) == 0 {
			continue
		}
		chain, _ := s.catalog.derived.readyChain(j.from.stored, j.resolved, j.statisticsPixels())
		parts = append(parts, part{j, plan, chain})
	}
	return parts, nil
}

// fetchChains waits for the chains that are not there yet.
func fetchChains(ctx context.Context, parts []part) (err error) {
	for i := range parts {
		p, j := &parts[i], parts[i].job
		if p.chain != nil {
			continue
		}
		if p.chain, err = j.catalog.derived.chainFor(ctx, j.from.stored, j.resolved, j.statisticsPixels(), j.purposeOf); err != nil {
			return behind(j, err)
		}
	}
	return nil
}

const bytesPerCanvasPixel = 4

// render draws one part after the other, and lays it over those before it. The memory for
// all of it is taken at once: stacks that each held a part of theirs and waited for the rest
// would wait for each other.
func (s *Stack) render(ctx context.Context, parts []part) (made encoded, err error) {
	width, height := s.request.Width, s.request.Height
	drawing := int64(0)
	for i := range parts {
		drawing = max(drawing, parts[i].job.drawingBytes(&parts[i].plan)+drawnBytes(PNG, false, width, height))
	}
	bytes := drawing + bytesPerCanvasPixel*int64(width)*int64(height) + drawnBytes(s.request.Format, false, width, height)
	err = s.catalog.withMemory(ctx, bytes, func() error {
		var canvas picture.Picture
		canvas.Canvas(width, height, s.request.Backdrop)
		var damage raster.Damage
		for i := range parts {
			lost, err := parts[i].layOver(ctx, &canvas)
			if err != nil {
				return behind(parts[i].job, err)
			}
			damage = damage.Join(lost)
		}
		made, err = s.encode(&canvas, timingOf(ctx))
		made.damage = damage
		return err
	})
	return made, err
}

// layOver draws the part over a canvas, and returns what is lost of it.
func (p *part) layOver(ctx context.Context, canvas *picture.Picture) (raster.Damage, error) {
	drawn, damage, err := p.job.draw(ctx, &p.plan, p.chain)
	if err != nil {
		return raster.Damage{}, err
	}
	defer drawn.Release()
	return damage, canvas.LayOver(drawn)
}

// encode makes the file that was asked for.
func (s *Stack) encode(canvas *picture.Picture, timing *Timing) (made encoded, err error) {
	defer note(&timing.Encode, time.Now())
	f := s.request.Format
	kind := f.of(!f.isAuto() || canvas.IsOpaque())
	made.mime = kind.MIME()
	made.bytes, err = s.catalog.config.Encoder.Encode(nil, canvas, kind, s.options())
	return made, err
}
