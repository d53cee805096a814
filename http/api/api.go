// Package api answers at the server's own addresses: tiles, views and previews, TileJSON, layers,
// points, statistics, legends and color maps. Package http calls Routes. The package owns the JSON
// documents of these addresses. It must never know how pixels are read.
package api

import (
	"tileserver/http/answer"
	"tileserver/http/serve"
)

// service has the handlers.
type service struct{ *serve.Server }

// Routes returns the routes of the server's own addresses.
func Routes(server *serve.Server) map[string]answer.Handler {
	s := &service{server}
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
	}
}
