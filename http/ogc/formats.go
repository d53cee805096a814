package ogc

import (
	"net/http"
	"slices"

	"tileserver/http/answer"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
)

// pictureFormat returns the format of a map or a tile that the request prefers.
func (s *service) pictureFormat(e *answer.Exchange, r *http.Request, p *request.Parameters) (layer.Format, error) {
	chosen, err := chosenFormat(e, r, p, ogcapi.PictureFormats())
	if err != nil {
		return layer.PNG, err
	}
	return layer.ParseFormat(chosen.Name)
}

// offeredFormat returns the preferred format, or another one that the request accepts if layers do
// not offer that. A format that the request names stays, and is refused.
func offeredFormat(r *http.Request, p *request.Parameters, preferred layer.Format, offered []ogcapi.Format) layer.Format {
	if offered == nil || p.Text("f") != "" {
		return preferred
	}
	if chosen, ok := ogcapi.Choose(offered, "", r.Header.Values("Accept")); ok {
		if format, err := layer.ParseFormat(chosen.Name); err == nil {
			return format
		}
	}
	return preferred
}

// formatsOf returns the formats that strangers may ask of any of the layers; nil is all.
func formatsOf(layers []*placedLayer) []ogcapi.Format {
	if len(layers) == 0 {
		return nil
	}
	all := ogcapi.PictureFormats()
	offered := []ogcapi.Format{}
	for _, format := range all {
		if slices.ContainsFunc(layers, func(l *placedLayer) bool { return l.offers(format) }) {
			offered = append(offered, format)
		}
	}
	if len(offered) == len(all) {
		return nil
	}
	return offered
}

// offers reports whether strangers may ask for a format of the layer.
func (l *placedLayer) offers(format ogcapi.Format) bool {
	parsed, err := layer.ParseFormat(format.Name)
	return err == nil && len(serve.Allowed(l.Layer.Layer, parsed)) > 0
}

// background is the parameter of styles that bgcolor sets.
const background = "background"
