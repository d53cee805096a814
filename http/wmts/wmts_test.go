package wmts_test

import (
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"tileserver/http/servertest"
	"tileserver/layer"
)

// wmtsReport is an exception report as clients parse it.
type wmtsReport struct {
	XMLName    xml.Name `xml:"http://www.opengis.net/ows/1.1 ExceptionReport"`
	Version    string   `xml:"version,attr"`
	Exceptions []struct {
		Code    string  `xml:"exceptionCode,attr"`
		Locator *string `xml:"locator,attr"`
		Text    string  `xml:"http://www.opengis.net/ows/1.1 ExceptionText"`
	} `xml:"http://www.opengis.net/ows/1.1 Exception"`
}

func reportOf(t testing.TB, recorder *httptest.ResponseRecorder) wmtsReport {
	t.Helper()
	if got := recorder.Header().Get("Content-Type"); got != "application/xml" {
		t.Errorf("a report has the type %q", got)
	}
	if got := recorder.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("a report has Cache-Control %q", got)
	}
	var report wmtsReport
	if err := xml.Unmarshal(recorder.Body.Bytes(), &report); err != nil {
		t.Fatalf("%v in %s", err, recorder.Body)
	}
	if report.Version != "1.1.0" || len(report.Exceptions) == 0 {
		t.Fatalf("the report is %s", recorder.Body)
	}
	return report
}

// The tile at the corner of the layers "map" and "height", as a query.
const (
	tileQuery = "service=WMTS&request=GetTile&version=1.0.0&layer=map&style=default&format=image/png" +
		"&TileMatrixSet=WebMercatorQuad&TileMatrix=12&TileRow=1340&TileCol=2200"
	infoQuery = "&J=7&I=20&InfoFormat=application/json"
)

// edit changes parameters of a query. The value "-" removes a parameter.
func edit(query string, changes ...string) string {
	parts := strings.Split(query, "&")
	for i := 0; i+1 < len(changes); i += 2 {
		kept := parts[:0]
		for _, part := range parts {
			if name, _, _ := strings.Cut(part, "="); name != changes[i] {
				kept = append(kept, part)
			}
		}
		parts = kept
		if changes[i+1] != "-" {
			parts = append(parts, changes[i]+"="+url.QueryEscape(changes[i+1]))
		}
	}
	return "/wmts?" + strings.Join(parts, "&")
}

func TestWMTSReports(t *testing.T) {
	const capabilities = "service=WMTS&request=GetCapabilities"
	const none = "" // no locator
	server := servertest.New(t, nil)
	tests := []struct{ name, path, code, locator string }{
		{"no service", edit(capabilities, "service", "-"), "MissingParameterValue", "service"},
		{"an empty service", edit(capabilities, "service", ""), "MissingParameterValue", "service"},
		{"another service", edit(capabilities, "service", "WMS"), "InvalidParameterValue", "service"},
		{"no request", "/wmts?service=WMTS", "MissingParameterValue", "request"},
		{"a malformed query", "/wmts?service=WMTS&request~GetCapabilities!version~1.0.0", "MissingParameterValue", "request"},
		{"a bad escape", "/wmts?service=%zz", "InvalidParameterValue", none},
		{"unknown request", edit(capabilities, "request", "GetBOGUS"), "InvalidParameterValue", "request"},
		{"two services", "/wmts?service=WMTS&SERVICE=WMS&request=GetCapabilities", "InvalidParameterValue", "service"},
		{"unknown version", capabilities + "&AcceptVersions=2.0.0,9.9.9", "VersionNegotiationFailed", none},
		{"unknown section", capabilities + "&Sections=Contents,Bogus", "InvalidParameterValue", "sections"},
		{"an empty section", capabilities + "&sections=", "MissingParameterValue", "sections"},
		{"no section between commas", capabilities + "&sections=,", "MissingParameterValue", "sections"},
		{"a later update sequence", capabilities + "&updateSequence=99990101000000.000", "InvalidUpdateSequence", none},
		{"no update sequence at all", capabilities + "&updateSequence=nan", "InvalidUpdateSequence", none},

		{"no version", edit(tileQuery, "version", "-"), "MissingParameterValue", "version"},
		{"a later version", edit(tileQuery, "version", "1.1.0"), "InvalidParameterValue", "version"},
		{"no layer", edit(tileQuery, "layer", "-"), "MissingParameterValue", "layer"},
		{"no style", edit(tileQuery, "style", "-"), "MissingParameterValue", "style"},
		{"no format", edit(tileQuery, "format", "-"), "MissingParameterValue", "format"},
		{"no tile matrix set", edit(tileQuery, "TileMatrixSet", "-"), "MissingParameterValue", "TileMatrixSet"},
		{"no tile matrix", edit(tileQuery, "TileMatrix", "-"), "MissingParameterValue", "TileMatrix"},
		{"no row", edit(tileQuery, "TileRow", "-"), "MissingParameterValue", "TileRow"},
		{"no column", edit(tileQuery, "TileCol", "-"), "MissingParameterValue", "TileCol"},
		{"unknown layer", edit(tileQuery, "layer", "BogusForTest"), "InvalidParameterValue", "layer"},
		{"a layer without a position", edit(tileQuery, "layer", "plain"), "InvalidParameterValue", "TileMatrixSet"},
		{"unknown style", edit(tileQuery, "style", "BogusForTest"), "InvalidParameterValue", "style"},
		{"unknown format", edit(tileQuery, "format", "image/gif"), "InvalidParameterValue", "format"},
		{"data are no tiles", edit(tileQuery, "format", "image/tiff"), "InvalidParameterValue", "format"},
		{"unknown tile matrix set", edit(tileQuery, "TileMatrixSet", "Moon"), "InvalidParameterValue", "TileMatrixSet"},
		{"the image's own pixels", edit(tileQuery, "TileMatrixSet", "image"), "InvalidParameterValue", "TileMatrixSet"},
		{"unknown tile matrix", edit(tileQuery, "TileMatrix", "99"), "InvalidParameterValue", "TileMatrix"},
		{"a negative tile matrix", edit(tileQuery, "TileMatrix", "-1"), "InvalidParameterValue", "TileMatrix"},
		{"a word for a row", edit(tileQuery, "TileRow", "a"), "InvalidParameterValue", "TileRow"},
		{"a fraction of a column", edit(tileQuery, "TileCol", "1.5"), "InvalidParameterValue", "TileCol"},
		{"a row above", edit(tileQuery, "TileRow", "1339"), "TileOutOfRange", "TileRow"},
		{"a row below", edit(tileQuery, "TileRow", "1342"), "TileOutOfRange", "TileRow"},
		{"a column to the left", edit(tileQuery, "TileCol", "2199"), "TileOutOfRange", "TileCol"},
		{"a column to the right", edit(tileQuery, "TileCol", "2203"), "TileOutOfRange", "TileCol"},
		{"a negative row", edit(tileQuery, "TileRow", "-1"), "TileOutOfRange", "TileRow"},
		{"a row that no word holds", edit(tileQuery, "TileRow", "99999999999999999999"), "TileOutOfRange", "TileRow"},
		{"a row outside of a matrix without limits", edit(tileQuery, "TileMatrix", "20", "TileRow", "1048576"), "TileOutOfRange", "TileRow"},
		{"a range of ours backwards", edit(tileQuery, "rescale", "2,1"), "InvalidParameterValue", none},

		{"info without J", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "J", "-"), "MissingParameterValue", "J"},
		{"info without I", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "I", "-"), "MissingParameterValue", "I"},
		{"info without a format", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "InfoFormat", "-"), "MissingParameterValue", "InfoFormat"},
		{"info without a layer", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "layer", "-"), "MissingParameterValue", "layer"},
		{"info of an unknown layer", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "layer", "BogusForTest"), "InvalidParameterValue", "layer"},
		{"info of an unknown style", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "style", "BogusForTest"), "InvalidParameterValue", "style"},
		{"info in an unknown format", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "InfoFormat", "text/xml"), "InvalidParameterValue", "InfoFormat"},
		{"info of no tile", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "TileRow", "1342"), "TileOutOfRange", "TileRow"},
		{"J below the tile", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "J", "256"), "PointIJOutOfRange", "J"},
		{"I left of the tile", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "I", "-1"), "PointIJOutOfRange", "I"},
		{"a word for I", edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "I", "x"), "InvalidParameterValue", "I"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if !strings.HasPrefix(path, "/") {
				path = "/wmts?" + path
			}
			got := server.Get(t, path)
			if got.Code != http.StatusBadRequest {
				t.Errorf("the status is %d, want 400", got.Code)
			}
			first := reportOf(t, got).Exceptions[0]
			locator := none
			if first.Locator != nil {
				locator = *first.Locator
			}
			if first.Code != test.code || locator != test.locator || first.Text == "" {
				t.Errorf("got %s at %q (%s), want %s at %q", first.Code, locator, first.Text, test.code, test.locator)
			}
			if test.locator == none && first.Locator != nil {
				t.Error("the report has an empty locator")
			}
		})
	}
	if got := server.Reads(); got != 0 {
		t.Errorf("invalid requests caused %d reads", got)
	}
}

// The standard's test suite expects a code that the standard defines for tiles only.
func TestWMTSReportsPixelWithBothCodes(t *testing.T) {
	server := servertest.New(t, nil)
	report := reportOf(t, server.Get(t, edit(tileQuery+infoQuery, "request", "GetFeatureInfo", "I", "256")))
	if len(report.Exceptions) != 2 || report.Exceptions[1].Code != "TileOutOfRange" || *report.Exceptions[1].Locator != "I" {
		t.Errorf("the report is %+v", report)
	}
}

func TestWMTSReportsFailuresWithTheirStatus(t *testing.T) {
	server := servertest.New(t, nil)
	busy := servertest.Scenes(t)[0]
	busy.Config.ID = "busy"
	busy.Provider = servertest.Failing("busy@1", func() error { return &layer.Error{Code: layer.Busy, Message: "later", RetryAfter: 7e9} })
	large := servertest.Scenes(t)[0]
	large.Config.ID = "large"
	large.Provider = servertest.Failing("large@1", func() error { return &layer.Error{Code: layer.TooLarge, Message: "never"} })
	server.Add(t, busy)
	server.Add(t, large)
	for name, status := range map[string]int{"busy": 503, "large": 413, "broken": 500, "panicking": 500} {
		got := server.Get(t, edit(tileQuery, "layer", name))
		if got.Code != status {
			t.Errorf("%s: status %d, want %d", name, got.Code, status)
		}
		exception := reportOf(t, got).Exceptions[0]
		if exception.Code != "NoApplicableCode" || exception.Locator != nil {
			t.Errorf("%s is reported as %+v", name, exception)
		}
		if strings.Contains(got.Body.String(), "secret") {
			t.Errorf("%s exposes %s", name, got.Body)
		}
		if after := got.Header().Get("Retry-After"); (after == "7") != (status == 503) {
			t.Errorf("%s: Retry-After %q", name, after)
		}
	}
}

func TestWMTSReportsToHEAD(t *testing.T) {
	server := servertest.New(t, nil)
	for path, status := range map[string]int{edit(tileQuery, "layer", "broken"): 500, edit(tileQuery, "layer", "nope"): 400, edit(tileQuery): 200} {
		got := server.Do(httptest.NewRequest(http.MethodHead, path, nil))
		if got.Code != status || got.Body.Len() != 0 || got.Header().Get("Content-Length") == "" {
			t.Errorf("HEAD %s: status %d with %d bytes and the headers %v", path, got.Code, got.Body.Len(), got.Header())
		}
	}
}
