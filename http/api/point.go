package api

import (
	"net/http"

	"tileserver/display/statistics"
	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/tilesets"
)

// pointDocument describes the values at a point.
type pointDocument struct {
	Coordinates []number  `json:"coordinates"`
	CRS         string    `json:"crs"` // the code, "CRS84" of longitude and latitude, or "image"
	Column      int       `json:"column"`
	Row         int       `json:"row"`
	Values      []*number `json:"values"` // by band, with scale and offset applied; null is nodata

	// Samples are the stored numbers, left out if they equal Values.
	Samples []*number `json:"samples,omitempty"`
	Names   []string  `json:"band_names,omitempty"` // of bands in the file, if any
	Units   []string  `json:"units,omitempty"`      // of values, if any
}

func (s *service) point(e *answer.Exchange, r *http.Request) error {
	p := request.ParametersOf(r).Allow("coord_crs")
	crs := p.CRS(p.Either("crs", "coord_crs"))
	coordinates := p.Numbers("a point", request.PathValue(r, "place"), 2)
	if p.Err == nil {
		p.CheckDegrees("point", geo.Bounds{MinX: coordinates[0], MinY: coordinates[1], MaxX: coordinates[0], MaxY: coordinates[1]}, crs)
	}
	l, err := s.layerOf(r)
	if err != nil {
		return err
	}
	style, err := serve.ValueStyle(p, l)
	if err != nil {
		return err
	}
	point, err := s.Catalog.Point(r.Context(), l, style, crs, geo.Point{X: coordinates[0], Y: coordinates[1]})
	if err != nil {
		return err
	}
	e.SetDamage(point.Damage)
	document := pointDocument{
		Coordinates: []number{number(coordinates[0]), number(coordinates[1])}, CRS: nameOf(crs),
		Column: point.Column, Row: point.Row,
	}
	document.describe(point.Bands)
	e.SendJSON(r, document)
	return nil
}

func (d *pointDocument) describe(bands []layer.BandValue) {
	scaled, hasUnit, hasName := false, false, false
	for _, band := range bands {
		var value, sample *number
		if band.Valid {
			v, s := number(band.Value), number(band.Sample)
			value, sample = &v, &s
		}
		d.Values, d.Samples, d.Units = append(d.Values, value), append(d.Samples, sample), append(d.Units, band.Unit)
		scaled = scaled || band.Valid && band.Value != band.Sample
		d.Names = append(d.Names, band.Name)
		hasUnit, hasName = hasUnit || band.Unit != "", hasName || band.Name != ""
	}
	if !hasName {
		d.Names = nil
	}
	if !scaled {
		d.Samples = nil
	}
	if !hasUnit {
		d.Units = nil
	}
}

// nameOf returns the name of a point's CRS. Longitude comes first in documents, so EPSG:4326 is
// called CRS84.
func nameOf(crs *geo.CRS) string {
	switch {
	case crs == nil:
		return tilesets.ImageID
	case crs.Code() == request.DefaultCRS:
		return "CRS84"
	}
	return crs.Code()
}

func (s *service) statistics(e *answer.Exchange, r *http.Request) error {
	p := request.ParametersOf(r).Allow("histogram_bins")
	bins := p.Integer("histogram_bins", statistics.DefaultReportBins, 1, statistics.MaxReportBins)
	l, err := s.layerOf(r)
	if err != nil {
		return err
	}
	style, err := serve.ValueStyle(p, l)
	if err != nil {
		return err
	}
	stats, err := s.Catalog.Statistics(r.Context(), l, style)
	if err != nil {
		return err
	}
	report := stats.Report(bins)
	if style.Expression == nil {
		report.SetNames(bandNames(l))
	}
	e.SendJSON(r, report)
	return nil
}

// bandNames returns the names of the bands in the file, or "".
func bandNames(l *layer.Layer) []string {
	bands := l.Describe().Info.Bands
	names := make([]string, len(bands))
	for i := range bands {
		names[i] = bands[i].Name
	}
	return names
}
