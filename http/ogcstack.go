package http

import (
	"net/http"
	"slices"
	"time"

	"tileserver/layer"
	"tileserver/raster"
)

// laid is a picture of layers on each other that was asked for.
type laid struct {
	layers        []*placedLayer // the lowest first
	areChosen     bool           // by the client, and not those that happen to be there
	area          layer.Area
	isTile        bool
	width, height int
	format        layer.Format
	backdrop      raster.RGBA // what lies behind all, opaque; zero is nothing
	modified      time.Time   // lastModified, read before the layers were chosen
}

// sendLaid answers with a picture of layers on each other. One alone, with nothing behind it,
// is sent as at its own address, so that it is kept once.
func (s *server) sendLaid(e *exchange, r *http.Request, p *parameters, l laid) error {
	if !l.areChosen {
		var err error
		if l.layers, err = s.topmost(p, l); err != nil {
			return err
		}
	}
	if len(l.layers) == 1 && l.backdrop == (raster.RGBA{}) {
		return s.sendAlone(e, r, p, l)
	}
	stack, err := s.stackOf(p, l)
	if err != nil {
		return err
	}
	t := terms{s.CacheControl, l.modified, layer.EmptyBlank}
	if l.isTile {
		if t.empty, err = s.emptyAnswerOfAll(p); err != nil {
			return err
		}
	}
	if stack.IsPerTile() {
		t.cacheControl = "no-store"
	}
	return s.sendDrawing(e, r, stack, t)
}

// sendAlone answers with a picture of the only layer.
func (s *server) sendAlone(e *exchange, r *http.Request, p *parameters, l laid) error {
	request := layer.Request{Layer: l.layers[0].ID(), Area: l.area, Format: l.format}
	t := terms{modified: l.modified, empty: layer.EmptyBlank}
	if l.isTile {
		var err error
		if t.empty, err = s.emptyAnswer(p, request.Layer); err != nil {
			return err
		}
	}
	return s.send(e, r, p, request, t)
}

// topmost are as many layers as can be laid over each other: the last ones, without those that
// cannot be laid, as those whose colours stand for numbers. Who has asked for all does not
// know of them. But who asks for a style that none can be shown in is told why.
func (s *server) topmost(p *parameters, l laid) ([]*placedLayer, error) {
	var found []*placedLayer
	var refusal error
	for i := len(l.layers) - 1; i >= 0 && len(found) < layer.MaxStackLayers; i-- {
		one := l
		one.layers = l.layers[i : i+1]
		switch _, err := s.stackOf(p, one); {
		case p.err != nil:
			return nil, p.err
		case err == nil:
			found = append(found, l.layers[i])
		case refusal == nil:
			refusal = err
		}
	}
	if len(found) == 0 && len(p.styleQuery()) > 0 {
		return nil, refusal
	}
	slices.Reverse(found)
	return found, nil
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
		request.Layers = append(request.Layers, layer.Request{Layer: part.ID(), Area: l.area, Style: p.style(style)})
		if len(request.Layers) > layer.MaxStackLayers {
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
	case empty != layer.EmptyUnset:
		return empty, nil
	case s.Empty != layer.EmptyUnset:
		return s.Empty, nil
	}
	return layer.EmptyBlank, nil
}
