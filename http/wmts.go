package http

import (
	"errors"
	"net/http"

	"tileserver/http/wmts"
)

// wmtsRoutes are the addresses of the Web Map Tile Service: of queries, and of resources.
func (s *server) wmtsRoutes() map[string]answer {
	const tile = wmts.ResourcePath + "/{layer}/{style}/{tms}/{z}/{row}"
	return map[string]answer{
		wmts.QueryPath:                         s.wmtsQuery,
		wmts.MetadataPath:                      s.wmtsMetadata,
		"/layers/{layer}/" + wmts.MetadataName: s.wmtsLayerMetadata,
		tile + "/{col}.{ext}":                  s.wmtsTileResource,
		tile + "/{col}/{j}/{i}.{ext}":          s.wmtsInfoResource,
	}
}

// wmtsQuery answers a query, or reports what is wrong with it in the way of the standard.
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

// wmtsReport is what the standard has for an error, and its status. Parameters of ours are not known to it by name.
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

// asResource is an error of something that has an address of its own, which is missing where a query would be wrong.
func asResource(err error) error {
	var report wmts.Report
	if errors.As(err, &report) {
		return notFound("%s", report.Error())
	}
	return err
}
