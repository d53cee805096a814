package wmts100

import (
	"bytes"
	"fmt"

	"tileserver/http/plain"
)

// Code is an exception code.
type Code string

// The codes of the standard and of OWS Common.
const (
	MissingParameterValue    Code = "MissingParameterValue"
	InvalidParameterValue    Code = "InvalidParameterValue"
	VersionNegotiationFailed Code = "VersionNegotiationFailed"
	InvalidUpdateSequence    Code = "InvalidUpdateSequence"
	TileOutOfRange           Code = "TileOutOfRange"
	PointIJOutOfRange        Code = "PointIJOutOfRange"
	NoApplicableCode         Code = "NoApplicableCode"
)

// Exception is one error of a request. Locator names the parameter, if there is one.
type Exception struct {
	Code          Code
	Locator, Text string
}

// Report is a list of all errors of a request, at least one.
type Report []Exception

// Error returns the text of the first exception, which says most.
func (r Report) Error() string { return r[0].Text }

func reportOf(code Code, locator, format string, arguments ...any) Report {
	return Report{{code, locator, fmt.Sprintf(format, arguments...)}}
}

func missing(locator string) Report {
	return reportOf(MissingParameterValue, locator, "the parameter %s is missing", locator)
}

// Invalid returns the report of a parameter with an invalid value.
func Invalid(locator, format string, arguments ...any) Report {
	return reportOf(InvalidParameterValue, locator, format, arguments...)
}

const maxReportRunes = 400

// XML returns the exception report document.
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
	w.flush() // writes to memory cannot fail
	return document.Bytes()
}
