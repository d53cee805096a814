// Package wmts answers requests of the OGC Web Map Tile Service 1.0.0, as queries and as resources.
// Package wmts100 below it has the syntax: it parses queries and writes documents. Package http calls
// Routes. Package wmts must never know how pixels are read, nor another protocol.
package wmts

import (
	"errors"
	"net/http"

	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/http/wmts/wmts100"
)

// service has the handlers.
type service struct{ *serve.Server }

// Routes returns the routes of the Web Map Tile Service, for queries and for resources.
func Routes(server *serve.Server) map[string]answer.Handler {
	s := &service{server}
	const tile = wmts100.ResourcePath + "/{layer}/{style}/{tms}/{z}/{row}"
	return map[string]answer.Handler{
		wmts100.QueryPath:                         answer.WithErrors(s.query, sendReport),
		wmts100.MetadataPath:                      s.metadata,
		"/layers/{layer}/" + wmts100.MetadataName: s.layerMetadata,
		tile + "/{col}.{ext}":                     s.tileResource,
		tile + "/{col}/{j}/{i}.{ext}":             s.infoResource,
	}
}

// sendReport sends the error of a query as the standard demands.
func sendReport(e *answer.Exchange, r *http.Request, err error) {
	status, report := reportOf(err)
	e.SendFailure(r, err, status, wmts100.MIMEXML, report.XML())
}

func (s *service) query(e *answer.Exchange, r *http.Request) error {
	values, err := request.Query(r)
	if err != nil {
		return err
	}
	query := wmts100.QueryOf(values)
	operation, err := query.Operation()
	if err != nil {
		return err
	}
	switch operation {
	case wmts100.GetCapabilities:
		return s.capabilities(e, r, query)
	case wmts100.GetFeatureInfo:
		return s.infoQuery(e, r, query)
	}
	return s.tileQuery(e, r, query)
}

// reportOf returns the report of an error and its status. Our own parameters have no locator.
func reportOf(err error) (status int, report wmts100.Report) {
	if errors.As(err, &report) {
		return http.StatusBadRequest, report
	}
	f := answer.FailureOf(err)
	code := wmts100.NoApplicableCode
	if f.Status == http.StatusBadRequest {
		code = wmts100.InvalidParameterValue
	}
	return f.Status, wmts100.Report{{Code: code, Text: f.Message}}
}

// asResource turns the report of a wrong resource address into a 404. A query gets a 400 for it.
func asResource(err error) error {
	var report wmts100.Report
	if errors.As(err, &report) {
		return answer.NotFound("%s", report.Error())
	}
	return err
}
