package ogc

import (
	"math"
	"net/http"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/request"
)

func (s *service) landing(_ *http.Request, site ogcapi.Site, _ *request.Parameters) (document, error) {
	all := s.layerSet()
	site.Formats = all.formats
	d := site.Landing(s.operator(), all.extent.bounds)
	return document{d, d.Page()}, nil
}

func (s *service) conformance(_ *http.Request, site ogcapi.Site, _ *request.Parameters) (document, error) {
	site.Formats = s.layerSet().formats
	d := site.Conformance()
	return document{d, d.Page(site)}, nil
}

// definition sends the OpenAPI definition, which has a media type of its own.
func (s *service) definition(e *answer.Exchange, r *http.Request) error {
	return s.sendDescribed(e, r, ogcapi.DefinitionFormats(), func(_ *http.Request, site ogcapi.Site, _ *request.Parameters) (document, error) {
		var ids []string
		all := s.layerSet()
		site.Formats, site.FixedBackground = all.formats, all.fixedBackground
		for _, t := range all.tileSets {
			ids = append(ids, t.Set.ID)
		}
		d := site.Definition(s.operator(), ids)
		return document{d, d.Page(site)}, nil
	})
}

func (s *service) collections(r *http.Request, site ogcapi.Site, p *request.Parameters) (document, error) {
	w := ogcapi.ListRange{
		Offset: p.Integer("offset", 0, 0, math.MaxInt32),
		Limit:  min(p.Integer("limit", ogcapi.DefaultLimit, 1, math.MaxInt32), ogcapi.MaxLimit),
	}
	isExplicit := p.Text("limit")+p.Text("offset") != ""
	placed := s.layerSet().layers
	first, end := w.Clamp(len(placed))
	var sources []ogcapi.Layer
	for _, l := range placed[first:end] {
		sources = append(sources, s.layer(l))
	}
	d := site.Collections(sources, len(placed), w, isExplicit)
	return document{d, d.Page(site)}, nil
}

func (s *service) collection(r *http.Request, site ogcapi.Site, _ *request.Parameters) (document, error) {
	l, err := s.placedLayer(r.Context(), request.PathValue(r, "layer"))
	if err != nil {
		return document{}, err
	}
	source := s.layer(l)
	d := site.Collection(&source)
	return document{d, d.Page(site)}, nil
}

func (s *service) styles(r *http.Request, site ogcapi.Site, _ *request.Parameters) (document, error) {
	l, err := s.placedLayer(r.Context(), request.PathValue(r, "layer"))
	if err != nil {
		return document{}, err
	}
	source := s.layer(l)
	d := site.Styles(&source)
	return document{d, d.Page(site)}, nil
}

func (s *service) style(r *http.Request, site ogcapi.Site, _ *request.Parameters) (document, error) {
	l, err := s.placedLayer(r.Context(), request.PathValue(r, "layer"))
	if err != nil {
		return document{}, err
	}
	source, id := s.layer(l), request.PathValue(r, "style")
	for _, style := range source.Styles {
		if style.ID == id {
			d := site.Style(&source, style)
			return document{d, d.Page(site)}, nil
		}
	}
	return document{}, noSuchStyle(id)
}

func noSuchStyle(id string) error { return answer.NotFound("the collection has no style %q", id) }

func (s *service) tileMatrixSets(_ *http.Request, site ogcapi.Site, _ *request.Parameters) (document, error) {
	var sets []*geo.TileMatrixSet
	for _, t := range s.layerSet().tileSets {
		sets = append(sets, t.Set)
	}
	d := site.TileMatrixSets(sets)
	return document{d, d.Page(site)}, nil
}

// tileMatrixSet answers with a registered tile matrix set, or with one that a layer has tiles
// in.
func (s *service) tileMatrixSet(r *http.Request, site ogcapi.Site, p *request.Parameters) (document, error) {
	id := request.PathValue(r, "tms")
	set, ok := geo.TileMatrixSetByID(id)
	if !ok {
		set, ok = s.servedTileMatrixSet(id)
	}
	if !ok {
		return document{}, noSuchTileMatrixSet(id)
	}
	page := site.TileMatrixSetPage(set)
	if p.Choice("version", "2.0", "1.0") == "1.0" {
		return document{ogcapi.NewTileMatrixSet10(set), page}, nil
	}
	return document{set, page}, nil
}

func noSuchTileMatrixSet(id string) error {
	return answer.NotFound("there is no tile matrix set %q", id)
}

func (s *service) servedTileMatrixSet(id string) (*geo.TileMatrixSet, bool) {
	for _, l := range s.layerSet().layers {
		if t, ok := l.tileSet(id); ok {
			return t.Set, true
		}
	}
	return nil, false
}

// layer returns a layer for the documents of package ogcapi.
func (s *service) layer(l *placedLayer) ogcapi.Layer {
	source := ogcapi.Layer{
		ID: l.ID(), Title: l.Title(), Description: l.Abstract(), Attribution: l.Attribution(),
		Bounds: l.description.Bounds, CRS: l.description.CRS, MinScaleDenominator: l.minScaleDenominator(),
		Formats: formatsOf([]*placedLayer{l}),
	}
	for _, style := range l.Styles() {
		source.Styles = append(source.Styles, ogcapi.StyleName{ID: style.Name, Title: style.Title, Version: s.VersionQuery(l.Layer.Layer, style.Name)})
	}
	return source
}
