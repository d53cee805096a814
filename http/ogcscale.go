package http

import (
	"math"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/ogcapi"
	"tileserver/layer"
)

// A map is given in one of two ways: by its extent, with a size that is given or follows from a
// scale; or by its size and center, with an extent that follows from a scale.

// mapArea returns the area of a map: that of all layers if no parameter restricts it.
func (p *parameters) mapArea(all extent) (layer.BoxArea, error) {
	crs, _, err := p.namedCRS("crs")
	if err != nil {
		return layer.BoxArea{}, err
	}
	hasExtent := p.Text("bbox") != "" || p.Texts("subset") != nil
	hasSize := p.Text("width")+p.Text("height") != ""
	hasScale, hasCenter := p.Text("scale-denominator") != "", p.Text("center") != ""
	switch {
	case hasCenter && hasExtent:
		p.Reject("center excludes bbox and subset")
	case hasScale && hasExtent && hasSize:
		p.Reject("give either a size or scale-denominator, not both")
	case all.bounds.Empty() && !hasExtent:
		return layer.BoxArea{}, answer.NotFound("no layer to draw")
	}
	if p.Err != nil {
		return layer.BoxArea{}, p.Err
	}
	if hasCenter || hasScale && hasSize {
		return p.areaAround(all, crs)
	}
	area, err := p.areaOfExtent(all.bounds, crs)
	switch {
	case err != nil:
		return area, err
	case hasScale:
		return area, p.sizeByScale(&area)
	}
	p.sizeView(&area, defaultViewSide, maxViewSide)
	return area, p.Err
}

// areaOfExtent returns an area without a size, with the bounds of bbox or subset, or with all.
func (p *parameters) areaOfExtent(all geo.Bounds, crs *geo.CRS) (layer.BoxArea, error) {
	area := layer.BoxArea{CRS: crs}
	bounds, from, err := p.mapExtent(all)
	if err != nil {
		return area, err
	}
	area.Bounds, err = transformBounds(bounds, from, crs)
	return area, err
}

// transformBounds normalizes bounds and transforms them into another reference system.
func transformBounds(bounds geo.Bounds, from, to *geo.CRS) (geo.Bounds, error) {
	bounds, err := ogcapi.Normalize(bounds, from)
	if err != nil || from.Key() == to.Key() {
		return bounds, err
	}
	return ogcapi.Transform(bounds, from, to)
}

// sizeByScale computes the size of a map of a given extent from scale-denominator.
func (p *parameters) sizeByScale(area *layer.BoxArea) error {
	denominator, err := ogcapi.ParseScale(p.Text("scale-denominator"))
	if err != nil {
		return err
	}
	width, height, err := ogcapi.SizeAt(denominator, area.Bounds, area.CRS)
	if err != nil {
		return err
	}
	if longest := math.Max(width, height); longest > maxViewSide {
		return answer.TooLarge("at that scale, the map has %.0f by %.0f pixels; the limit of a side is %d", width, height, maxViewSide)
	}
	area.Width, area.Height = roundSide(width), roundSide(height)
	return nil
}

// areaAround returns the area of a map around its center, in the given scale or in that of the
// finest layer.
func (p *parameters) areaAround(all extent, crs *geo.CRS) (layer.BoxArea, error) {
	area := layer.BoxArea{
		CRS: crs, Width: p.Integer("width", defaultViewSide, 1, maxViewSide), Height: p.Integer("height", defaultViewSide, 1, maxViewSide),
	}
	center, err := p.mapCenter(all.bounds, crs)
	if err != nil {
		return area, err
	}
	denominator := all.minScaleDenominator
	if text := p.Text("scale-denominator"); text != "" {
		if denominator, err = ogcapi.ParseScale(text); err != nil {
			return area, err
		}
	}
	bounds, err := ogcapi.Around(center, area.Width, area.Height, denominator, crs)
	if err != nil {
		return area, err
	}
	if area.Bounds, err = ogcapi.Normalize(bounds, crs); err == nil && area.Bounds != bounds {
		p.Reject("the map would reach beyond a pole")
	}
	if err == nil {
		err = p.Err
	}
	return area, err
}

// mapCenter returns the center of a map, in crs.
func (p *parameters) mapCenter(all geo.Bounds, crs *geo.CRS) (geo.Point, error) {
	from, northingFirst, err := p.namedCRS("center-crs")
	if err != nil {
		return geo.Point{}, err
	}
	center := geo.NewTransform(geo.CRS84(), from).Apply(all.Center())
	if text := p.Text("center"); text != "" {
		if center, err = ogcapi.ParseCenter(text, northingFirst); err != nil {
			return center, err
		}
	}
	return geo.NewTransform(from, crs).Apply(center), nil
}
