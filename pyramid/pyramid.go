package pyramid

import (
	"math"

	"tileserver/geo"
	"tileserver/raster"
)

// Pyramid is a provider and its placement on earth.
type Pyramid struct {
	provider raster.Provider
	info     *raster.Info
	windows  raster.MemoryPool

	crs       *geo.CRS // nil: not on earth
	placement geo.Placement
	ground    *ground // nil if it is level
	bounds    boundsCache
}

// New returns the pyramid of an image without a placement.
func New(provider raster.Provider) *Pyramid {
	return &Pyramid{provider: provider, info: provider.Info()}
}

// NewGeoreferenced returns the pyramid of an image whose level 0 has the given placement in crs.
func NewGeoreferenced(provider raster.Provider, crs *geo.CRS, placement geo.Placement) *Pyramid {
	p := New(provider)
	p.crs, p.placement, p.ground = crs, placement, groundOf(placement)
	return p
}

// Provider returns the source of the pixels.
func (p *Pyramid) Provider() raster.Provider { return p.provider }

// Key identifies the pixels and their places: equal keys mean equal views.
func (p *Pyramid) Key() string {
	if keyed, ok := p.placement.(geo.KeyedPlacement); ok {
		return p.provider.Key() + ":" + keyed.Key()
	}
	return p.provider.Key()
}

// CRS returns the image's CRS, or nil.
func (p *Pyramid) CRS() *geo.CRS { return p.crs }

// Placement maps pixels of level 0 to the CRS and back. It is nil without a CRS.
func (p *Pyramid) Placement() geo.Placement { return p.placement }

// Bounds returns the bounding rectangle of the image in crs. It returns false if the image is not
// on earth, or outside the domain of crs.
func (p *Pyramid) Bounds(crs *geo.CRS) (geo.Bounds, bool) {
	if p.crs == nil {
		return geo.Bounds{}, false
	}
	own := p.placement.Bounds(p.info.Levels[0].Width, p.info.Levels[0].Height)
	b := geo.TransformBounds(geo.NewTransform(p.crs, crs), own)
	return b, !b.Empty() && !math.IsInf(b.Width(), 0) && !math.IsInf(b.Height(), 0)
}

// IsCached reports which blocks of a plan are cached now, in the order of Plan.Blocks.
func (p *Pyramid) IsCached(plan *Plan) []bool {
	return raster.IsCached(p.provider, plan.Level, plan.Blocks(), plan.Bands)
}

// projection maps places in a view's CRS to pixels of level 0, and back.
type projection struct {
	pyramid *Pyramid
	forward geo.Transform // from the view's CRS to the image's
	inverse geo.Transform
	pixels  bool    // the view is in pixels of the image
	middle  float64 // center of the image; a longitude in degrees if its CRS is geographic

	placement geo.Placement
	ground    *ground // of a plan, whose placement is that on level ground; or nil
}

// projection returns the projection between crs and the image.
func (p *Pyramid) projection(crs *geo.CRS) (projection, error) {
	if crs == nil {
		return projection{pyramid: p, pixels: true}, nil
	}
	if p.crs == nil {
		return projection{}, ErrNoCRS
	}
	t := geo.NewTransform(crs, p.crs)
	own := p.placement.Bounds(p.info.Levels[0].Width, p.info.Levels[0].Height)
	return projection{pyramid: p, forward: t, inverse: t.Inverse(), middle: own.Center().X, placement: p.placement}, nil
}

// projectionOfPlan returns the projection between crs and the image on level ground, and the ground.
func (p *Pyramid) projectionOfPlan(crs *geo.CRS) (projection, error) {
	j, err := p.projection(crs)
	if p.ground != nil && crs != nil {
		j.placement, j.ground = p.ground.placement, p.ground
	}
	return j, err
}

// toPixel returns the pixel of level 0 at a place, or NaN outside the domain of the projection.
func (j *projection) toPixel(place geo.Point) geo.Point {
	if j.pixels {
		return place
	}
	return j.placement.Pixel(j.ownPlace(place))
}

// ownPlace returns a place in the CRS of the image.
func (j *projection) ownPlace(place geo.Point) geo.Point {
	own := j.forward.Apply(place)
	if j.pyramid.crs.IsGeographic() {
		// An image may cross the date line or count longitudes from 0 to 360. Take the turn of the
		// globe nearest to it.
		own.X += 360 * math.Round((j.middle-own.X)/360)
	}
	return own
}

// toPlace returns the place of a pixel of level 0.
func (j *projection) toPlace(pixel geo.Point) geo.Point {
	if j.pixels {
		return pixel
	}
	return j.inverse.Apply(j.placement.Place(pixel))
}

// PixelAt returns the column and row of level 0 at a place in crs. ok is false outside the image.
func (p *Pyramid) PixelAt(crs *geo.CRS, place geo.Point) (column, row int, ok bool, err error) {
	j, err := p.projection(crs)
	if err != nil {
		return 0, 0, false, err
	}
	pixel := j.toPixel(place)
	l := p.info.Levels[0]
	if !(pixel.X >= 0 && pixel.Y >= 0 && pixel.X < float64(l.Width) && pixel.Y < float64(l.Height)) {
		return 0, 0, false, nil
	}
	return int(pixel.X), int(pixel.Y), true, nil
}

// Resolution returns the size of a pixel of level 0 at the center of the image, in units of crs. A
// finer lattice shows no more detail.
func (p *Pyramid) Resolution(crs *geo.CRS) (float64, error) {
	j, err := p.projection(crs)
	if err != nil {
		return 0, err
	}
	l := p.info.Levels[0]
	x, y := float64(l.Width)/2, float64(l.Height)/2
	at := j.toPlace(geo.Point{X: x, Y: y})
	right, below := j.toPlace(geo.Point{X: x + 1, Y: y}), j.toPlace(geo.Point{X: x, Y: y + 1})
	return min(math.Hypot(right.X-at.X, right.Y-at.Y), math.Hypot(below.X-at.X, below.Y-at.Y)), nil
}
