package http

import (
	"tileserver/layer"
	"tileserver/raster"
)

// What Deep Zoom, IIIF and Zoomify have in common: they show the pixels of an image, wherever
// on the earth that may lie.

const mimeXML = "application/xml"

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
