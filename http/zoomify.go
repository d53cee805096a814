package http

import (
	"net/http"

	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/zoomify"
	"tileserver/layer"
)

// zoomifyRoutes returns the routes of Zoomify images. Viewers disagree on the tiles of images whose
// sides are odd. Those that drop fractions of pixels when halving use the folder truncated.
func (s *server) zoomifyRoutes() map[string]answer.Handler {
	routes := make(map[string]answer.Handler)
	for folder, truncated := range map[string]bool{"/zoomify/{layer}": false, "/zoomify/{layer}/truncated": true} {
		routes[folder+"/ImageProperties.xml"] = s.zoomifyDocument(truncated)
		routes[folder+"/{group}/{tile}"] = s.zoomifyTile(truncated)
	}
	return routes
}

func zoomifyOf(d *layer.Description, truncated bool) zoomify.Image {
	return zoomify.Image{Width: d.Width, Height: d.Height, Truncated: truncated}
}

func (s *server) zoomifyDocument(truncated bool) answer.Handler {
	return func(e *answer.Exchange, r *http.Request) error {
		d, err := s.describe(e, request.PathValue(r, "layer"))
		if err != nil {
			return err
		}
		e.SendDocument(r, answer.MIMEXML, zoomifyOf(&d, truncated).Document())
		return nil
	}
}

func (s *server) zoomifyTile(truncated bool) answer.Handler {
	return func(e *answer.Exchange, r *http.Request) error {
		group, isGroup := zoomify.ParseGroup(request.PathValue(r, "group"))
		tier, column, row, extension, isTile := zoomify.ParseTile(request.PathValue(r, "tile"))
		if !isGroup || !isTile {
			return answer.RouteNotFound(e, r)
		}
		id := request.PathValue(r, "layer")
		d, err := s.describe(e, id)
		if err != nil {
			return err
		}
		format, err := request.FormatOf(extension)
		if err != nil {
			return err
		}
		tile, itsGroup, ok := zoomifyOf(&d, truncated).Tile(tier, column, row)
		if !ok || itsGroup != group {
			return answer.NotFound("there is no tile %d-%d-%d in group %d", tier, column, row, group)
		}
		return s.picture(e, r, request.ParametersOf(r).Allow("return_mask", "wait"), layer.Request{Layer: id, Area: layer.LevelArea(tile), Format: format})
	}
}
