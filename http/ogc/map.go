package ogc

import (
	"net/http"
	"strings"

	"tileserver/display/colormap"
	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/request"
	"tileserver/layer/areas"
	"tileserver/raster"
)

// mapNames are the parameters of maps, except for those of styles.
var mapNames = [...]string{
	"f", "collections", "bbox", "bbox-crs", "subset", "subset-crs", "center", "center-crs", "scale-denominator", "width", "height",
	"crs", "bgcolor", "transparent", "return_mask", "wait",
}

// layerMap answers with a map of one layer.
func (s *service) layerMap(e *answer.Exchange, r *http.Request) error {
	modified := s.LastModified()
	p := request.ParametersOf(r).Allow(mapNames[:]...)
	format, err := s.pictureFormat(e, r, p)
	if err != nil {
		return err
	}
	l, _, err := s.origin(r, p)
	if err != nil {
		return err
	}
	return s.sendMap(e, r, p, newLayerSet([]*placedLayer{l}), stackRequest{isSelected: true, format: format, modified: modified})
}

// datasetMap answers with a map of all layers, or of the selected ones.
func (s *service) datasetMap(e *answer.Exchange, r *http.Request) error {
	modified := s.LastModified()
	p := request.ParametersOf(r).Allow(mapNames[:]...)
	format, err := s.pictureFormat(e, r, p)
	if err != nil {
		return err
	}
	all, origin, err := s.selected(r.Context(), s.site(r), p)
	if err != nil {
		return err
	}
	return s.sendMap(e, r, p, all, stackRequest{isSelected: origin.Selection != "", format: format, modified: modified})
}

// sendMap answers with a map of a layer set. The parameters complete the request.
func (s *service) sendMap(e *answer.Exchange, r *http.Request, p *request.Parameters, of *layerSet, req stackRequest) error {
	req.format = offeredFormat(r, p, req.format, of.formats)
	area, err := mapArea(p, of.extent)
	req.backdrop = backdrop(p)
	if err == nil {
		err = p.Err
	}
	if err != nil {
		return failureOf(err)
	}
	h := e.Header()
	h.Set("Content-Crs", "<"+area.CRS.URI()+">")
	h.Set("Content-Bbox", ogcapi.FormatBBox(area.Bounds, area.CRS))
	req.layers, req.area, req.width, req.height = of.layers, area, area.Width, area.Height
	if len(req.layers) > 1 {
		req.layers = touchingBox(req.layers, lonLatBounds(area))
	}
	return s.sendStack(e, r, p, req)
}

// mapExtent returns the extent that the parameters give, or all, with its reference system.
func mapExtent(p *request.Parameters, all geo.Bounds) (geo.Bounds, *geo.CRS, error) {
	bbox, subset := p.Text("bbox"), p.Texts("subset")
	switch {
	case bbox != "" && subset != nil:
		p.Reject("bbox and subset exclude each other")
		return all, nil, p.Err
	case bbox != "":
		crs, northingFirst, err := namedCRS(p, "bbox-crs")
		if err != nil {
			return all, nil, err
		}
		bounds, err := ogcapi.ParseBBox(bbox, northingFirst)
		return bounds, crs, err
	case subset != nil:
		crs, _, err := namedCRS(p, "subset-crs")
		if err != nil {
			return all, nil, err
		}
		bounds, err := ogcapi.ParseSubset(subset, crs)
		return bounds, crs, err
	}
	return all, geo.CRS84(), p.Err
}

// namedCRS returns the reference system that a parameter names, CRS84 if it is missing.
func namedCRS(p *request.Parameters, parameter string) (crs *geo.CRS, northingFirst bool, err error) {
	name := p.Text(parameter)
	if name == "" {
		return geo.CRS84(), false, p.Err
	}
	return geo.ParseCRSName(name)
}

// lonLatBounds returns the bounds of an area in degrees of longitude and latitude.
func lonLatBounds(area areas.Box) geo.Bounds {
	if area.CRS.Key() == geo.CRS84().Key() {
		return area.Bounds
	}
	return geo.TransformBounds(geo.NewTransform(area.CRS, geo.CRS84()), area.Bounds)
}

// backdrop returns the color behind a map in every format: bgcolor, or white if the map must not be
// transparent. Zero is transparent.
func backdrop(p *request.Parameters) raster.RGBA {
	text := p.Text("bgcolor")
	transparent := p.Choice("transparent", "", "true", "false", "TRUE", "FALSE", "True", "False")
	opaque := strings.EqualFold(transparent, "false") || transparent == "" && text != ""
	color := raster.RGBA{R: 255, G: 255, B: 255, A: 255}
	if text != "" {
		css, err := ogcapi.ParseColor(text)
		if err != nil {
			p.Reject("bgcolor: %v", err)
			return raster.RGBA{}
		}
		parsed, err := colormap.ParseColor(css)
		if err != nil {
			p.Reject("bgcolor: %v", err)
			return raster.RGBA{}
		}
		color = raster.RGBA(parsed)
		p.Set(background, css) // for formats without transparency
	}
	if !opaque {
		return raster.RGBA{}
	}
	return color
}
