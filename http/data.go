package http

import (
	"net/http"

	"tileserver/geo"
)

// pointDocument is what lies at a place.
type pointDocument struct {
	Coordinates []number  `json:"coordinates"`
	CRS         string    `json:"crs"` // the code, the name if it has none, or "image"
	Column      int       `json:"column"`
	Row         int       `json:"row"`
	Values      []*number `json:"values"` // one a band; null where there is no data
}

func (s *server) point(e *exchange, r *http.Request) error {
	p := parametersOf(r)
	crs := p.crs(p.text("crs"))
	place := p.numbers("a point", pathValue(r, "place"), 2)
	if p.err != nil {
		return p.err
	}
	point, err := s.Catalog.Point(r.Context(), pathValue(r, "layer"), crs, geo.Point{X: place[0], Y: place[1]})
	if err != nil {
		return err
	}
	document := pointDocument{
		Coordinates: []number{number(place[0]), number(place[1])}, CRS: nameOf(crs),
		Column: point.Column, Row: point.Row, Values: make([]*number, len(point.Values)),
	}
	for i, value := range point.Values {
		if point.Valid[i] {
			v := number(value)
			document.Values[i] = &v
		}
	}
	e.sendJSON(r, document)
	return nil
}

func nameOf(crs *geo.CRS) string {
	if crs == nil {
		return "image"
	}
	return crs.Code()
}

func (s *server) statistics(e *exchange, r *http.Request) error {
	p := parametersOf(r)
	bands := p.bands()
	if p.err != nil {
		return p.err
	}
	statistics, err := s.Catalog.Statistics(r.Context(), pathValue(r, "layer"), bands)
	if err != nil {
		return err
	}
	e.sendJSON(r, statistics)
	return nil
}
