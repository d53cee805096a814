package http

import (
	"errors"
	"net/http"

	"tileserver/geo"
	"tileserver/http/ogcapi"
)

// ogcRoot is the path of the landing page of OGC API Tiles and Maps.
const ogcRoot = "/ogc"

// ogcRoutes returns the routes of OGC API Tiles and Maps.
func (s *server) ogcRoutes() map[string]handler {
	const (
		collection = "/collections/{layer}"
		style      = collection + "/styles/{style}"
		tileSet    = "/map/tiles/{tms}"
		tile       = tileSet + "/{z}/{row}/{col}"
	)
	routes := map[string]handler{
		"": s.ogcDocument(s.ogcLanding), "/": s.ogcDocument(s.ogcLanding),
		"/*": routeNotFound,

		"/api":                  s.ogcDefinition,
		"/conformance":          s.ogcDocument(s.ogcConformance),
		"/tileMatrixSets":       s.ogcDocument(s.ogcTileMatrixSets),
		"/tileMatrixSets/{tms}": s.ogcDocument(s.ogcTileMatrixSet),
		"/collections":          s.ogcDocument(s.ogcCollections),
		collection:              s.ogcDocument(s.ogcCollection),
		collection + "/styles":  s.ogcDocument(s.ogcStyles),
		style:                   s.ogcDocument(s.ogcStyle),

		"/map": s.ogcDatasetMap, "/map/tiles": s.ogcDocument(s.ogcDatasetTileSets),
		tileSet: s.ogcDocument(s.ogcDatasetTileSet), tile: s.ogcDatasetTile,
	}
	for _, origin := range []string{collection, style} {
		routes[origin+"/map"] = s.ogcMap
		routes[origin+"/map/tiles"] = s.ogcDocument(s.ogcTileSets)
		routes[origin+tileSet] = s.ogcDocument(s.ogcTileSet)
		routes[origin+tile] = s.ogcTile
	}
	below := make(map[string]handler, len(routes))
	for pattern, h := range routes {
		below[ogcRoot+pattern] = withProblems(requireSegments(h))
	}
	return below
}

// ogcSite returns the site of the API as the client of r addresses it.
func (s *server) ogcSite(r *http.Request) ogcapi.Site {
	return ogcapi.Site{Root: s.baseURL(r) + ogcRoot}
}

// ogcService returns the operator's description of the server.
func (s *server) ogcService() ogcapi.Service { return ogcapi.Service(s.Service) }

// withProblems sends errors as problem documents of RFC 7807, which the standards demand.
func withProblems(h handler) handler {
	return func(e *exchange, r *http.Request) error {
		err := h(e, r)
		if err == nil || e.status != 0 {
			return err
		}
		f := failureOf(err)
		h := e.Header()
		h.Del("Content-Crs")
		h.Del("Content-Bbox")
		body := marshal(ogcapi.Problem{
			Type: "about:blank", Title: http.StatusText(f.status), Status: f.status, Code: f.code, Detail: shorten(f.message, maxEchoBytes),
		})
		e.sendFailure(r, err, f.status, ogcapi.MIMEProblem, body)
		return nil
	}
}

// ogcFailure turns an error of package ogcapi, or of geo about a name, into a failure.
func ogcFailure(err error) error {
	switch {
	case errors.Is(err, ogcapi.ErrOutside):
		return notFound("%v", err)
	case errors.Is(err, ogcapi.ErrQuery), errors.Is(err, geo.ErrUnknownCRS):
		return invalid("%v", err)
	}
	return err
}

// document is a description in both forms: a value for JSON and an HTML page.
type document struct {
	value any
	page  ogcapi.Page
}

// describer returns a document. It may leave an error of the query in p.Err.
type describer func(r *http.Request, site ogcapi.Site, p *parameters) (document, error)

// ogcDocument returns a handler that sends a document as JSON or HTML.
func (s *server) ogcDocument(describe describer) handler {
	return func(e *exchange, r *http.Request) error {
		return s.sendDescribed(e, r, ogcapi.DocumentFormats(), describe)
	}
}

func (s *server) sendDescribed(e *exchange, r *http.Request, formats []ogcapi.Format, describe describer) error {
	p := parametersOf(r)
	format, err := chosenFormat(e, r, p, formats)
	if err != nil {
		return err
	}
	doc, err := describe(r, s.ogcSite(r), p)
	if err == nil {
		err = p.Err
	}
	if err != nil {
		return ogcFailure(err)
	}
	if format.Types[0] != ogcapi.MIMEHTML {
		e.sendDocument(r, format.Types[0], marshal(doc.value))
		return nil
	}
	body, err := doc.page.HTML()
	if err != nil {
		return err
	}
	e.Header().Set("Content-Security-Policy", ogcapi.PagePolicy)
	e.sendDocument(r, ogcapi.MIMEHTML+"; charset=utf-8", body)
	return nil
}

// chosenFormat returns the format that the request prefers among formats.
func chosenFormat(e *exchange, r *http.Request, p *parameters, formats []ogcapi.Format) (ogcapi.Format, error) {
	f := p.Text("f")
	if p.Err != nil {
		return ogcapi.Format{}, p.Err
	}
	if f == "" {
		e.Header().Add("Vary", "Accept")
	}
	format, ok := ogcapi.Choose(formats, f, r.Header.Values("Accept"))
	switch {
	case ok:
		return format, nil
	case f != "":
		return format, invalid("unknown format %q; use %s", f, ogcapi.Names(formats))
	}
	return format, &failure{status: http.StatusNotAcceptable, code: "not_acceptable", message: "none of the accepted formats is available; use " + ogcapi.Names(formats)}
}
