package http

import (
	"net/http"
	"net/url"
	"strings"

	"tileserver/http/answer"
	"tileserver/query"
)

// parameters holds the parameters of a request.
type parameters struct{ query.Parameters }

func parametersOf(r *http.Request) *parameters {
	values, err := queryOf(r)
	if err != nil {
		return &parameters{query.Parameters{Err: answer.Invalid("the query is malformed")}}
	}
	return withValues(values)
}

// queryOf parses the query. A semicolon, once a separator like the ampersand, is part of a value
// here: expressions contain it.
func queryOf(r *http.Request) (url.Values, error) {
	return url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B"))
}

// withValues returns parameters with given values.
func withValues(values url.Values) *parameters {
	return &parameters{query.Parameters{Values: values}}
}

// pathValue returns a segment of the path, unescaped.
func pathValue(r *http.Request, name string) string {
	value := r.PathValue(name)
	if unescaped, err := url.PathUnescape(value); err == nil {
		return unescaped
	}
	return value
}
