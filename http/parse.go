package http

import (
	"net/url"

	"tileserver/layer"
)

// ParseEncoding returns the encoding options in a query.
func ParseEncoding(query url.Values) (layer.Encoding, error) {
	p := withValues(query)
	encoding := p.encoding()
	return encoding, p.Err
}

// ParseView returns the view of the parameters bbox, crs, width, height, max_size and TiTiler's
// synonyms.
func ParseView(query url.Values) (layer.BoxArea, error) {
	p := withValues(query)
	return p.boxArea()
}
