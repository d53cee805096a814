package layer

import (
	"context"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/layer/tilesets"
)

// dearSample is how long a sample takes to decode if it pays to decode it before anybody asks for it. That
// of JPEG 2000 takes longer. A tile of other codecs is decoded in a few milliseconds.
const dearSample = 30 * time.Nanosecond

// PaysPrefetch reports whether blocks of the picture are so dear to load, over a network or by their codec,
// that it pays to load them before anybody asks for them.
func (c *Composition) PaysPrefetch() bool {
	for i := range c.parts {
		if d := c.parts[i].version.dataset; d.IsFar || d.DecodingTime >= dearSample {
			return true
		}
	}
	return false
}

// Prefetch loads blocks that the picture needs and that are not in memory, once the gate is idle. It reports
// whether there were any. The error is admission.ErrOutranked if other work needed the slot. Overviews that the file lacks are not built.
func (c *Composition) Prefetch(ctx context.Context) (isLoaded bool, err error) {
	if c.IsCached() {
		return false, nil
	}
	drawings, err := c.plan(ctx)
	if err != nil {
		return false, err
	}
	for i := range drawings {
		d := &drawings[i]
		if d.providers.IsBuiltLevel(d.plan.Level) || !d.providers.Pyramid.NeedsPrefetch(&d.plan) {
			continue
		}
		isLoaded = true
		if err := c.catalog.config.Gate.RunPrefetch(ctx, d.prefetchWork(), d.prefetch); err != nil {
			return false, d.fail(err)
		}
	}
	return isLoaded, nil
}

func (d *drawing) prefetchWork() admission.Work {
	return admission.Work{
		Group: d.layer.ID(), Sources: []admission.Source{d.version.dataset.source()},
		Bytes: readingBytes(d.providers.Pyramid.Provider().Info(), &d.plan), Cost: d.layer.group.rates.decoding.Time(d.missingSamples()),
	}
}

func (d *drawing) prefetch(ctx context.Context) error {
	return d.providers.Pyramid.Prefetch(cache.Ahead(admission.Reading(ctx, d.version.dataset.Storage)), &d.plan)
}

// TileSet returns a tile matrix set that the layer is served in.
func (l *Layer) TileSet(id string) (tilesets.TileSet, bool) {
	for _, s := range l.Describe().TileSets {
		if s.Set.ID == id {
			return s, true
		}
	}
	return tilesets.TileSet{}, false
}
