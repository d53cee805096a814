package http

import (
	"errors"
	"math"
	"net/http"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/wmts"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/style"
)

// wmtsInfoQuery answers a GetFeatureInfo query.
func (s *server) wmtsInfoQuery(e *answer.Exchange, r *http.Request, query wmts.Query) error {
	request, err := query.Info()
	if err != nil {
		return err
	}
	e.Layer = request.Layer
	tile, err := s.locateWMTSTile(&request.TileRequest)
	if err != nil {
		return err
	}
	return s.sendWMTSInfo(e, r, tile, &request, tile.parameters(query))
}

// wmtsInfoResource answers GetFeatureInfo as a resource.
func (s *server) wmtsInfoResource(e *answer.Exchange, r *http.Request) error {
	tile, err := wmtsRequestOf(r, request.PathValue(r, "col"))
	if err != nil {
		return err
	}
	pixel, err := request.TileID("0", request.PathValue(r, "i"), request.PathValue(r, "j"))
	if err != nil {
		return err
	}
	info := wmts.InfoRequest{TileRequest: tile, I: pixel.X, J: pixel.Y}
	info.Format = wmtsFormats()[0].name.MIME
	for _, format := range wmts.InfoFormats() {
		if format.Extension == request.PathValue(r, "ext") {
			info.InfoFormat = format.MIME
		}
	}
	located, err := s.locateWMTSTile(&info.TileRequest)
	if err != nil {
		return asResource(err)
	}
	p := request.ParametersOf(r)
	if p.Err != nil {
		return p.Err
	}
	return asResource(s.sendWMTSInfo(e, r, located, &info, located.parameters(wmts.Query(p.Values))))
}

func (s *server) sendWMTSInfo(e *answer.Exchange, r *http.Request, t *wmtsTile, request *wmts.InfoRequest, p *request.Parameters) error {
	if err := request.Check(&t.set.Matrices[t.id.Z]); err != nil {
		return err
	}
	if t.style == style.DefaultName {
		delete(p.Values, "style") // the default style means all bands here
	}
	info, damage, err := s.wmtsInfoAt(r, t, request, p)
	if err != nil {
		return err
	}
	e.SetDamage(damage)
	mime := request.InfoFormat
	if mime != wmts.MIMEJSON {
		mime += "; charset=utf-8"
	}
	e.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox") // names in the file may contain markup
	e.SendDocument(r, mime, info.Encode(request.InfoFormat))
	return nil
}

// wmtsInfoAt returns the values at the center of a pixel, and their damage. A point outside the
// layer gives an empty result, not an error.
func (s *server) wmtsInfoAt(r *http.Request, t *wmtsTile, request *wmts.InfoRequest, p *request.Parameters) (*wmts.Info, raster.Damage, error) {
	style, err := p.DataStyle(t.layer)
	if err != nil {
		return nil, raster.Damage{}, err
	}
	m := &t.set.Matrices[t.id.Z]
	column, row := t.id.X*m.TileWidth+request.I, t.id.Y*m.TileHeight+request.J
	position := t.set.Lattice(t.id.Z, 1).At(float64(column)+0.5, float64(row)+0.5)
	info := &wmts.Info{
		Layer: t.layer.ID(), Title: t.layer.Title(), CRS: t.set.CRS.URN(), Position: position,
		Degrees: geo.NewTransform(t.set.CRS, geo.CRS84()).Apply(position),
	}
	point, err := s.Catalog.Point(r.Context(), t.layer.ID(), style, t.set.CRS, position)
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
		value := wmts.Value{Unit: band.Unit, Number: band.Value, Valid: band.Valid && !math.IsNaN(band.Value)}
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
