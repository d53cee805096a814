package http

import (
	"errors"
	"net/http"

	"tileserver/http/wmts"
)

// wmtsRoutes returns the routes of the Web Map Tile Service, for queries and for resources.
func (s *server) wmtsRoutes() map[string]handler {
	const tile = wmts.ResourcePath + "/{layer}/{style}/{tms}/{z}/{row}"
	return map[string]handler{
		wmts.QueryPath:                         s.wmtsQuery,
		wmts.MetadataPath:                      s.wmtsMetadata,
		"/layers/{layer}/" + wmts.MetadataName: s.wmtsLayerMetadata,
		tile + "/{col}.{ext}":                  s.wmtsTileResource,
		tile + "/{col}/{j}/{i}.{ext}":          s.wmtsInfoResource,
	}
}

// wmtsQuery answers a query, and reports errors as the standard demands.
func (s *server) wmtsQuery(e *exchange, r *http.Request) error {
	err := s.answerWMTSQuery(e, r)
	if err == nil || e.status != 0 {
		return err
	}
	status, report := wmtsReport(err)
	e.sendFailure(r, err, status, wmts.MIMEXML, report.XML())
	return nil
}

func (s *server) answerWMTSQuery(e *exchange, r *http.Request) error {
	values, err := queryOf(r)
	if err != nil {
		return invalid("the query is malformed")
	}
	query := wmts.QueryOf(values)
	operation, err := query.Operation()
	if err != nil {
		return err
	}
	switch operation {
	case wmts.GetCapabilities:
		return s.wmtsCapabilitiesQuery(e, r, query)
	case wmts.GetFeatureInfo:
		return s.wmtsInfoQuery(e, r, query)
	}
	return s.wmtsTileQuery(e, r, query)
}

// wmtsReport returns the report of an error and its status. Our own parameters have no locator.
func wmtsReport(err error) (status int, report wmts.Report) {
	if errors.As(err, &report) {
		return http.StatusBadRequest, report
	}
	f := failureOf(err)
	code := wmts.NoApplicableCode
	if f.status == http.StatusBadRequest {
		code = wmts.InvalidParameterValue
	}
	return f.status, wmts.Report{{Code: code, Text: f.message}}
}

// asResource turns the report of a wrong resource address into a 404. A query gets a 400 for it.
func asResource(err error) error {
	var report wmts.Report
	if errors.As(err, &report) {
		return notFound("%s", report.Error())
	}
	return err
}
