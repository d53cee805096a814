package wmts

import (
	"errors"
	"math"
	"net/http"
	"net/url"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/http/wmts/wmts100"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/style"
)

// infoQuery answers a GetFeatureInfo query.
func (s *service) infoQuery(e *answer.Exchange, r *http.Request, query wmts100.Query) error {
	named, err := query.Info()
	if err != nil {
		return err
	}
	e.Layer = named.Layer
	found, err := s.find(r.Context(), &named.TileRequest)
	if err != nil {
		return err
	}
	if _, err := formatNamed(named.Format); err != nil {
		return err
	}
	if err := found.place(&named.TileRequest); err != nil {
		return err
	}
	return s.sendInfo(e, r, found, &named, found.parameters(r, url.Values(query)))
}

// infoResource answers GetFeatureInfo as a resource.
func (s *service) infoResource(e *answer.Exchange, r *http.Request) error {
	tile, err := namedIn(r)
	if err != nil {
		return err
	}
	pixel, err := request.TileID("0", request.PathValue(r, "i"), request.PathValue(r, "j"))
	if err != nil {
		return err
	}
	named := wmts100.InfoRequest{TileRequest: tile, I: pixel.X, J: pixel.Y}
	for _, format := range wmts100.InfoFormats() {
		if format.Extension == request.PathValue(r, "ext") {
			named.InfoFormat = format.MIME
		}
	}
	found, p, err := s.findResource(r, &named.TileRequest)
	if err != nil {
		return err
	}
	return asResource(s.sendInfo(e, r, found, &named, p))
}

func (s *service) sendInfo(e *answer.Exchange, r *http.Request, t *tile, named *wmts100.InfoRequest, p *request.Parameters) error {
	if err := named.Check(&t.set.Matrices[t.id.Z]); err != nil {
		return err
	}
	if t.style == style.DefaultName {
		delete(p.Values, "style") // the default style means all bands here
	}
	info, damage, err := s.infoAt(r, t, named, p)
	if err != nil {
		return err
	}
	e.SetDamage(damage)
	mime := named.InfoFormat
	if mime != wmts100.MIMEJSON {
		mime += "; charset=utf-8"
	}
	e.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox") // names in the file may contain markup
	e.SendDocument(r, mime, info.Encode(named.InfoFormat))
	return nil
}

// infoAt returns the values at the center of a pixel, and their damage. A point outside the
// layer gives an empty result, not an error.
func (s *service) infoAt(r *http.Request, t *tile, named *wmts100.InfoRequest, p *request.Parameters) (*wmts100.Info, raster.Damage, error) {
	style, err := serve.ValueStyle(p, t.layer.Layer)
	if err != nil {
		return nil, raster.Damage{}, err
	}
	m := &t.set.Matrices[t.id.Z]
	column, row := t.id.X*m.TileWidth+named.I, t.id.Y*m.TileHeight+named.J
	position := t.set.Lattice(t.id.Z, 1).At(float64(column)+0.5, float64(row)+0.5)
	info := &wmts100.Info{
		Layer: t.layer.ID(), Title: t.layer.Title(), CRS: t.set.CRS.URN(), Position: position,
		Degrees: geo.NewTransform(t.set.CRS, geo.CRS84()).Apply(position),
	}
	point, err := s.Catalog.Point(r.Context(), t.layer.Layer, style, t.set.CRS, position)
	var coded *layer.Error
	if errors.As(err, &coded) && coded.Code == layer.NotFound {
		return info, raster.Damage{}, nil
	}
	if err != nil {
		return nil, raster.Damage{}, err
	}
	info.Found, info.Column, info.Row = true, point.Column, point.Row
	names := valueNames(style, t.layer.Describe().Info)
	for i, band := range point.Bands {
		value := wmts100.Value{Unit: band.Unit, Number: band.Value, Valid: band.Valid && !math.IsNaN(band.Value)}
		if i < len(names) {
			value.Name = names[i]
		}
		info.Values = append(info.Values, value)
	}
	return info, point.Damage, nil
}

// valueNames returns the names of the bands that a style reads, or nil for an expression.
func valueNames(s style.Style, info *raster.Info) []string {
	switch {
	case s.Expression != nil:
		return nil
	case s.BandNames != nil:
		return s.BandNames
	}
	var names []string
	if s.Bands == nil {
		for _, band := range info.Bands {
			names = append(names, band.Name)
		}
		return names
	}
	for _, band := range s.Bands {
		if band < 0 || band >= len(info.Bands) {
			return nil
		}
		names = append(names, info.Bands[band].Name)
	}
	return names
}
