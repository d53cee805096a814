package http

import (
	"net/url"

	"tileserver/layer"
)

// ParseStyle returns style with the changes of a query. The command line and the configuration
// write styles in the syntax of requests.
func ParseStyle(query url.Values, style layer.Style) (layer.Style, error) {
	p := &parameters{values: query}
	style = p.style(style)
	return style, p.err
}

// ParseEncoding returns the encoding options in a query.
func ParseEncoding(query url.Values) (layer.Encoding, error) {
	p := &parameters{values: query}
	encoding := p.encoding()
	return encoding, p.err
}

// ParseView returns the view of the parameters bbox, crs, width, height, max_size and TiTiler's
// synonyms.
func ParseView(query url.Values) (layer.BoxArea, error) {
	p := &parameters{values: query}
	return p.boxArea()
}
