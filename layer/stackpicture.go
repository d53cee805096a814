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

// Picture returns the picture, rendering it if it is not cached. Concurrent callers share the
// result. If files have changed, the picture and its ETag are those of the next versions.
func (s *Stack) Picture(ctx context.Context) (Picture, error) {
	for retries := 0; ; retries++ { // each file may change once
		p, err := s.picture(ctx)
		if err == nil {
			return p, nil
		}
		var failed *jobError
		if !errors.Is(err, raster.ErrChanged) || !errors.As(err, &failed) || retries == len(s.jobs) {
			return Picture{}, classify(err)
		}
		if _, reopenErr := failed.job.layer.versions.reopen(ctx, failed.job.version); reopenErr != nil {
			return Picture{}, classify(fmt.Errorf("%w, and %w", err, reopenErr))
		}
		if s, err = s.catalog.PrepareStack(s.request); err != nil {
			return Picture{}, err
		}
	}
}

func (s *Stack) picture(ctx context.Context) (Picture, error) {
	p := Picture{ETag: s.ETag(), From: Hit}
	rendered := false
	result, err := s.catalog.pictures.FetchOne(ctx, s.key, func(ctx context.Context) (encodedPicture, error) {
		rendered = true
		return s.catalog.withOverviews(ctx, s.planAndRender)
	})
	if err != nil {
		return Picture{}, err
	}
	p.Damage = result.damage
	switch {
	case result.isEmpty:
		p.From = Empty
		result, err = s.catalog.blank(ctx, blankSpec{s.request.Format, false, s.request.Width, s.request.Height, s.options()})
	case rendered:
		p.From = Miss
	}
	p.Bytes, p.MIME, p.Cacheable = result.bytes, result.mime, s.catalog.pictures.Fits(result)
	return p, err
}

func (s *Stack) options() picture.Options { return s.request.Encoding.options(s.request.Background) }

// A stackLayer is a layer of a stack that has pixels to draw.
type stackLayer struct {
	job   *Job
	plan  pyramid.Plan
	chain *display.Chain
}

// planAndRender plans all layers and renders those with pixels, in one slot of the gate. As for a
// single layer, it releases the slot while it waits for statistics.
func (s *Stack) planAndRender(ctx context.Context) (result encodedPicture, err error) {
	var layers []stackLayer
	isReady := true
	err = s.catalog.config.Gate.run(ctx, func() error {
		if layers, err = s.plan(ctx); err != nil {
			return err
		}
		if result.isEmpty = len(layers) == 0 && s.request.Backdrop.A == 0; result.isEmpty {
			return nil
		}
		for i := range layers {
			isReady = isReady && layers[i].chain != nil
		}
		if isReady {
			result, err = s.render(ctx, layers)
		}
		return err
	})
	if err != nil || result.isEmpty || isReady {
		return result, err
	}
	if err := fetchChains(ctx, layers); err != nil {
		return encodedPicture{}, err
	}
	err = s.catalog.config.Gate.run(ctx, func() error {
		result, err = s.render(ctx, layers)
		return err
	})
	return result, err
}

// plan returns the layers with pixels to draw, with their chains if these are cached.
func (s *Stack) plan(ctx context.Context) ([]stackLayer, error) {
	var layers []stackLayer
	for _, j := range s.jobs {
		plan, err := j.plan(ctx)
		if err != nil {
			return nil, asJobError(j, err)
		}
		if len(plan.Parts) == 0 {
			continue
		}
		chain, _ := s.catalog.displayCache.cachedChain(j.providers.storedLevels, j.resolved, j.statisticsPixels())
		layers = append(layers, stackLayer{j, plan, chain})
	}
	return layers, nil
}

// fetchChains waits for the missing chains.
func fetchChains(ctx context.Context, layers []stackLayer) (err error) {
	for i := range layers {
		l, j := &layers[i], layers[i].job
		if l.chain != nil {
			continue
		}
		if l.chain, err = j.catalog.displayCache.fetchChain(ctx, j.providers.storedLevels, j.resolved, j.statisticsPixels(), j.statisticsTask); err != nil {
			return asJobError(j, err)
		}
	}
	return nil
}

const bytesPerCanvasPixel = 4

// render draws one layer after the other over the canvas. It reserves the memory of the whole stack
// at once: stacks that reserved it layer by layer could deadlock.
func (s *Stack) render(ctx context.Context, layers []stackLayer) (result encodedPicture, err error) {
	width, height := s.request.Width, s.request.Height
	drawing := int64(0)
	for i := range layers {
		drawing = max(drawing, layers[i].job.drawingBytes(&layers[i].plan)+pictureBytes(PNG, false, width, height))
	}
	bytes := drawing + bytesPerCanvasPixel*int64(width)*int64(height) + pictureBytes(s.request.Format, false, width, height)
	err = s.catalog.withMemory(ctx, bytes, func() error {
		var canvas picture.Picture
		canvas.ResetCanvas(width, height, s.request.Backdrop)
		var damage raster.Damage
		for i := range layers {
			lost, err := layers[i].layOver(ctx, &canvas)
			if err != nil {
				return asJobError(layers[i].job, err)
			}
			damage = damage.Join(lost)
		}
		result, err = s.encode(&canvas, timingOf(ctx))
		result.damage = damage
		return err
	})
	return result, err
}

// layOver draws the layer over a canvas and returns the damage of its pixels.
func (l *stackLayer) layOver(ctx context.Context, canvas *picture.Picture) (raster.Damage, error) {
	drawn, damage, err := l.job.draw(ctx, &l.plan, l.chain)
	if err != nil {
		return raster.Damage{}, err
	}
	defer drawn.Release()
	return damage, canvas.Overlay(drawn)
}

// encode encodes the picture in the requested format.
func (s *Stack) encode(canvas *picture.Picture, timing *Timing) (result encodedPicture, err error) {
	defer addSince(&timing.Encode, time.Now())
	f := s.request.Format
	kind := f.fileFormat(!f.isAuto() || canvas.IsOpaque())
	result.mime = kind.MIME()
	result.bytes, err = s.catalog.config.Encoder.Encode(nil, canvas, kind, s.options())
	return result, err
}
