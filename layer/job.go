package layer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"tileserver/display"
	"tileserver/geo"
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
	Hit   Origin = "HIT"   // it was kept, or was being made for somebody else
	Miss  Origin = "MISS"  // it was made
	Empty Origin = "EMPTY" // there is nothing to see at that place
)

// encoded is a picture as it is kept.
type encoded []byte

// Size is what the picture keeps from being freed.
func (e encoded) Size() int64 { return int64(cap(e)) }

// Job is a request that was settled. Nothing was read for it yet.
type Job struct {
	catalog  *Catalog
	layer    *Layer
	request  Request
	now      *opened
	from     view
	resolved *display.Resolved
	want     pyramid.View
	key      string
}

// Prepare settles a request, without reading anything: a job knows its ETag.
func (c *Catalog) Prepare(r Request) (*Job, error) {
	l, err := c.Layer(r.Layer)
	if err != nil {
		return nil, err
	}
	j, err := c.prepare(l, l.version.now(), r)
	if err != nil {
		return nil, classify(err)
	}
	return j, nil
}

func (c *Catalog) prepare(l *Layer, now *opened, r Request) (*Job, error) {
	from, err := l.viewFor(now, r.Style)
	if err != nil {
		return nil, err
	}
	p := from.pyramid
	resolved, err := r.Style.Spec.Resolve(p.Provider().Info())
	if err != nil {
		return nil, err
	}
	lattice, rect, err := r.Area.view(p)
	if err != nil {
		return nil, err
	}
	if pixels := int64(rect.Width()) * int64(rect.Height()); pixels > int64(c.config.MaxPixels) {
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("%d pixels are asked for; %d are the most", pixels, c.config.MaxPixels)}
	}
	if lattice.CRS != nil && p.CRS() == nil {
		return nil, pyramid.ErrNoCRS
	}
	j := &Job{catalog: c, layer: l, request: r, now: now, from: from, resolved: resolved}
	j.want = pyramid.View{Lattice: lattice, Rect: rect, Resampling: r.Style.Resampling, Bands: resolved.Bands(), Alpha: resolved.Alpha()}
	j.key = j.name()
	return j, nil
}

// pictureVersion is in every ETag. It changes when the same request on the same
// file gives other bytes: another encoder, another kernel.
const pictureVersion = 1

// name is all that a picture depends on, shortened. It is the same in every
// process that serves the same file under the same id.
func (j *Job) name() string {
	v := j.want
	crs := ""
	if v.Lattice.CRS != nil {
		crs = v.Lattice.CRS.Key()
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s\x00%v %v %v %v\x00%v\x00%v\x00%v\x00%d", pictureVersion,
		j.from.pyramid.Provider().Key(), j.resolved.Key(), crs,
		v.Lattice.OriginX, v.Lattice.OriginY, v.Lattice.ResolutionX, v.Lattice.ResolutionY,
		v.Rect, v.Resampling, j.request.Format, j.request.Quality)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// ETag names the bytes of the picture, as HTTP writes it.
func (j *Job) ETag() string { return `"` + j.key + `"` }

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
	p := Picture{MIME: j.request.Format.MIME(), ETag: j.ETag(), From: Hit}
	if kept, ok := j.catalog.pictures.Get(j.key); ok {
		p.Bytes = kept
		return p, nil
	}
	timing := timingOf(ctx)
	start := time.Now()
	plan, err := j.from.pyramid.Plan(j.want)
	if err != nil {
		return Picture{}, err
	}
	note(&timing.Plan, start)
	if len(plan.Parts) == 0 {
		p.From = Empty
		p.Bytes, err = j.blank(ctx)
		return p, err
	}
	made := false
	bytes, err := j.catalog.pictures.FetchOne(ctx, j.key, func(ctx context.Context) (encoded, error) {
		made = true
		return j.render(ctx, &plan)
	})
	if err != nil {
		return Picture{}, err
	}
	p.Bytes = bytes
	if made {
		p.From = Miss
	}
	return p, nil
}

// blank is a picture of nothing, shared by all requests of its size and format.
func (j *Job) blank(ctx context.Context) ([]byte, error) {
	width, height := j.want.Rect.Width(), j.want.Rect.Height()
	key := fmt.Sprintf("blank:%v:%dx%d", j.request.Format, width, height)
	return j.catalog.pictures.FetchOne(ctx, key, func(context.Context) (encoded, error) {
		return j.catalog.config.Encoder.Blank(j.request.Format, width, height, display.EncodeOptions{})
	})
}

// render makes the picture that a plan shows.
func (j *Job) render(ctx context.Context, plan *pyramid.Plan) (encoded, error) {
	leave, err := j.catalog.config.Gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	chain, err := j.catalog.chainFor(ctx, j.from.stored, j.resolved)
	if err != nil {
		return nil, err
	}
	timing := timingOf(ctx)
	tile, cost, err := j.from.pyramid.Read(ctx, plan)
	if err != nil {
		return nil, err
	}
	timing.Read.Add(int64(cost.Read))
	timing.Sample.Add(int64(cost.Sample))
	timing.Blocks.Add(int64(cost.Blocks))
	return j.encode(chain, tile, timing)
}

// encode shows a tile as the picture that was asked for.
func (j *Job) encode(chain *display.Chain, tile raster.Tile, timing *Timing) (encoded, error) {
	start := time.Now()
	picture, err := chain.Render(tile)
	if err != nil {
		return nil, err
	}
	defer picture.Release()
	note(&timing.Render, start)
	start = time.Now()
	defer note(&timing.Encode, start)
	return j.catalog.config.Encoder.Encode(nil, picture, j.request.Format, display.EncodeOptions{Quality: j.request.Quality})
}

// Explanation is what a job would take.
type Explanation struct {
	Plan pyramid.Plan
	Kept []bool // which of the plan's blocks are in the cache
	ETag string
}

// Explain plans a job and looks which of its blocks are there.
func (j *Job) Explain() (Explanation, error) {
	plan, err := j.from.pyramid.Plan(j.want)
	if err != nil {
		return Explanation{}, classify(err)
	}
	return Explanation{plan, j.from.pyramid.Kept(&plan), j.ETag()}, nil
}

// Point returns the samples of all bands at a place of a CRS, or with a nil CRS
// at a column and row of the image.
func (c *Catalog) Point(ctx context.Context, id string, crs *geo.CRS, place geo.Point) (pyramid.Point, error) {
	l, err := c.Layer(id)
	if err != nil {
		return pyramid.Point{}, err
	}
	point, err := withPresent(ctx, &l.version, func(now *opened) (pyramid.Point, error) {
		return now.pyramid.Point(ctx, crs, place)
	})
	if err != nil {
		return pyramid.Point{}, classify(err)
	}
	return point, nil
}

// Statistics returns the statistics of bands of a layer; nil bands are all.
func (c *Catalog) Statistics(ctx context.Context, id string, bands []int) (*display.Statistics, error) {
	l, err := c.Layer(id)
	if err != nil {
		return nil, err
	}
	stats, err := withPresent(ctx, &l.version, func(now *opened) (*display.Statistics, error) {
		info := now.pyramid.Provider().Info()
		if bands == nil {
			bands = info.AllBands()
		}
		if err := info.CheckRequest(0, nil, bands); err != nil {
			return nil, err
		}
		leave, err := c.config.Gate.Enter(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
		return c.statisticsOf(ctx, now.stored, bands)
	})
	if err != nil {
		return nil, classify(err)
	}
	return stats, nil
}
