package layer

import (
	"context"
	"time"

	"tileserver/admission"
	"tileserver/internal/threadtime"
	"tileserver/pyramid"
	"tileserver/raster"
)

// rates are how long the steps of a layer's pictures take on one core.
type rates struct {
	decoding *admission.Rate // a sample of the file
	sampling *admission.Rate // a pixel of the view
	coloring *admission.Rate // a unit of coloringUnits
}

// newRates returns guesses, which hold until the first picture.
func newRates() *rates {
	return &rates{admission.NewRate(10), admission.NewRate(10), admission.NewRate(1)}
}

// encodingRates are how long the formats take for a pixel, by Format. Each is a guess at first.
type encodingRates [len(formats)]*admission.Rate

func newEncodingRates() (rates encodingRates) {
	for format := range rates {
		rates[format] = admission.NewRate(20)
	}
	return rates
}

// admissionOf returns the cost and the memory of rendering the drawings, and who takes a turn for it: the
// lowest layer.
func (c *Composition) admissionOf(drawings []drawing) admission.Work {
	w := c.catalog.emptyWork(&c.output)
	if w.Bytes = c.renderingBytes(drawings); len(drawings) > 0 {
		w.Group = drawings[0].layer.ID()
	}
	for i := range drawings {
		w.Cost += drawings[i].cost()
		w.ReadsFirst = w.ReadsFirst || drawings[i].missingSamples() > 0 // what is missing is read before it is drawn
		w.Sources = append(w.Sources, drawings[i].version.dataset.source())
	}
	return w
}

// emptyWork returns the cost and the memory of a picture that shows no image.
func (c *Catalog) emptyWork(o *output) admission.Work {
	const group = "without an image" // the id of no layer
	return admission.Work{Group: group, Bytes: pictureBytes(o.format, o.deep, o.width, o.height), Cost: c.encoding[o.format].Time(o.pixels())}
}

// learnSince records that units of the work of a context were computed since a reading.
func learnSince(ctx context.Context, rate *admission.Rate, units float64, began threadtime.Reading) {
	learn(ctx, rate, units, began.Until(threadtime.Now()))
}

// learn records that units of the work of a context took some time.
func learn(ctx context.Context, rate *admission.Rate, units float64, took time.Duration) {
	admission.Spend(ctx, took)
	rate.Measure(units, took)
}

// cost returns how long reading and coloring take.
func (d *drawing) cost() time.Duration {
	rates := d.layer.group.rates
	return rates.decoding.Time(d.missingSamples()) + d.loadingTime() + rates.sampling.Time(d.pixels()) + rates.coloring.Time(d.coloringUnits())
}

// pixels returns the number of pixels of the view.
func (d *drawing) pixels() float64 {
	rect := d.plan.View.Rect
	return float64(rect.Width()) * float64(rect.Height())
}

// coloringUnits returns the units of computing the colors of the view.
func (d *drawing) coloringUnits() float64 {
	const usual = 8 // to stretch a pixel and to look up its color
	return d.pixels() * float64(usual+d.resolved.Cost())
}

// missingSamples returns how many samples of the file must be decoded for the plan. It is none if that
// takes a build in the background, for which the picture waits without a slot.
func (d *drawing) missingSamples() float64 {
	p, plan := d.providers.Pyramid.Provider(), &d.plan
	level := p.Info().Levels[plan.Level]
	pixels := 0.
	if raster.HasWindows(p, plan.Level) {
		pixels = windowPixels(level, plan)
	} else {
		counted := someBlocks(plan)
		missing := missingPixels(level, counted, d.needNoDecoding(counted))
		pixels = missing * float64(countBlocks(plan)) / float64(max(len(counted), 1))
	}
	samples := pixels * d.providers.StoredSamples(plan.Level, plan.Bands)
	if limit := d.layer.config.MaxInlineOverviewBytes; limit > 0 && d.providers.IsBuiltLevel(plan.Level) && samples*float64(p.Info().Type.Size()) > float64(limit) {
		return 0
	}
	return samples
}

// needNoDecoding reports which blocks of the plan's level are in memory or saved.
func (d *drawing) needNoDecoding(ids []raster.BlockID) []bool {
	if d.providers.IsBuiltLevel(d.plan.Level) {
		return d.providers.Overviews.IsBuilt(d.plan.Level, ids, d.plan.Bands)
	}
	return raster.IsCached(d.providers.Pyramid.Provider(), d.plan.Level, ids, d.plan.Bands)
}

// loadingTime returns how long it takes to load the overviews of the plan that are saved and not in
// memory.
func (d *drawing) loadingTime() time.Duration {
	const perByte = 2 * time.Nanosecond // to read it, to check it and to copy it
	counted := someBlocks(&d.plan)
	saved := d.providers.SavedOverviews(d.plan.Level, counted, d.plan.Bands)
	if len(saved) == 0 {
		return 0
	}
	bytes := float64(d.providers.Overviews.LoadBytes(d.plan.Level, saved, d.plan.Bands))
	return time.Duration(bytes * float64(countBlocks(&d.plan)) / float64(len(counted)) * float64(perByte))
}

// maxCountedBlocks bounds the blocks that are looked up in the cache to estimate a cost. A view of an
// image in small blocks needs many times as many.
const maxCountedBlocks = 4096

// someBlocks returns the blocks of a plan, or some that are spread evenly over it.
func someBlocks(plan *pyramid.Plan) []raster.BlockID {
	step := (countBlocks(plan) + maxCountedBlocks - 1) / maxCountedBlocks
	if step <= 1 {
		return plan.Blocks()
	}
	var some []raster.BlockID
	next := 0
	for i := range plan.Parts {
		blocks := plan.Parts[i].Blocks
		for ; next < len(blocks); next += step {
			some = append(some, blocks[next])
		}
		next -= len(blocks)
	}
	return some
}

func countBlocks(plan *pyramid.Plan) (count int) {
	for i := range plan.Parts {
		count += len(plan.Parts[i].Blocks)
	}
	return count
}

// windowPixels returns the pixels of a plan's windows. What a provider of windows has in memory is not
// known.
func windowPixels(level raster.Level, plan *pyramid.Plan) (pixels float64) {
	for i := range plan.Parts {
		window := plan.Parts[i].Window.Intersect(level.Bounds())
		pixels += float64(window.Width()) * float64(window.Height())
	}
	return pixels
}

// missingPixels returns the pixels of the blocks that are not cached.
func missingPixels(level raster.Level, blocks []raster.BlockID, isCached []bool) (pixels float64) {
	for i, id := range blocks {
		if !isCached[i] {
			block := level.Block(id)
			pixels += float64(block.Width()) * float64(block.Height())
		}
	}
	return pixels
}

// pointWork returns the cost of the values at a place: that of the block around it.
func pointWork(l *Layer, v *version) admission.Work {
	p := v.providers.StoredLevels
	finest, pixels := p.Info().Levels[0], 1.
	if !raster.HasWindows(p, 0) {
		pixels = float64(finest.BlockWidth) * float64(finest.BlockHeight)
	}
	return admission.Work{
		Group: l.ID(), Sources: []admission.Source{v.dataset.source()},
		Cost: l.group.rates.decoding.Time(pixels * float64(len(p.Info().Bands))),
	}
}
