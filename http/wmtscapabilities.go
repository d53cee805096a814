package http

import (
	"bytes"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tileserver/display/picture"
	"tileserver/http/accept"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/wmts"
	"tileserver/layer"
)

// wmtsCapabilitiesQuery answers a query for the capabilities of all layers.
func (s *server) wmtsCapabilitiesQuery(e *answer.Exchange, r *http.Request, query wmts.Query) error {
	request, err := query.Capabilities()
	if err != nil {
		return err
	}
	d, err := s.wmtsDocumentOfAll(r)
	if err != nil {
		return err
	}
	isCurrent, err := request.IsCurrent(d.UpdateSequence)
	if err != nil {
		return err
	}
	if d.Sections = request.Sections; isCurrent {
		d.Sections = wmts.Sections{}
	}
	return s.sendWMTSDocumentOfAll(e, r, request.MIME, d)
}

// wmtsMetadata answers with the capabilities of all layers as a resource.
func (s *server) wmtsMetadata(e *answer.Exchange, r *http.Request) error {
	mime, err := negotiateXML(e, r)
	if err != nil {
		return err
	}
	d, err := s.wmtsDocumentOfAll(r)
	if err != nil {
		return err
	}
	return s.sendWMTSDocumentOfAll(e, r, mime, d)
}

// maxDocumentBytes bounds documents that list layers, since clients parse them as a whole.
const maxDocumentBytes = 500_000

// wmtsDocumentOfAll describes all layers, or those that match the search, as many as fit.
func (s *server) wmtsDocumentOfAll(r *http.Request) (*wmts.Document, error) {
	excerpt, err := s.excerpt(r, layer.Placed)
	if err != nil {
		return nil, err
	}
	d := s.wmtsDocument(r, wmts.MetadataPath+excerpt.suffix(), excerpt.ChangedAt, excerpt.Layers)
	d.MaxBytes = maxDocumentBytes
	d.Remark = func(layers int, last string) string {
		return excerpt.remark(layers, d.Base+wmts.MetadataPath, last) +
			" Each layer is described in full at " + d.Base + "/layers/{layer}/" + wmts.MetadataName + "."
	}
	return d, nil
}

func (s *server) sendWMTSDocumentOfAll(e *answer.Exchange, r *http.Request, mime string, d *wmts.Document) error {
	key := fmt.Sprintf("wmts\n%s\n%v\n%s", d.Self, d.Sections, d.UpdateSequence)
	return s.sendCachedDocument(e, r, mime, key, d.Write)
}

// wmtsLayerMetadata answers with the capabilities of one layer. Those of all may be long.
func (s *server) wmtsLayerMetadata(e *answer.Exchange, r *http.Request) error {
	changedAt := s.Catalog.ChangedAt()
	l, err := s.Catalog.Layer(request.PathValue(r, "layer"))
	if err != nil {
		return err
	}
	mime, err := negotiateXML(e, r)
	if err != nil {
		return err
	}
	d := s.wmtsDocument(r, "/layers/"+url.PathEscape(l.ID())+"/"+wmts.MetadataName, changedAt, []*layer.Layer{l})
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
	types := []string{wmts.MIMEXML, wmts.MIMETextXML}
	chosen, ok := accept.Parse(r.Header.Values("Accept")).Choose(types[:1], types[1:])
	if !ok {
		return "", answer.NotAcceptable("available as " + wmts.MIMEXML + " only")
	}
	return types[chosen], nil
}

// wmtsDocument describes layers and omits those without a known position on earth. The caller must
// read changedAt before layers: a change in between would be in the document under the old update
// sequence otherwise, and clients would never fetch the new one.
func (s *server) wmtsDocument(r *http.Request, self string, changedAt time.Time, layers []*layer.Layer) *wmts.Document {
	base := s.baseURL(r)
	return &wmts.Document{
		Base: base, Self: base + self, Service: wmts.Service(s.Service), Sections: wmts.AllSections(),
		UpdateSequence: wmts.UpdateSequence(changedAt),
		Layers:         s.wmtsLayers(base, layers),
	}
}

func (s *server) wmtsLayers(base string, layers []*layer.Layer) iter.Seq[*wmts.Layer] {
	return func(yield func(*wmts.Layer) bool) {
		for _, l := range layers {
			if d, ok := s.wmtsLayer(base, l); ok && !yield(d) {
				return
			}
		}
	}
}

func (s *server) wmtsLayer(base string, l *layer.Layer) (*wmts.Layer, bool) {
	described := l.Describe()
	d := &wmts.Layer{ID: l.ID(), Title: l.Title(), Abstract: strings.TrimSpace(l.Abstract() + " " + l.Attribution())}
	if described.HasBounds {
		d.Bounds, _ = onEarth(described.Bounds)
	}
	for _, t := range described.TileSets {
		if wmts.IsNameable(t.Set) {
			d.TileSets = append(d.TileSets, wmts.TileSet{Set: t.Set, Bounds: t.Bounds, Levels: t.MaxZoom + 1, Limits: wmtsLimits(t)})
		}
	}
	if len(d.TileSets) == 0 {
		return nil, false
	}
	d.Formats = wmtsFormatsOf(l)
	for _, style := range l.Styles() {
		named := wmts.Style{ID: style.Name, Title: style.Title}
		if l.HasLegend(style.Style) {
			named.Legend = wmtsLegend(base, l.ID(), style.Name)
		}
		d.Styles = append(d.Styles, named)
	}
	return d, true
}

// wmtsLimits returns the limits of all matrices up to the finest useful one. Coarse matrices are
// included, although the layer may be a dot in them, so that maps of the world show it.
func wmtsLimits(t layer.TileSet) []wmts.MatrixLimits {
	var limits []wmts.MatrixLimits
	for z := 0; z <= t.MaxZoom; z++ {
		if minColumn, minRow, maxColumn, maxRow, ok := t.Limits(z); ok {
			limits = append(limits, wmts.MatrixLimits{
				Matrix: t.Set.Matrices[z].ID, Limits: wmts.Limits{MinColumn: minColumn, MinRow: minRow, MaxColumn: maxColumn, MaxRow: maxRow},
			})
		}
	}
	return limits
}

// wmtsLegend returns a legend that is drawn in exactly the listed size.
func wmtsLegend(base, id, style string) *wmts.Legend {
	const size, width, height = "width=280&height=64", 280, 64
	address := base + "/layers/" + url.PathEscape(id) + "/legend.png?style=" + url.QueryEscape(style) + "&" + size
	return &wmts.Legend{Address: address, MIME: picture.PNG.MIME(), Width: width, Height: height}
}
