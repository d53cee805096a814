package layer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"tileserver/display"
	"tileserver/display/terrain"
	"tileserver/pyramid"
	"tileserver/raster"
)

// A Job is a validated request. No pixels have been read for it.
type Job struct {
	catalog   *Catalog
	layer     *Layer
	request   Request
	version   *version
	providers providers
	resolved  *display.Resolved
	view      pyramid.View
	key       string
}

// Prepare validates a request without reading pixels. The returned job has an ETag.
func (c *Catalog) Prepare(r Request) (*Job, error) {
	l, err := c.Layer(r.Layer)
	if err != nil {
		return nil, err
	}
	current, err := l.versions.current()
	if err != nil {
		return nil, classify(err)
	}
	j, err := c.prepare(l, current, r)
	if err != nil {
		return nil, classify(err)
	}
	return j, nil
}

func (c *Catalog) prepare(l *Layer, current *version, r Request) (*Job, error) {
	if q := r.Encoding.Quality; q < 0 || q > 100 {
		return nil, invalid("quality must be from 1 to 100, not %d", q)
	}
	r.Style = canonicalStyle(r.Style)
	r.Encoding = canonicalEncoding(r.Format, r.Encoding)
	r.Style.Background = canonicalBackground(r.Format, r.Style.Background)
	providers := l.providersFor(current, r.Style)
	p := providers.pyramid
	info := p.Provider().Info()
	r.Style.Data = r.Format.IsData()
	r.Unmasked = r.Unmasked && r.Format == NPY
	resolved, err := r.Style.Resolve(info)
	if err != nil {
		return nil, err
	}
	if resolved.HoldsNumbers() {
		if r.Format, r.Encoding, err = lossless(r.Format); err != nil {
			return nil, err
		}
		if resolved.IsDeep() && r.Format != PNG {
			return nil, invalid("16 bits per sample need png, not %v", r.Format)
		}
	}
	if err := r.Finish.validate(r.Format, resolved); err != nil {
		return nil, err
	}
	lattice, rect, err := r.Area.resolve(p, tileSets{l, current})
	if err != nil {
		return nil, err
	}
	if err := c.checkSize(&r, resolved, rect); err != nil {
		return nil, err
	}
	if lattice.CRS != nil && p.CRS() == nil {
		return nil, pyramid.ErrNoCRS
	}
	j := &Job{catalog: c, layer: l, request: r, version: current, providers: providers, resolved: resolved}
	j.view = pyramid.View{
		Lattice: lattice, Rect: rect, Resampling: canonicalResampling(info, resolved.Bands(), r.Style.Resampling),
		Bands: resolved.Bands(), Alpha: resolved.Alpha(), Whole: isWhole(r.Area, info.Levels[0]),
	}
	j.key = j.computeKey()
	return j, nil
}

// maxWork bounds the computation of one picture, in units of about half a nanosecond.
const maxWork = 4e9

// workOf returns the cost of computing the pixels of a picture.
func workOf(resolved *display.Resolved, rect raster.Rect) float64 {
	return float64(rect.Width()) * float64(rect.Height()) * float64(resolved.Cost())
}

// checkSize rejects requests that exceed the limits of the server or of the format. Auto formats
// fall back to PNG if that allows the size.
func (c *Catalog) checkSize(r *Request, resolved *display.Resolved, rect raster.Rect) error {
	pixels := int64(rect.Width()) * int64(rect.Height())
	if pixels > int64(c.config.MaxPixels) {
		return tooManyPixels(pixels, c.config.MaxPixels)
	}
	if workOf(resolved, rect) > maxWork {
		return &Error{Code: TooLarge, Message: fmt.Sprintf("expression too expensive for this size; request fewer than %.0f pixels", maxWork/float64(resolved.Cost()))}
	}
	side := max(rect.Width(), rect.Height())
	if r.Format.isAuto() && side > r.Format.maxSide() {
		r.Format, r.Encoding = PNG, Encoding{}
	}
	if limit := r.Format.maxSide(); side > limit {
		return tooLongSide(side, r.Format)
	}
	return nil
}

func tooManyPixels(pixels int64, limit int) error {
	return &Error{Code: TooLarge, Message: fmt.Sprintf("request has %d pixels; the limit is %d", pixels, limit)}
}

func tooLongSide(side int, f Format) error {
	return &Error{Code: TooLarge, Message: fmt.Sprintf("side of %d pixels exceeds the limit of %d for %v", side, f.maxSide(), f)}
}

// grownView returns the view to read: the view of the picture, grown by the neighbors that it
// depends on.
func (j *Job) grownView() pyramid.View { return j.view.Grown(j.resolved.Halo()) }

// IsPerTile reports whether the picture is stretched by its own statistics. Neighboring pictures do
// not match then, and clients should not cache them.
func (j *Job) IsPerTile() bool { return j.resolved.IsPerTile() }

// Relief returns the terrain mode of the picture, if it has one.
func (j *Job) Relief() (mode terrain.Mode, ok bool) {
	if j.request.Style.Relief == nil {
		return 0, false
	}
	return j.request.Style.Relief.Mode, true
}

// pictureVersion is part of every ETag. It must change when the same request on the same file gives
// different bytes, for example after a change of an encoder or a kernel.
const pictureVersion = 4

// computeKey returns a digest of everything that the picture depends on. All processes that serve
// the same file compute the same key.
func (j *Job) computeKey() string {
	v := j.view
	crs := ""
	if v.Lattice.CRS != nil {
		crs = v.Lattice.CRS.Key()
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s\x00%v %v %v %v\x00%v\x00%v\x00%d\x00%v\x00%v\x00%d", pictureVersion,
		j.providers.pyramid.Provider().Key(), j.resolved.Key(), crs,
		positiveZero(v.Lattice.OriginX), positiveZero(v.Lattice.OriginY), v.Lattice.ResolutionX, v.Lattice.ResolutionY,
		v.Rect, v.Resampling, j.request.Format, j.request.Encoding, j.request.Style.Background, j.statisticsPixels())
	io.WriteString(h, j.request.Finish.key())
	if v.Whole {
		io.WriteString(h, "\x00whole")
	}
	if j.request.Unmasked {
		io.WriteString(h, "\x00unmasked")
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func (j *Job) statisticsPixels() int64 { return j.layer.statisticsPixels(j.resolved) }

// Version identifies the appearance of all pictures of the layer in the job's style. It changes
// when any of them may have changed.
func (j *Job) Version() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%v\x00%v\x00%d", pictureVersion, j.providers.pyramid.Provider().Key(), j.resolved.Key(),
		j.view.Resampling, j.request.Style.Background, j.statisticsPixels())
	io.WriteString(h, j.layer.tileSetsVersion())
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// ETag identifies the bytes of the picture. It is quoted.
func (j *Job) ETag() string { return `"` + j.key + `"` }

// An Explanation describes the work of a job.
type Explanation struct {
	Plan   pyramid.Plan
	Cached []bool // whether each of the plan's blocks is in the cache
	ETag   string
}

// Explain plans a job and checks which of its blocks are cached. It is for diagnostics and needs no
// slot.
func (j *Job) Explain(ctx context.Context) (Explanation, error) {
	plan, err := j.providers.pyramid.Plan(ctx, j.grownView())
	if err != nil {
		return Explanation{}, classify(err)
	}
	return Explanation{plan, j.providers.pyramid.IsCached(&plan), j.ETag()}, nil
}
