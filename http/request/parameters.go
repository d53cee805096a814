package request

import (
	"net/http"
	"net/url"
	"strings"

	"tileserver/access"
	"tileserver/http/answer"
	"tileserver/query"
)

// Parameters holds the parameters of a request.
type Parameters struct {
	query.Parameters
	Asker access.Asker
}

// ParametersOf returns the parameters in the query of a request.
func ParametersOf(r *http.Request) *Parameters {
	values, err := Query(r)
	if err != nil {
		return &Parameters{Parameters: query.Parameters{Err: err}}
	}
	return Of(r, values)
}

// Of returns parameters with given values that a request has asked for.
func Of(r *http.Request, values url.Values) *Parameters {
	p := With(values)
	p.Asker = AskerOf(r)
	return p
}

// Query parses the query. A semicolon, once a separator like the ampersand, is part of a value
// here: expressions contain it.
func Query(r *http.Request) (url.Values, error) {
	values, err := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B"))
	if err != nil {
		return nil, answer.Invalid("the query is malformed")
	}
	return values, nil
}

// With returns parameters with given values, of a stranger.
func With(values url.Values) *Parameters {
	return &Parameters{Parameters: query.Parameters{Values: values, InAddress: true}}
}

// PathValue returns a segment of the path, unescaped.
func PathValue(r *http.Request, name string) string {
	value := r.PathValue(name)
	if unescaped, err := url.PathUnescape(value); err == nil {
		return unescaped
	}
	return value
}

// Set replaces the values of a parameter.
func (p *Parameters) Set(name, value string) {
	if p.Values == nil {
		p.Values = make(url.Values)
	}
	p.Values.Set(name, value)
}
