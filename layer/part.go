package layer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"tileserver/display"
	"tileserver/layer/areas"
	"tileserver/pyramid"
	"tileserver/raster"
)

// A part is what a picture shows of one layer: a version of its dataset, with a style in a lattice.
type part struct {
	Appearance
	view pyramid.View
	key  string // identifies the picture of the part alone
}

// preparePart validates a request without reading pixels.
func (c *Catalog) preparePart(r Request) (part, error) {
	current, err := r.Layer.versions.Current()
	if err != nil {
		return part{}, err
	}
	return c.partOf(current, r)
}

// partOf validates a request for a version of its layer.
func (c *Catalog) partOf(current *version, r Request) (part, error) {
	a, err := r.Layer.appearanceOf(current, r)
	if err != nil {
		return part{}, err
	}
	p, pyr := part{Appearance: a}, a.providers.Pyramid
	if err := r.Finish.validate(a.request.Format, a.resolved); err != nil {
		return part{}, err
	}
	finest := pyr.Provider().Info().Levels[0]
	lattice, rect, err := r.Area.Resolve(finest, &current.tileSets)
	if err != nil {
		return part{}, err
	}
	if err := c.checkSize(&p.request, a.resolved, rect); err != nil {
		return part{}, err
	}
	if lattice.CRS != nil && pyr.CRS() == nil {
		return part{}, pyramid.ErrNoCRS
	}
	p.view = pyramid.View{
		Lattice: lattice, Rect: rect, Resampling: a.resampling,
		Bands: a.resolved.Bands(), Alpha: a.resolved.Alpha(), Whole: areas.IsWhole(r.Area, finest),
	}
	p.key = p.computeKey()
	return p, nil
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

// size returns the width and height of the part's pixels after its finish.
func (p *part) size() (width, height int) {
	return p.request.Finish.size(p.view.Rect.Width(), p.view.Rect.Height())
}

// grownView returns the view to read: the view of the picture, grown by the neighbors that it
// depends on.
func (p *part) grownView() pyramid.View { return p.view.Grown(p.resolved.Halo()) }

// pictureVersion is part of every key of a picture. It must change when the same request on the same
// file gives different bytes, for example after a change of an encoder or a kernel.
const pictureVersion = 5

// computeKey returns a digest of everything that the picture of the part alone depends on. All
// processes that serve the same file compute the same key.
func (p *part) computeKey() string {
	v := p.view
	crs := ""
	if v.Lattice.CRS != nil {
		crs = v.Lattice.CRS.Key()
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s\x00%v %v %v %v\x00%v\x00%v\x00%d\x00%v\x00%v\x00%d", pictureVersion,
		p.providers.Pyramid.Key(), p.resolved.Key(), crs,
		positiveZero(v.Lattice.OriginX), positiveZero(v.Lattice.OriginY), v.Lattice.ResolutionX, v.Lattice.ResolutionY,
		v.Rect, v.Resampling, p.request.Format, p.request.Encoding, p.request.Style.Background, p.statisticsPixels())
	io.WriteString(h, p.request.Finish.key())
	io.WriteString(h, p.providers.GridsKey())
	if v.Whole {
		io.WriteString(h, "\x00whole")
	}
	if p.request.Unmasked {
		io.WriteString(h, "\x00unmasked")
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// output returns how the picture of the part alone is encoded.
func (p *part) output() output {
	width, height := p.size()
	background := p.request.Finish.Tone.Apply(p.request.Style.Background)
	return output{p.request.Format, p.request.Style.Deep, width, height, p.request.Encoding.options(background)}
}
