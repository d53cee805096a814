package wmts

import (
	"bytes"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"tileserver/display/picture"
	"tileserver/http/accept"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/http/wmts/wmts100"
	"tileserver/layer"
	"tileserver/layer/listing"
	"tileserver/layer/tilesets"
)

// capabilities answers a query for the capabilities of all layers.
func (s *service) capabilities(e *answer.Exchange, r *http.Request, query wmts100.Query) error {
	request, err := query.Capabilities()
	if err != nil {
		return err
	}
	d, err := s.documentOfAll(r)
	if err != nil {
		return err
	}
	isCurrent, err := request.IsCurrent(d.UpdateSequence)
	if err != nil {
		return err
	}
	if d.Sections = request.Sections; isCurrent {
		d.Sections = wmts100.Sections{}
	}
	return s.sendDocumentOfAll(e, r, request.MIME, d)
}

// metadata answers with the capabilities of all layers as a resource.
func (s *service) metadata(e *answer.Exchange, r *http.Request) error {
	mime, err := negotiateXML(e, r)
	if err != nil {
		return err
	}
	d, err := s.documentOfAll(r)
	if err != nil {
		return err
	}
	return s.sendDocumentOfAll(e, r, mime, d)
}

// documentOfAll is the capabilities of all layers, or of those that match a search.
type documentOfAll struct {
	*wmts100.Document
	layers int // number of all of them
}

// documentOfAll describes as many layers as fit.
func (s *service) documentOfAll(r *http.Request) (*documentOfAll, error) {
	excerpt, err := s.Excerpt(r, listing.Placed)
	if err != nil {
		return nil, err
	}
	d := s.documentOf(s.ForAllLayers(r), wmts100.MetadataPath+excerpt.Query(), excerpt.ChangedAt, excerpt.Layers)
	d.Service.Abstract = strings.TrimSpace(d.Service.Abstract + " " + excerpt.Missing())
	d.MaxBytes = serve.MaxDocumentBytes
	d.Remark = func(layers int, last string) string {
		return excerpt.Remark(layers, d.Base+wmts100.MetadataPath, last) +
			" Each layer is described in full at " + d.Base + "/layers/{layer}/" + wmts100.MetadataName + "."
	}
	return &documentOfAll{d, excerpt.Total}, nil
}

func (s *service) sendDocumentOfAll(e *answer.Exchange, r *http.Request, mime string, d *documentOfAll) error {
	key := fmt.Sprintf("wmts\n%s\n%v\n%s\n%d", d.Self, d.Sections, d.UpdateSequence, d.layers)
	return s.SendCachedDocument(e, r, mime, key, d.Write)
}

// layerMetadata answers with the capabilities of one layer. Those of all may be long.
func (s *service) layerMetadata(e *answer.Exchange, r *http.Request) error {
	changedAt := s.Catalog.ChangedAt()
	l, err := s.Catalog.Find(r.Context(), request.PathValue(r, "layer"))
	if err != nil {
		return err
	}
	mime, err := negotiateXML(e, r)
	if err != nil {
		return err
	}
	if len(formatsOf(l)) == 0 {
		return l.Access().Strangers.CheckFormat(layer.PNG.Extension())
	}
	d := s.documentOf(r, "/layers/"+url.PathEscape(l.ID())+"/"+wmts100.MetadataName, changedAt, []*layer.Layer{l})
	for range d.Layers {
		var body bytes.Buffer
		if err := d.Write(&body); err != nil {
			return err
		}
		e.SendDocument(r, mime, body.Bytes())
		return nil
	}
	return answer.NotFound("the layer has no known place on the earth, so WMTS has no tiles of it")
}

// negotiateXML returns the XML media type that the request accepts, or an error if it accepts none.
func negotiateXML(e *answer.Exchange, r *http.Request) (mime string, err error) {
	e.VariesBy("Accept")
	types := []string{wmts100.MIMEXML, wmts100.MIMETextXML}
	chosen, ok := accept.Parse(r.Header.Values("Accept")).Choose(types[:1], types[1:])
	if !ok {
		return "", answer.NotAcceptable("available as " + wmts100.MIMEXML + " only")
	}
	return types[chosen], nil
}

// documentOf describes layers and omits those without a known position on earth. The caller must
// read changedAt before layers: a change in between would be in the document under the old update
// sequence otherwise, and clients would never fetch the new one.
func (s *service) documentOf(r *http.Request, self string, changedAt time.Time, layers []*layer.Layer) *wmts100.Document {
	base := s.BaseURL(r)
	return &wmts100.Document{
		Base: base, Self: base + self, Service: wmts100.Service(s.Service), Sections: wmts100.AllSections(),
		UpdateSequence: wmts100.UpdateSequence(changedAt),
		Layers:         layersOf(base, layers),
		HidesValues:    len(layers) > 0 && !slices.ContainsFunc(layers, tellsValues),
	}
}

// tellsValues reports whether strangers may ask for values of a layer.
func tellsValues(l *layer.Layer) bool { return l.Access().Strangers.CheckValues() == nil }

func layersOf(base string, layers []*layer.Layer) iter.Seq[*wmts100.Layer] {
	return func(yield func(*wmts100.Layer) bool) {
		for _, l := range layers {
			if d, ok := describe(base, l); ok && !yield(d) {
				return
			}
		}
	}
}

func describe(base string, l *layer.Layer) (*wmts100.Layer, bool) {
	described := l.Describe()
	d := &wmts100.Layer{ID: l.ID(), Title: l.Title(), Abstract: strings.TrimSpace(l.Abstract() + " " + l.Attribution())}
	if described.HasBounds {
		d.Bounds, _ = described.Bounds.OnEarth()
	}
	for _, t := range described.TileSets {
		if wmts100.IsNameable(t.Set) {
			d.TileSets = append(d.TileSets, wmts100.TileSet{Set: t.Set, Bounds: t.Bounds, Levels: t.MaxZoom + 1, Limits: limitsOf(t)})
		}
	}
	if len(d.TileSets) == 0 {
		return nil, false
	}
	if d.Formats = formatsOf(l); len(d.Formats) == 0 {
		return nil, false
	}
	if tellsValues(l) {
		d.InfoFormats = wmts100.InfoFormats()
	}
	for _, style := range l.Styles() {
		named := wmts100.Style{ID: style.Name, Title: style.Title}
		if l.HasLegend(style.Style) {
			named.Legend = legendOf(base, l.ID(), style.Name)
		}
		d.Styles = append(d.Styles, named)
	}
	return d, true
}

// limitsOf returns the limits of all matrices up to the finest useful one. Coarse matrices are
// included, although the layer may be a dot in them, so that maps of the world show it.
func limitsOf(t tilesets.TileSet) []wmts100.MatrixLimits {
	var limits []wmts100.MatrixLimits
	for z := 0; z <= t.MaxZoom; z++ {
		if minColumn, minRow, maxColumn, maxRow, ok := t.Limits(z); ok {
			limits = append(limits, wmts100.MatrixLimits{
				Matrix: t.Set.Matrices[z].ID, Limits: wmts100.Limits{MinColumn: minColumn, MinRow: minRow, MaxColumn: maxColumn, MaxRow: maxRow},
			})
		}
	}
	return limits
}

// legendOf returns a legend that is drawn in exactly the listed size.
func legendOf(base, id, style string) *wmts100.Legend {
	const size, width, height = "width=280&height=64", 280, 64
	address := base + "/layers/" + url.PathEscape(id) + "/legend.png?style=" + url.QueryEscape(style) + "&" + size
	return &wmts100.Legend{Address: address, MIME: picture.PNG.MIME(), Width: width, Height: height}
}
