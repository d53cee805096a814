package ogc

import (
	"math"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/request"
	"tileserver/layer/areas"
)

// A map is given in one of two ways: by its extent, with a size that is given or follows from a
// scale; or by its size and center, with an extent that follows from a scale.

// mapArea returns the area of a map: that of all layers if no parameter restricts it.
func mapArea(p *request.Parameters, all extent) (areas.Box, error) {
	crs, _, err := namedCRS(p, "crs")
	if err != nil {
		return areas.Box{}, err
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
		return areas.Box{}, answer.NotFound("no layer to draw")
	}
	if p.Err != nil {
		return areas.Box{}, p.Err
	}
	if hasCenter || hasScale && hasSize {
		return areaAround(p, all, crs)
	}
	area, err := areaOfExtent(p, all.bounds, crs)
	switch {
	case err != nil:
		return area, err
	case hasScale:
		return area, sizeByScale(p, &area)
	}
	p.SizeView(&area, request.DefaultViewSide)
	return area, p.Err
}

// areaOfExtent returns an area without a size, with the bounds of bbox or subset, or with all.
func areaOfExtent(p *request.Parameters, all geo.Bounds, crs *geo.CRS) (areas.Box, error) {
	area := areas.Box{CRS: crs}
	bounds, from, err := mapExtent(p, all)
	if err != nil {
		return area, err
	}
	area.Bounds, err = request.TransformBounds(bounds, from, crs)
	return area, err
}

// sizeByScale computes the size of a map of a given extent from scale-denominator.
func sizeByScale(p *request.Parameters, area *areas.Box) error {
	denominator, err := ogcapi.ParseScale(p.Text("scale-denominator"))
	if err != nil {
		return err
	}
	width, height, err := ogcapi.SizeAt(denominator, area.Bounds, area.CRS)
	if err != nil {
		return err
	}
	if longest := math.Max(width, height); longest > request.MaxViewSide {
		return answer.TooLarge("at that scale, the map has %.0f by %.0f pixels; the limit of a side is %d", width, height, request.MaxViewSide)
	}
	area.Width, area.Height = request.RoundSide(width), request.RoundSide(height)
	return nil
}

// areaAround returns the area of a map around its center, in the given scale or in that of the
// finest layer.
func areaAround(p *request.Parameters, all extent, crs *geo.CRS) (areas.Box, error) {
	area := areas.Box{
		CRS: crs, Width: p.Integer("width", request.DefaultViewSide, 1, request.MaxViewSide), Height: p.Integer("height", request.DefaultViewSide, 1, request.MaxViewSide),
	}
	center, err := mapCenter(p, all.bounds, crs)
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
	if area.Bounds, err = request.Normalize(bounds, crs); err == nil && area.Bounds != bounds {
		p.Reject("the map would reach beyond a pole")
	}
	if err == nil {
		err = p.Err
	}
	return area, err
}

// mapCenter returns the center of a map, in crs.
func mapCenter(p *request.Parameters, all geo.Bounds, crs *geo.CRS) (geo.Point, error) {
	from, northingFirst, err := namedCRS(p, "center-crs")
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
