package style

import (
	"net/url"
	"strings"

	"tileserver/query"
)

// Parse returns base with the changes of parameters.
func Parse(values url.Values, base Style) (Style, error) {
	p := query.Parameters{Values: values}
	changed := Read(&p, base)
	return changed, p.Err
}

// Read returns base with the changes of a query.
func Read(p *query.Parameters, base Style) Style {
	r, s := reader{p}, &base
	r.overrideBands(s)
	r.overrideRelief(s)
	r.overrideRange(s)
	r.overrideColors(s)
	for i := range parameters {
		own := &parameters[i]
		if own.set != nil && p.Text(own.Name) != "" {
			base = own.set(p, own.Name, base)
		}
	}
	return base
}

// reader reads the parameters that replace each other.
type reader struct{ *query.Parameters }

// withoutPrefix returns the text of an error without the text of kind at its beginning. The message
// names the parameter already.
func withoutPrefix(kind, err error) string { return strings.TrimPrefix(err.Error(), kind.Error()+": ") }
