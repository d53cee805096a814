package wmts

import (
	"bytes"
	"fmt"

	"tileserver/http/plain"
)

// Code says what kind of mistake a request has.
type Code string

// The codes of the standard, and of OWS Common, on which it is built.
const (
	MissingParameterValue    Code = "MissingParameterValue"
	InvalidParameterValue    Code = "InvalidParameterValue"
	VersionNegotiationFailed Code = "VersionNegotiationFailed"
	InvalidUpdateSequence    Code = "InvalidUpdateSequence"
	TileOutOfRange           Code = "TileOutOfRange"
	PointIJOutOfRange        Code = "PointIJOutOfRange"
	NoApplicableCode         Code = "NoApplicableCode"
)

// Exception is one thing that is wrong. Locator names the parameter that it is about, if it is about one.
type Exception struct {
	Code          Code
	Locator, Text string
}

// Report is all that is wrong with a request: one exception at least.
type Report []Exception

// Error is the text of the first exception, which says most.
func (r Report) Error() string { return r[0].Text }

func reportOf(code Code, locator, format string, arguments ...any) Report {
	return Report{{code, locator, fmt.Sprintf(format, arguments...)}}
}

func missing(locator string) Report {
	return reportOf(MissingParameterValue, locator, "the parameter %s is missing", locator)
}

// Invalid is the report of a parameter whose value makes no sense.
func Invalid(locator, format string, arguments ...any) Report {
	return reportOf(InvalidParameterValue, locator, format, arguments...)
}

const maxReportRunes = 400

// XML is the report as clients are told of it.
func (r Report) XML() []byte {
	var document bytes.Buffer
	w := newWriter(&document)
	w.open("ows:ExceptionReport",
		"xmlns:ows", namespaceOWS, "xmlns:xsi", namespaceXSI,
		"xsi:schemaLocation", namespaceOWS+" http://schemas.opengis.net/ows/1.1.0/owsExceptionReport.xsd",
		"version", "1.1.0", "xml:lang", "en")
	for _, exception := range r {
		attributes := []string{"exceptionCode", string(exception.Code)}
		if exception.Locator != "" {
			attributes = append(attributes, "locator", exception.Locator)
		}
		w.open("ows:Exception", attributes...)
		w.element("ows:ExceptionText", plain.Text(exception.Text, maxReportRunes))
		w.close("ows:Exception")
	}
	w.close("ows:ExceptionReport")
	w.flush() // into memory, which does not fail
	return document.Bytes()
}
