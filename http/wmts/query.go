package wmts

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Query is what stands behind the question mark of an address. Its names are in lower case: to the standard they are the
// same in any.
type Query map[string][]string

// QueryOf folds the names of values.
func QueryOf(values url.Values) Query {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names) // so that the same query always means the same
	q := make(Query, len(values))
	for _, name := range names {
		folded := strings.ToLower(name)
		q[folded] = append(q[folded], values[name]...)
	}
	return q
}

// Operation is what the query asks for.
func (q Query) Operation() (Operation, error) {
	from := reader{query: q}
	if service := from.needed("service"); !strings.EqualFold(service, "WMTS") {
		from.refuse(Invalid("service", "the service is WMTS, not %q", service))
	}
	request := from.needed("request")
	for _, operation := range []Operation{GetCapabilities, GetTile, GetFeatureInfo} {
		if strings.EqualFold(request, string(operation)) {
			return operation, from.err
		}
	}
	from.refuse(Invalid("request", "a request is GetCapabilities, GetTile or GetFeatureInfo, not %q", request))
	return "", from.err
}

// reader reads parameters of the standard. The first mistake stays, and all that is read after it is empty.
type reader struct {
	query Query
	err   error
}

func (r *reader) refuse(report Report) {
	if r.err == nil {
		r.err = report
	}
}

// optional is the value of a parameter; found is true if it is there, if only by name. Saying the same twice does no harm,
// and some clients do.
func (r *reader) optional(locator string) (text string, found bool) {
	values := r.query[strings.ToLower(locator)]
	if len(values) == 0 || r.err != nil {
		return "", false
	}
	for _, value := range values[1:] {
		if value != values[0] {
			r.refuse(Invalid(locator, "%s is given as %q and as %q", locator, values[0], value))
			return "", true
		}
	}
	return values[0], true
}

// present is the value of a parameter that must be there, and may be empty.
func (r *reader) present(locator string) string {
	text, found := r.optional(locator)
	if !found {
		r.refuse(missing(locator))
	}
	return text
}

// needed is the value of a parameter that must be there and say something.
func (r *reader) needed(locator string) string {
	text, _ := r.optional(locator)
	if text == "" {
		r.refuse(missing(locator))
	}
	return text
}

func (r *reader) integer(locator string) int {
	text := r.needed(locator)
	if r.err != nil {
		return 0
	}
	v, err := Integer(locator, text)
	if err != nil {
		r.err = err
	}
	return v
}

// Integer is the whole number that a parameter has. One that no computer word holds is as good as any out of range.
func Integer(locator, text string) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, Invalid(locator, "%s must be a whole number, not %q", locator, text)
	}
	return v, nil
}

// list are the parts of a value between commas that say something.
func list(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
