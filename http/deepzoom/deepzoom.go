// Package deepzoom answers requests for Deep Zoom images: a document, and a folder of tiles beside
// it. Package dzi below it has the arithmetic and the documents. Package http calls Routes. Package
// deepzoom must never know how pixels are read, nor another protocol.
package deepzoom

import (
	"net/http"
	"net/url"
	"strings"

	"tileserver/http/answer"
	"tileserver/http/deepzoom/dzi"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/areas"
)

// service has the handlers.
type service struct{ *serve.Server }

// Routes returns the routes of Deep Zoom images. A layer id may end with the suffix of the document
// or of the folder.
func Routes(server *serve.Server) map[string]answer.Handler {
	s := &service{server}
	return map[string]answer.Handler{
		"/dzi/{document}":              s.document,
		"/dzi/{folder}/{level}/{tile}": s.tile,
	}
}

const (
	extension    = ".dzi"
	folderSuffix = "_files"
)

// Address returns the address of a layer's document below the root address of the server.
func Address(base, layerID string) string {
	return base + "/dzi/" + url.PathEscape(layerID) + extension
}

func imageOf(l *layer.Layer) dzi.Image {
	d := l.Describe()
	return dzi.Image{Width: d.Width, Height: d.Height, TileSide: serve.TileSide(l)}
}

func (s *service) document(e *answer.Exchange, r *http.Request) error {
	id, ok := strings.CutSuffix(request.PathValue(r, "document"), extension)
	if !ok {
		return answer.RouteNotFound(e, r)
	}
	e.Layer = id
	l, err := s.Catalog.Find(r.Context(), id)
	if err != nil {
		return err
	}
	format, err := s.PixelFormat(request.ParametersOf(r), l)
	if err != nil {
		return err
	}
	e.SendDocument(r, answer.MIMEXML, imageOf(l).Document(format.Extension()))
	return nil
}

func (s *service) tile(e *answer.Exchange, r *http.Request) error {
	id, isFolder := strings.CutSuffix(request.PathValue(r, "folder"), folderSuffix)
	level, isLevel := dzi.Number(request.PathValue(r, "level"))
	column, row, ending, isTile := dzi.ParseTile(request.PathValue(r, "tile"))
	if !isFolder || !isLevel || !isTile {
		return answer.RouteNotFound(e, r)
	}
	e.Layer = id
	l, err := s.Layer(r.Context(), id)
	if err != nil {
		return err
	}
	format, err := request.FormatOf(ending)
	if err != nil {
		return err
	}
	tile, ok := imageOf(l.Layer).Tile(level, column, row)
	if !ok {
		return answer.NotFound("there is no tile %d_%d on level %d", column, row, level)
	}
	return s.SendPicture(e, r, request.ParametersOf(r).Allow("return_mask", "wait"), l, layer.Request{Area: areas.Level(tile), Format: format})
}
