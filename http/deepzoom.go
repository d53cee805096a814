package http

import (
	"net/http"
	"strings"

	"tileserver/http/answer"
	"tileserver/http/deepzoom"
	"tileserver/http/request"
	"tileserver/layer"
)

// deepZoomRoutes returns the routes of Deep Zoom images: a document, and a folder of tiles beside
// it. A layer id may end with the suffix of either.
func (s *server) deepZoomRoutes() map[string]answer.Handler {
	return map[string]answer.Handler{
		"/dzi/{document}":              s.deepZoomDocument,
		"/dzi/{folder}/{level}/{tile}": s.deepZoomTile,
	}
}

const (
	deepZoomExtension = ".dzi"
	deepZoomFolder    = "_files"
)

func deepZoomOf(d *layer.Description) deepzoom.Image {
	return deepzoom.Image{Width: d.Width, Height: d.Height, TileSide: tileSide(d.Info)}
}

func (s *server) deepZoomDocument(e *answer.Exchange, r *http.Request) error {
	id, ok := strings.CutSuffix(request.PathValue(r, "document"), deepZoomExtension)
	if !ok {
		return answer.RouteNotFound(e, r)
	}
	d, err := s.describe(e, id)
	if err != nil {
		return err
	}
	p := request.ParametersOf(r)
	format, err := s.pixelFormat(p, id)
	if err != nil {
		return err
	}
	e.SendDocument(r, answer.MIMEXML, deepZoomOf(&d).Document(format.Extension()))
	return nil
}

func (s *server) deepZoomTile(e *answer.Exchange, r *http.Request) error {
	id, isFolder := strings.CutSuffix(request.PathValue(r, "folder"), deepZoomFolder)
	level, isLevel := deepzoom.Number(request.PathValue(r, "level"))
	column, row, extension, isTile := deepzoom.ParseTile(request.PathValue(r, "tile"))
	if !isFolder || !isLevel || !isTile {
		return answer.RouteNotFound(e, r)
	}
	d, err := s.describe(e, id)
	if err != nil {
		return err
	}
	format, err := request.FormatOf(extension)
	if err != nil {
		return err
	}
	tile, ok := deepZoomOf(&d).Tile(level, column, row)
	if !ok {
		return answer.NotFound("there is no tile %d_%d on level %d", column, row, level)
	}
	return s.picture(e, r, request.ParametersOf(r).Allow("return_mask", "wait"), layer.Request{Layer: id, Area: layer.LevelArea(tile), Format: format})
}
