package wmts100

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Query is a parsed query with names in lower case, because the standard ignores their case.
type Query map[string][]string

// QueryOf converts the names of values to lower case.
func QueryOf(values url.Values) Query {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names) // for a deterministic order of values
	q := make(Query, len(values))
	for _, name := range names {
		folded := strings.ToLower(name)
		q[folded] = append(q[folded], values[name]...)
	}
	return q
}

// Operation returns the operation that the query requests.
func (q Query) Operation() (Operation, error) {
	from := reader{query: q}
	if service := from.required("service"); !strings.EqualFold(service, "WMTS") {
		from.reject(Invalid("service", "the service is WMTS, not %q", service))
	}
	request := from.required("request")
	for _, operation := range []Operation{GetCapabilities, GetTile, GetFeatureInfo} {
		if strings.EqualFold(request, string(operation)) {
			return operation, from.err
		}
	}
	from.reject(Invalid("request", "a request is GetCapabilities, GetTile or GetFeatureInfo, not %q", request))
	return "", from.err
}

// reader reads standard parameters. The first error stays, and every value read after it is empty.
type reader struct {
	query Query
	err   error
}

func (r *reader) reject(report Report) {
	if r.err == nil {
		r.err = report
	}
}

// optional returns the value of a parameter. found is true if it is present, even if empty. Some
// clients repeat a parameter, which is valid with equal values.
func (r *reader) optional(locator string) (text string, found bool) {
	values := r.query[strings.ToLower(locator)]
	if len(values) == 0 || r.err != nil {
		return "", false
	}
	for _, value := range values[1:] {
		if value != values[0] {
			r.reject(Invalid(locator, "%s is given as %q and as %q", locator, values[0], value))
			return "", true
		}
	}
	return values[0], true
}

// present returns the value of a parameter that must be present but may be empty.
func (r *reader) present(locator string) string {
	text, found := r.optional(locator)
	if !found {
		r.reject(missing(locator))
	}
	return text
}

// required returns the value of a parameter that must be present and not empty.
func (r *reader) required(locator string) string {
	text, _ := r.optional(locator)
	if text == "" {
		r.reject(missing(locator))
	}
	return text
}

func (r *reader) integer(locator string) int {
	text := r.required(locator)
	if r.err != nil {
		return 0
	}
	v, err := Integer(locator, text)
	if err != nil {
		r.err = err
	}
	return v
}

// Integer parses a whole number. A number beyond the range of int becomes the limit of that range,
// which every later check rejects.
func Integer(locator, text string) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, Invalid(locator, "%s must be a whole number, not %q", locator, text)
	}
	return v, nil
}

// list returns the non-empty elements of a comma-separated value.
func list(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
