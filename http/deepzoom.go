package http

import (
	"net/http"
	"strings"

	"tileserver/http/deepzoom"
	"tileserver/layer"
	"tileserver/raster"
)

// deepZoomRoutes are the addresses of Deep Zoom images: a document, and tiles in a folder
// beside it. A layer may have any of the words in its id.
func (s *server) deepZoomRoutes() map[string]answer {
	return map[string]answer{
		"/dzi/{document}":              s.deepZoomDocument,
		"/dzi/{folder}/{level}/{tile}": s.deepZoomTile,
	}
}

const (
	deepZoomExtension = ".dzi"
	deepZoomFolder    = "_files"
	mimeXML           = "application/xml"
)

// describe is what a layer is now. The log and the metrics are told of it, where the address
// does not name it in the usual way.
func (s *server) describe(e *exchange, id string) (layer.Description, error) {
	e.layer = id
	l, err := s.Catalog.Layer(id)
	if err != nil {
		return layer.Description{}, err
	}
	return l.Describe(), nil
}

func deepZoomOf(d *layer.Description) deepzoom.Image {
	return deepzoom.Image{Width: d.Width, Height: d.Height, TileSide: tileSide(d.Info)}
}

// tileSide is that of tiles in pixels of the image: that of the blocks of the file, if they are
// of a size that viewers like. Then a tile is a block on all levels, and may be sent as it is
// stored; it would not be with pixels of its neighbours around it.
func tileSide(info *raster.Info) int {
	const usual, large = 256, 512
	if l := info.Levels[0]; l.BlockWidth == large && l.BlockHeight == large {
		return large
	}
	return usual
}

func (s *server) deepZoomDocument(e *exchange, r *http.Request) error {
	id, ok := strings.CutSuffix(pathValue(r, "document"), deepZoomExtension)
	if !ok {
		return noSuchPage(e, r)
	}
	d, err := s.describe(e, id)
	if err != nil {
		return err
	}
	p := parametersOf(r)
	format, err := s.pixelFormat(p, id)
	if err != nil {
		return err
	}
	e.sendDocument(r, mimeXML, deepZoomOf(&d).Document(format.Extension()))
	return nil
}

// pixelFormat is the format that the parameters name, or the one that suits a layer: only PNG
// keeps the transparency that it may have.
func (s *server) pixelFormat(p *parameters, id string) (layer.Format, error) {
	if p.text("format") != "" {
		format := p.format()
		return format, p.err
	}
	job, err := prepare(s.Catalog, p, layer.Request{Layer: id, Area: layer.PreviewArea{MaxSize: 1}})
	if err != nil {
		return layer.PNG, err
	}
	if job.MayBeTransparent() {
		return layer.PNG, nil
	}
	return layer.JPEG, nil
}

func (s *server) deepZoomTile(e *exchange, r *http.Request) error {
	id, isFolder := strings.CutSuffix(pathValue(r, "folder"), deepZoomFolder)
	level, isLevel := deepzoom.Number(pathValue(r, "level"))
	column, row, extension, isTile := deepzoom.ParseTile(pathValue(r, "tile"))
	if !isFolder || !isLevel || !isTile {
		return noSuchPage(e, r)
	}
	d, err := s.describe(e, id)
	if err != nil {
		return err
	}
	format, err := formatOf(extension)
	if err != nil {
		return err
	}
	tile, ok := deepZoomOf(&d).Tile(level, column, row)
	if !ok {
		return notFound("there is no tile %d_%d on level %d", column, row, level)
	}
	return s.picture(e, r, parametersOf(r), layer.Request{Layer: id, Area: layer.LevelArea(tile), Format: format})
}
