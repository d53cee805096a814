package http

import (
	"net/url"

	"tileserver/layer"
)

// ParseStyle is a style with what a query says otherwise, for those who have
// the words of a request but no request: the command line, the configuration.
func ParseStyle(query url.Values, style layer.Style) (layer.Style, error) {
	p := &parameters{values: query}
	style = p.style(style)
	return style, p.err
}

// ParseEncoding is how the parameters of a query want pictures to become files.
func ParseEncoding(query url.Values) (layer.Encoding, error) {
	p := &parameters{values: query}
	encoding := p.encoding()
	return encoding, p.err
}

// ParseView returns the view that the parameters bbox, crs, width, height, max_size and those of TiTiler ask for.
func ParseView(query url.Values) (layer.BoxArea, error) {
	p := &parameters{values: query}
	return p.boxArea()
}
