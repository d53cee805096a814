package http

import (
	"iter"
	"net/http"
	"net/url"
	"strings"

	"tileserver/display/picture"
	"tileserver/http/wmts"
	"tileserver/layer"
)

// wmtsCapabilitiesQuery answers a query for the document of all layers.
func (s *server) wmtsCapabilitiesQuery(e *exchange, r *http.Request, query wmts.Query) error {
	request, err := query.Capabilities()
	if err != nil {
		return err
	}
	d := s.wmtsDocument(r, wmts.MetadataPath, s.Catalog.Layers())
	isCurrent, err := request.IsCurrent(d.UpdateSequence)
	if err != nil {
		return err
	}
	if d.Sections = request.Sections; isCurrent {
		d.Sections = wmts.Sections{}
	}
	return s.sendWMTSDocument(e, r, request.MIME, d)
}

// wmtsMetadata is the document of all layers as a resource.
func (s *server) wmtsMetadata(e *exchange, r *http.Request) error {
	return s.negotiateWMTSDocument(e, r, s.wmtsDocument(r, wmts.MetadataPath, s.Catalog.Layers()))
}

// wmtsLayerMetadata is that of one layer: the one of all may be long.
func (s *server) wmtsLayerMetadata(e *exchange, r *http.Request) error {
	l, err := s.Catalog.Layer(pathValue(r, "layer"))
	if err != nil {
		return err
	}
	d := s.wmtsDocument(r, "/layers/"+url.PathEscape(l.ID())+"/"+wmts.MetadataName, []*layer.Layer{l})
	for range d.Layers {
		return s.negotiateWMTSDocument(e, r, d)
	}
	return notFound("the layer has no known place on the earth, and so no tiles that the standard knows")
}

// negotiateWMTSDocument refuses those who take no XML.
func (s *server) negotiateWMTSDocument(e *exchange, r *http.Request, d *wmts.Document) error {
	e.Header().Add("Vary", "Accept")
	mime := acceptedXML(r)
	if mime == "" {
		return &failure{status: http.StatusNotAcceptable, code: "not_acceptable", message: "this is there as " + wmts.MIMEXML + " only"}
	}
	return s.sendWMTSDocument(e, r, mime, d)
}

// acceptedXML is the type of XML that a client takes, or empty. Who says nothing takes anything.
func acceptedXML(r *http.Request) string {
	list := strings.Join(r.Header.Values("Accept"), ",")
	if strings.Trim(list, ", ") == "" {
		return wmts.MIMEXML
	}
	accepted := ""
	for part := range strings.SplitSeq(list, ",") {
		mime, parameters, _ := strings.Cut(part, ";")
		if isRefused(parameters) {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(mime)) {
		case "*/*", "application/*", wmts.MIMEXML:
			return wmts.MIMEXML
		case "text/*", wmts.MIMETextXML:
			accepted = wmts.MIMETextXML
		}
	}
	return accepted
}

// wmtsDocument describes layers, of which those are left out that have no place on the earth.
func (s *server) wmtsDocument(r *http.Request, self string, layers []*layer.Layer) *wmts.Document {
	base := s.baseURL(r)
	return &wmts.Document{
		Base: base, Self: base + self, Service: wmts.Service(s.Service), Sections: wmts.AllSections(),
		UpdateSequence: wmts.UpdateSequence(s.Catalog.ChangedAt()),
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
		d.Bounds = onEarth(described.Bounds)
	}
	for _, t := range described.TileSets {
		if wmts.IsNameable(t.Set) {
			d.TileSets = append(d.TileSets, wmts.TileSet{Set: t.Set, Bounds: t.Bounds, Levels: t.MaxZoom + 1, Limits: wmtsLimits(t)})
		}
	}
	if len(d.TileSets) == 0 {
		return nil, false
	}
	d.Formats = s.wmtsFormatsOf(l)
	for _, style := range l.Styles() {
		named := wmts.Style{ID: style.Name, Title: style.Title}
		if l.HasLegend(style.Style) {
			named.Legend = wmtsLegend(base, l.ID(), style.Name)
		}
		d.Styles = append(d.Styles, named)
	}
	return d, true
}

// wmtsLimits are those of the matrices that the layer is worth looking at in. A coarser one than that is not left out: a map
// of the world has the layer as a dot, but has it.
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

// wmtsLegend is one that is drawn in just the size that the document gives.
func wmtsLegend(base, id, style string) *wmts.Legend {
	const size, width, height = "width=280&height=64", 280, 64
	address := base + "/layers/" + url.PathEscape(id) + "/legend.png?style=" + url.QueryEscape(style) + "&" + size
	return &wmts.Legend{Address: address, MIME: picture.PNG.MIME(), Width: width, Height: height}
}
