package http

import (
	"errors"
	"net/http"

	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/wmts"
)

// wmtsRoutes returns the routes of the Web Map Tile Service, for queries and for resources.
func (s *server) wmtsRoutes() map[string]answer.Handler {
	const tile = wmts.ResourcePath + "/{layer}/{style}/{tms}/{z}/{row}"
	return map[string]answer.Handler{
		wmts.QueryPath:                         answer.WithErrors(s.wmtsQuery, sendWMTSReport),
		wmts.MetadataPath:                      s.wmtsMetadata,
		"/layers/{layer}/" + wmts.MetadataName: s.wmtsLayerMetadata,
		tile + "/{col}.{ext}":                  s.wmtsTileResource,
		tile + "/{col}/{j}/{i}.{ext}":          s.wmtsInfoResource,
	}
}

// sendWMTSReport sends the error of a query as the standard demands.
func sendWMTSReport(e *answer.Exchange, r *http.Request, err error) {
	status, report := wmtsReport(err)
	e.SendFailure(r, err, status, wmts.MIMEXML, report.XML())
}

func (s *server) wmtsQuery(e *answer.Exchange, r *http.Request) error {
	values, err := request.Query(r)
	if err != nil {
		return answer.Invalid("the query is malformed")
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
	f := answer.FailureOf(err)
	code := wmts.NoApplicableCode
	if f.Status == http.StatusBadRequest {
		code = wmts.InvalidParameterValue
	}
	return f.Status, wmts.Report{{Code: code, Text: f.Message}}
}

// asResource turns the report of a wrong resource address into a 404. A query gets a 400 for it.
func asResource(err error) error {
	var report wmts.Report
	if errors.As(err, &report) {
		return answer.NotFound("%s", report.Error())
	}
	return err
}
