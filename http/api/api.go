// Package api answers at the server's own addresses: tiles, views and previews, TileJSON, layers,
// points, statistics, legends and color maps. Package http calls Routes. The package owns the JSON
// documents of these addresses. It must never know how pixels are read.
package api

import (
	"tileserver/http/answer"
	"tileserver/http/serve"
)

// service has the handlers.
type service struct {
	*serve.Server
	finder
}

// Routes returns the routes of the server's own addresses: those of layers, and the same of files that
// requests name by their address.
func Routes(server *serve.Server) map[string]answer.Handler {
	s, url := &service{server, byID{server}}, &service{server, byAddress{server}}
	return map[string]answer.Handler{
		"/colormaps":                          colorMaps(),
		"/layers":                             s.layers,
		"/layers/{layer}":                     s.layer,
		"/layers/{layer}/tilejson.json":       s.tileJSON,
		"/layers/{layer}/statistics":          s.statistics,
		"/layers/{layer}/legend.json":         s.legendJSON,
		"/layers/{layer}/legend.png":          s.legendPicture,
		"/layers/{layer}/point/{place}":       s.point,
		"/layers/{layer}/view.{ext}":          s.view,
		"/layers/{layer}/preview.{ext}":       s.preview,
		"/tiles/{layer}/{z}/{x}/{tile}":       s.tile,
		"/tiles/{layer}/{tms}/{z}/{x}/{tile}": s.tile,

		"/url":                            named(url.layer),
		"/url/tilejson.json":              named(url.tileJSON),
		"/url/statistics":                 named(url.statistics),
		"/url/legend.json":                named(url.legendJSON),
		"/url/legend.png":                 named(url.legendPicture),
		"/url/point/{place}":              named(url.point),
		"/url/view.{ext}":                 named(url.view),
		"/url/preview.{ext}":              named(url.preview),
		"/url/tiles/{z}/{x}/{tile}":       named(url.tile),
		"/url/tiles/{tms}/{z}/{x}/{tile}": named(url.tile),
	}
}
