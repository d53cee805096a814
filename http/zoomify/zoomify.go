// Package zoomify answers requests for Zoomify images: a document, and tiles in groups. Package tiers
// below it has the arithmetic and the documents. Package http calls Routes. Package zoomify must never
// know how pixels are read, nor another protocol.
package zoomify

import (
	"net/http"
	"net/url"

	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/http/zoomify/tiers"
	"tileserver/layer"
	"tileserver/layer/areas"
)

// service has the handlers.
type service struct{ *serve.Server }

// Routes returns the routes of Zoomify images. Viewers disagree on the tiles of images whose
// sides are odd. Those that drop fractions of pixels when halving use the folder truncated.
func Routes(server *serve.Server) map[string]answer.Handler {
	s := &service{server}
	routes := make(map[string]answer.Handler)
	for folder, truncated := range map[string]bool{"/zoomify/{layer}": false, "/zoomify/{layer}/truncated": true} {
		routes[folder+"/ImageProperties.xml"] = s.document(truncated)
		routes[folder+"/{group}/{tile}"] = s.tile(truncated)
	}
	return routes
}

// Address returns the address of a layer's document below the root address of the server.
func Address(base, layerID string) string {
	return base + "/zoomify/" + url.PathEscape(layerID) + "/ImageProperties.xml"
}

// IsAllowed reports whether strangers may ask for tiles of a layer. Viewers know one format and one
// size.
func IsAllowed(l *layer.Layer) bool {
	return len(serve.Allowed(l, layer.JPEG)) > 0 && l.Access().Strangers.CheckSize(tiers.TileSide, tiers.TileSide) == nil
}

func imageOf(l *layer.Layer, truncated bool) tiers.Image {
	d := l.Describe()
	return tiers.Image{Width: d.Width, Height: d.Height, Truncated: truncated}
}

func (s *service) document(truncated bool) answer.Handler {
	return func(e *answer.Exchange, r *http.Request) error {
		e.Layer = request.PathValue(r, "layer")
		l, err := s.Catalog.Find(r.Context(), e.Layer)
		if err != nil {
			return err
		}
		e.SendDocument(r, answer.MIMEXML, imageOf(l, truncated).Document())
		return nil
	}
}

func (s *service) tile(truncated bool) answer.Handler {
	return func(e *answer.Exchange, r *http.Request) error {
		group, isGroup := tiers.ParseGroup(request.PathValue(r, "group"))
		tier, column, row, extension, isTile := tiers.ParseTile(request.PathValue(r, "tile"))
		if !isGroup || !isTile {
			return answer.RouteNotFound(e, r)
		}
		e.Layer = request.PathValue(r, "layer")
		l, err := s.Layer(r.Context(), e.Layer)
		if err != nil {
			return err
		}
		format, err := request.FormatOf(extension)
		if err != nil {
			return err
		}
		tile, itsGroup, ok := imageOf(l.Layer, truncated).Tile(tier, column, row)
		if !ok || itsGroup != group {
			return answer.NotFound("there is no tile %d-%d-%d in group %d", tier, column, row, group)
		}
		return s.SendPicture(e, r, request.ParametersOf(r).Allow("return_mask", "wait"), l, layer.Request{Area: areas.Level(tile), Format: format})
	}
}
