package layer

import (
	"context"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/geo"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
)

// Tile returns the layer and the tile that the picture shows. It returns false for other areas, and for stacks.
func (c *Composition) Tile() (*Layer, areas.Tile, bool) {
	if c.stack != nil {
		return nil, areas.Tile{}, false
	}
	tile, ok := c.parts[0].request.Area.(areas.Tile)
	return c.parts[0].layer, tile, ok
}

// OtherTile returns the picture of another tile of the same tile matrix set, in the same style.
func (c *Composition) OtherTile(id geo.TileID) (*Composition, error) {
	other := c.parts[0].request
	tile, _ := other.Area.(areas.Tile)
	tile.Tile = id
	other.Area = tile
	return c.catalog.Prepare(other)
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

// Prefetch loads blocks that the picture needs and that are not in memory, once the gate is idle. It returns
// about how many bytes that takes, or 0 if there are none. The error is admission.ErrOutranked if other
// work needed the slot. Overviews that the file lacks are not built.
func (c *Composition) Prefetch(ctx context.Context) (bytes int64, err error) {
	defer recoverTo(&err) // no handler waits that would recover
	if c.IsCached() {
		return 0, nil
	}
	drawings, err := c.plan(ctx)
	if err != nil {
		return 0, err
	}
	for i := range drawings {
		d := &drawings[i]
		work := d.prefetchWork()
		if !d.canPrefetch() || work.Bytes > c.catalog.config.Cache.MaxAheadBytes() {
			continue
		}
		if err := c.catalog.config.Gate.RunPrefetch(ctx, work, d.prefetch); err != nil {
			return 0, d.fail(err)
		}
		bytes += work.Bytes
	}
	return bytes, nil
}

// canPrefetch reports whether the drawing needs stored blocks that may not be in memory.
func (d *drawing) canPrefetch() bool {
	return !d.providers.IsBuiltLevel(d.plan.Level) && d.providers.Pyramid.NeedsPrefetch(&d.plan)
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
