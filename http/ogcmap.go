package http

import (
	"net/http"

	"tileserver/geo"
	"tileserver/http/ogcapi"
	"tileserver/layer"
)

// ogcMap answers with a map of a layer.
func (s *server) ogcMap(e *exchange, r *http.Request) error {
	p := parametersOf(r)
	format, err := s.pictureFormat(e, r, p)
	if err != nil {
		return err
	}
	l, _, err := s.ogcOrigin(r, p)
	if err != nil {
		return err
	}
	return s.sendMap(e, r, p, []placedLayer{*l}, format)
}

// ogcDatasetMap answers with a map of all layers, or of those that are selected.
func (s *server) ogcDatasetMap(e *exchange, r *http.Request) error {
	p := parametersOf(r)
	format, err := s.pictureFormat(e, r, p)
	if err != nil {
		return err
	}
	layers, _, err := s.ogcSelected(s.ogcSite(r), p)
	if err != nil {
		return err
	}
	return s.sendMap(e, r, p, layers, format)
}

func (s *server) sendMap(e *exchange, r *http.Request, p *parameters, layers []placedLayer, format layer.Format) error {
	area, err := p.mapArea(boundsOf(layers))
	backdrop := p.backdrop()
	if err == nil {
		err = p.err
	}
	if err != nil {
		return ogcFailure(err)
	}
	h := e.Header()
	h.Set("Content-Crs", "<"+area.CRS.URI()+">")
	h.Set("Content-Bbox", ogcapi.FormatBBox(area.Bounds, area.CRS))
	if len(layers) > 1 {
		layers = touchingBox(layers, lonLatBounds(area))
	}
	return s.sendLaid(e, r, p, laid{layers: layers, area: area, width: area.Width, height: area.Height, format: format, backdrop: backdrop})
}

// mapArea is what a map shows: what bbox or subset say, or all that lies within the bounds,
// of longitude and latitude.
func (p *parameters) mapArea(all geo.Bounds) (layer.BoxArea, error) {
	area := layer.BoxArea{}
	crs, _, err := p.namedCRS("crs")
	if err != nil {
		return area, err
	}
	bounds, from, err := p.mapExtent(all)
	if err != nil {
		return area, err
	}
	if bounds, err = ogcapi.Usable(bounds, from); err != nil {
		return area, err
	}
	if from.Key() != crs.Key() {
		if bounds, err = ogcapi.Carried(bounds, from, crs); err != nil {
			return area, err
		}
	}
	area.CRS, area.Bounds = crs, bounds
	p.sizeView(&area)
	return area, p.err
}

// mapExtent is the extent of a map, in a reference system of its own.
func (p *parameters) mapExtent(all geo.Bounds) (geo.Bounds, *geo.CRS, error) {
	bbox, subset := p.text("bbox"), p.texts("subset")
	switch {
	case bbox != "" && subset != nil:
		p.refuse("bbox and subset exclude each other")
		return all, nil, p.err
	case bbox != "":
		crs, northingFirst, err := p.namedCRS("bbox-crs")
		if err != nil {
			return all, nil, err
		}
		bounds, err := ogcapi.ParseBBox(bbox, northingFirst)
		return bounds, crs, err
	case subset != nil:
		crs, _, err := p.namedCRS("subset-crs")
		if err != nil {
			return all, nil, err
		}
		bounds, err := ogcapi.ParseSubset(subset, crs)
		return bounds, crs, err
	case all.Empty():
		return all, nil, notFound("there is nothing to make a map of")
	}
	return all, geo.CRS84(), p.err
}

// namedCRS is the system that a parameter names, or that of longitude and latitude.
func (p *parameters) namedCRS(parameter string) (crs *geo.CRS, northingFirst bool, err error) {
	name := p.text(parameter)
	if name == "" {
		return geo.CRS84(), false, p.err
	}
	return geo.ParseCRSName(name)
}

// lonLatBounds is what an area shows, in longitude and latitude.
func lonLatBounds(area layer.BoxArea) geo.Bounds {
	if area.CRS.Key() == geo.CRS84().Key() {
		return area.Bounds
	}
	return geo.TransformBounds(geo.NewTransform(area.CRS, geo.CRS84()), area.Bounds)
}
