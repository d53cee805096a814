// Package ogc answers requests of OGC API Tiles and Maps: documents, tiles and maps of one layer, and
// of layers drawn over each other. Package ogcapi below it has the syntax: it parses parameters and
// writes documents. Package http calls Routes. The package owns the choice of layers for a request
// that selects none. It must never know how pixels are read, nor another protocol.
package ogc

import (
	"errors"
	"net/http"
	"sync/atomic"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
)

// Root is the path of the landing page of OGC API Tiles and Maps.
const Root = "/ogc"

// service has the handlers.
type service struct {
	*serve.Server
	cachedLayers atomic.Pointer[layerSet] // the last result of layerSet
}

// Routes returns the routes of OGC API Tiles and Maps.
func Routes(server *serve.Server) map[string]answer.Handler {
	s := &service{Server: server}
	const (
		collection = "/collections/{layer}"
		style      = collection + "/styles/{style}"
		tileSet    = "/map/tiles/{tms}"
		tile       = tileSet + "/{z}/{row}/{col}"
	)
	routes := map[string]answer.Handler{
		"": s.document(s.landing), "/": s.document(s.landing),
		"/*": answer.RouteNotFound,

		"/api":                  s.definition,
		"/conformance":          s.document(s.conformance),
		"/tileMatrixSets":       s.document(s.tileMatrixSets),
		"/tileMatrixSets/{tms}": s.document(s.tileMatrixSet),
		"/collections":          s.document(s.collections),
		collection:              s.document(s.collection),
		collection + "/styles":  s.document(s.styles),
		style:                   s.document(s.style),

		"/map": s.datasetMap, "/map/tiles": s.document(s.datasetTileSets),
		tileSet: s.document(s.datasetTileSet), tile: s.datasetTile,
	}
	for _, origin := range []string{collection, style} {
		routes[origin+"/map"] = s.layerMap
		routes[origin+"/map/tiles"] = s.document(s.tileSets)
		routes[origin+tileSet] = s.document(s.tileSet)
		routes[origin+tile] = s.tile
	}
	below := make(map[string]answer.Handler, len(routes))
	for pattern, h := range routes {
		below[Root+pattern] = answer.WithErrors(answer.RequireSegments(h), sendProblem)
	}
	return below
}

// site returns the site of the API as the client of r addresses it.
func (s *service) site(r *http.Request) ogcapi.Site {
	return ogcapi.Site{Root: s.BaseURL(r) + Root}
}

// operator returns the operator's description of the server.
func (s *service) operator() ogcapi.Service { return ogcapi.Service(s.Service) }

// sendProblem sends an error as a problem document of RFC 7807, which the standards demand.
func sendProblem(e *answer.Exchange, r *http.Request, err error) {
	err = namingCollections(err)
	f := answer.FailureOf(err)
	h := e.Header()
	h.Del("Content-Crs")
	h.Del("Content-Bbox")
	body := answer.Marshal(ogcapi.Problem{
		Type: "about:blank", Title: http.StatusText(f.Status), Status: f.Status, Code: f.Code, Detail: f.Text(),
	})
	e.SendFailure(r, err, f.Status, ogcapi.MIMEProblem, body)
}

// namingCollections adds the parameter that selects layers to the error that they are too many.
func namingCollections(err error) error {
	var tooMany *layer.Error
	if !errors.Is(err, layer.ErrTooManyLayers) || !errors.As(err, &tooMany) {
		return err
	}
	named := *tooMany
	named.Message += " with collections=a,b"
	return &named
}

// failureOf turns an error of package ogcapi, or of geo about a name, into a failure.
func failureOf(err error) error {
	switch {
	case errors.Is(err, ogcapi.ErrOutside):
		return answer.NotFound("%v", err)
	case errors.Is(err, ogcapi.ErrQuery), errors.Is(err, geo.ErrUnknownCRS):
		return answer.Invalid("%v", err)
	}
	return err
}

// document is a description in both forms: a value for JSON and an HTML page.
type document struct {
	value any
	page  ogcapi.Page
}

// describer returns a document. It may leave an error of the query in p.Err.
type describer func(r *http.Request, site ogcapi.Site, p *request.Parameters) (document, error)

// document returns a handler that sends a document as JSON or HTML.
func (s *service) document(describe describer) answer.Handler {
	return func(e *answer.Exchange, r *http.Request) error {
		return s.sendDescribed(e, r, ogcapi.DocumentFormats(), describe)
	}
}

func (s *service) sendDescribed(e *answer.Exchange, r *http.Request, formats []ogcapi.Format, describe describer) error {
	p := request.ParametersOf(r)
	format, err := chosenFormat(e, r, p, formats)
	if err != nil {
		return err
	}
	doc, err := describe(r, s.site(r), p)
	if err == nil {
		err = p.Err
	}
	if err != nil {
		return failureOf(err)
	}
	if format.Types[0] != ogcapi.MIMEHTML {
		e.SendDocument(r, format.Types[0], answer.Marshal(doc.value))
		return nil
	}
	body, err := doc.page.HTML()
	if err != nil {
		return err
	}
	e.Header().Set("Content-Security-Policy", ogcapi.PagePolicy)
	e.SendDocument(r, ogcapi.MIMEHTML+"; charset=utf-8", body)
	return nil
}

// chosenFormat returns the format that the request prefers among formats.
func chosenFormat(e *answer.Exchange, r *http.Request, p *request.Parameters, formats []ogcapi.Format) (ogcapi.Format, error) {
	f := p.Text("f")
	if p.Err != nil {
		return ogcapi.Format{}, p.Err
	}
	if f == "" {
		e.VariesBy("Accept")
	}
	format, ok := ogcapi.Choose(formats, f, r.Header.Values("Accept"))
	switch {
	case ok:
		return format, nil
	case f != "":
		return format, answer.Invalid("unknown format %q; use %s", f, ogcapi.Names(formats))
	}
	return format, answer.NotAcceptable("none of the accepted formats is available; use " + ogcapi.Names(formats))
}
