// Package sensor places images by a model of the sensor that took them: rational polynomials (RPCs),
// which map a point on the ground and its height to a pixel. Package decode/container makes
// placements for images that come with a model. The package owns the arithmetic of models, and what
// is wrong with models that no sensor has. It must never know in which notation a file holds a
// model, nor which image it belongs to.
//
// Words: the *area* of a model is the rectangle of longitudes and latitudes that it was made for. In
// a *normal* point, longitude and latitude run from -1 to 1 in that area. The *full image* is the
// one that the model describes; a file may hold a *chip* of it.
package sensor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"sync/atomic"

	"tileserver/geo"
)

// Placement is a placement by a rational polynomial model at a height of the ground, in degrees of
// longitude and latitude on WGS 84.
type Placement struct {
	model    RPC
	height   float64    // of the ground, in meters above the ellipsoid
	terrain  *Terrain   // overrides height where it has one; or nil
	toFull   geo.Affine // from pixels of the image to those of the full image
	fromFull geo.Affine

	// straight maps normal points to pixels of the full image nearly as the model does. Far from the
	// area of the model only straight is reliable.
	straight, back geo.Affine

	key    string
	bounds atomic.Pointer[boundsOfSize] // the latest result; an image has one size
}

// boundsOfSize holds the bounds of an image of one size. Computing them takes hundreds of
// inversions.
type boundsOfSize struct {
	width, height int
	bounds        geo.Bounds
}

var _ geo.KeyedPlacement = (*Placement)(nil)

// Chip maps pixels of an image to those of the full image that its model describes.
type Chip = geo.Affine

// Whole is the chip of an image that is the full image.
func Whole() Chip { return Chip{A: 1, E: 1} }

// maxNormal is how far from its center a model is used, as a multiple of the distance to the edge of
// its area. Images extend a little beyond the area, and heights shift them.
const maxNormal = 2

// NewPlacement returns the placement of a chip by a model, for ground at a height in meters above
// the ellipsoid. The error is an ErrRPC.
func NewPlacement(model RPC, chip Chip, height float64) (*Placement, error) {
	if err := model.checkNumbers(); err != nil {
		return nil, err
	}
	p := &Placement{model: model, height: height, toFull: chip}
	var ok bool
	if p.fromFull, ok = chip.Invert(); !ok {
		return nil, fmt.Errorf("%w: the part of the full image that the file holds is not defined", ErrRPC)
	}
	if err := model.checkPoles(height); err != nil {
		return nil, err
	}
	p.straight = model.straight(height)
	if p.back, ok = p.straight.Invert(); !ok || !p.isInvertible() {
		return nil, fmt.Errorf("%w: they cannot be inverted at a height of %v m", ErrRPC, height)
	}
	p.key = p.computeKey()
	return p, nil
}

// straight returns the affine mapping through the means of the corners of the model's area.
func (m *RPC) straight(height float64) geo.Affine {
	corner := func(x, y float64) geo.Point { return m.pixel(geo.Point{X: x, Y: y}, height) }
	a, b, c, d := corner(-1, -1), corner(1, -1), corner(-1, 1), corner(1, 1)
	return geo.Affine{
		A: (b.X + d.X - a.X - c.X) / 4, B: (c.X + d.X - a.X - b.X) / 4, C: (a.X + b.X + c.X + d.X) / 4,
		D: (b.Y + d.Y - a.Y - c.Y) / 4, E: (c.Y + d.Y - a.Y - b.Y) / 4, F: (a.Y + b.Y + c.Y + d.Y) / 4,
	}
}

// isInvertible reports whether points all over the area of the model are the inverses of their
// pixels, and the image is nowhere mirrored. Otherwise the polynomials fold.
func (p *Placement) isInvertible() bool {
	const steps, near = 8, 1e-3
	isMirrored := determinant(p.straight) < 0
	for row := range steps + 1 {
		for column := range steps + 1 {
			normal := geo.Point{X: 2*float64(column)/steps - 1, Y: 2*float64(row)/steps - 1}
			at := p.model.pixel(normal, p.height)
			again, ok := p.invert(at, p.height)
			if !ok || !(math.Hypot(again.X-normal.X, again.Y-normal.Y) < near) || determinant(p.slope(normal, at, p.height)) < 0 != isMirrored {
				return false
			}
		}
	}
	return true
}

// determinant is negative if a mapping mirrors.
func determinant(a geo.Affine) float64 { return a.A*a.E - a.B*a.D }

// Pixel returns the pixel that shows a place.
func (p *Placement) Pixel(place geo.Point) geo.Point {
	return p.PixelAt(place, p.heightAt(place))
}

// isNear reports whether the model is used for a normal point.
func isNear(normal geo.Point) bool {
	return math.Abs(normal.X) <= maxNormal && math.Abs(normal.Y) <= maxNormal
}

// Place returns the place that a pixel shows.
func (p *Placement) Place(pixel geo.Point) geo.Point {
	full := p.toFull.Apply(pixel)
	normal, ok := p.ground(full)
	if !ok {
		normal = p.back.Apply(full)
	}
	return p.model.place(normal)
}

// The inverse ends when it is closer than inversionError to the pixel, in pixels. It gives up after
// inversionSteps; models of sensors take three.
const (
	inversionError = 1e-6
	inversionSteps = 16
)

// invert returns the normal point at a height that a pixel of the full image shows. It uses Newton's
// method, and returns false if that does not arrive near the area of the model.
func (p *Placement) invert(full geo.Point, height float64) (normal geo.Point, ok bool) {
	normal = p.back.Apply(full)
	for range inversionSteps {
		at := p.model.pixel(normal, height)
		missX, missY := full.X-at.X, full.Y-at.Y
		if math.Hypot(missX, missY) < inversionError {
			return normal, isNear(normal)
		}
		inverse, ok := p.slope(normal, at, height).Invert()
		if !ok {
			break
		}
		normal.X += inverse.A*missX + inverse.B*missY
		normal.Y += inverse.D*missX + inverse.E*missY
	}
	return geo.Point{}, false
}

// slope returns how the pixel of a normal point moves with it at a height. at is that pixel.
func (p *Placement) slope(normal, at geo.Point, height float64) geo.Affine {
	const nudge = 1e-6
	east := p.model.pixel(geo.Point{X: normal.X + nudge, Y: normal.Y}, height)
	north := p.model.pixel(geo.Point{X: normal.X, Y: normal.Y + nudge}, height)
	return geo.Affine{
		A: (east.X - at.X) / nudge, B: (north.X - at.X) / nudge,
		D: (east.Y - at.Y) / nudge, E: (north.Y - at.Y) / nudge,
	}
}

// Bounds returns the bounding rectangle of an image, whose edges may be curved.
func (p *Placement) Bounds(width, height int) geo.Bounds {
	if last := p.bounds.Load(); last != nil && last.width == width && last.height == height {
		return last.bounds
	}
	found := &boundsOfSize{width, height, geo.BoundsAround(width, height, p.Place)}
	p.bounds.Store(found)
	return found.bounds
}

// Height returns the height of the ground that the placement assumes where it has no terrain, in
// meters above the ellipsoid.
func (p *Placement) Height() float64 { return p.height }

// Terrain returns the terrain, or nil if the ground is level.
func (p *Placement) Terrain() *Terrain { return p.terrain }

// Key identifies the placement: equal keys mean equal places.
func (p *Placement) Key() string { return p.key }

// terrainVersion is raised when images lie elsewhere on the same terrain, even by less than can be
// seen, so that their pictures have other names.
const terrainVersion = 2

// computeKey returns the key. Each request for a picture needs it, so it is computed once.
func (p *Placement) computeKey() string {
	text := fmt.Appendf(nil, "%v\x00%v\x00%v", p.model, p.toFull, p.height)
	if p.terrain != nil {
		text = fmt.Appendf(text, "\x00%s\x00%d", p.terrain.Key, terrainVersion)
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:8])
}

// String describes the placement.
func (p *Placement) String() string {
	if p.terrain != nil {
		return "RPCs on the heights of " + p.terrain.Name
	}
	const centimeters = 100
	rounded := math.Round(p.height*centimeters) / centimeters
	return "RPCs at a height of " + strconv.FormatFloat(rounded, 'f', -1, 64) + " m"
}
