package http

import (
	"net/http"

	"tileserver/layer"
	"tileserver/raster"
)

// laid is a picture of layers on each other that was asked for.
type laid struct {
	layers        []placedLayer // the lowest first
	area          layer.Area
	isTile        bool
	width, height int
	format        layer.Format
	backdrop      raster.RGBA // what lies behind all, opaque; zero is nothing
}

// sendLaid answers with a picture of layers on each other. One alone, with nothing behind it,
// is sent as at its own address, so that it is kept once.
func (s *server) sendLaid(e *exchange, r *http.Request, p *parameters, l laid) error {
	if len(l.layers) == 1 && l.backdrop == (raster.RGBA{}) {
		request := layer.Request{Layer: l.layers[0].ID(), Area: l.area, Format: l.format}
		if l.isTile {
			return s.tilePicture(e, r, p, request)
		}
		return s.picture(e, r, p, request)
	}
	stack, err := s.stackOf(p, l)
	if err != nil {
		return err
	}
	empty := layer.EmptyBlank
	if l.isTile {
		if empty, err = s.emptyAnswerOfAll(p); err != nil {
			return err
		}
	}
	cacheControl := s.CacheControl
	if stack.IsPassing() {
		cacheControl = "no-store"
	}
	return s.sendDrawing(e, r, stack, cacheControl, empty)
}

// stackOf settles the picture of layers, each in the style that the parameters make of its
// default one.
func (s *server) stackOf(p *parameters, l laid) (*layer.Stack, error) {
	request := layer.StackRequest{
		Width: l.width, Height: l.height, Format: l.format, Encoding: p.encoding(), Background: p.background(), Backdrop: l.backdrop,
	}
	for _, part := range l.layers {
		style, err := part.Style(p.text("style"))
		if err != nil {
			return nil, err
		}
		request.Parts = append(request.Parts, layer.Request{Layer: part.ID(), Area: l.area, Style: p.style(style)})
		if len(request.Parts) > layer.MaxStacked {
			break // which is too many anyhow
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return s.Catalog.PrepareStack(request)
}

// background is the colour behind what is transparent, or zero.
func (p *parameters) background() raster.RGBA {
	text := p.text("background")
	if text == "" {
		return raster.RGBA{}
	}
	return raster.RGBA(p.color("background", text))
}

// emptyAnswerOfAll is what is answered where no layer shows anything.
func (s *server) emptyAnswerOfAll(p *parameters) (layer.EmptyAnswer, error) {
	empty, err := layer.ParseEmptyAnswer(p.text("empty"))
	switch {
	case err != nil:
		return empty, invalid("empty: %v", err)
	case empty != layer.EmptyUnsaid:
		return empty, nil
	case s.Empty != layer.EmptyUnsaid:
		return s.Empty, nil
	}
	return layer.EmptyBlank, nil
}
