package http

import (
	"net/http"
	"slices"
	"time"

	"tileserver/layer"
	"tileserver/raster"
)

// stackRequest requests a picture of layers drawn over each other.
type stackRequest struct {
	layers        []*placedLayer // the lowest first
	isSelected    bool           // the client chose the layers
	area          layer.Area
	isTile        bool
	width, height int
	format        layer.Format
	backdrop      raster.RGBA // drawn below all layers, opaque; zero is none
	modified      time.Time   // from lastModified, read before the layers were chosen
}

// sendStack answers with a picture of layers drawn over each other. A single layer without a
// backdrop is sent as at its own address, so that its picture is cached once.
func (s *server) sendStack(e *exchange, r *http.Request, p *parameters, l stackRequest) error {
	if !l.isSelected {
		var err error
		if l.layers, err = s.topmost(p, l); err != nil {
			return err
		}
	}
	if len(l.layers) == 1 && l.backdrop == (raster.RGBA{}) {
		return s.sendSingleLayer(e, r, p, l)
	}
	stack, err := s.prepareStack(p, l)
	if err != nil {
		return err
	}
	options := sendOptions{s.CacheControl, l.modified, layer.EmptyBlank}
	if l.isTile {
		if options.empty, err = s.emptyAnswerOfAll(p); err != nil {
			return err
		}
	}
	if stack.IsPerTile() {
		options.cacheControl = "no-store"
	}
	return s.sendRendered(e, r, stack, options)
}

// sendSingleLayer answers with a picture of the only layer.
func (s *server) sendSingleLayer(e *exchange, r *http.Request, p *parameters, l stackRequest) error {
	request := layer.Request{Layer: l.layers[0].ID(), Area: l.area, Format: l.format}
	options := sendOptions{modified: l.modified, empty: layer.EmptyBlank}
	if l.isTile {
		var err error
		if options.empty, err = s.emptyAnswer(p, request.Layer); err != nil {
			return err
		}
	}
	return s.sendJob(e, r, p, request, options)
}

// topmost returns the upper layers that can be drawn over each other, at most MaxStackLayers. It
// skips layers that cannot, such as those whose colors encode numbers: a client that requests all
// layers need not know them. But if no layer supports the requested style, it returns the first
// error.
func (s *server) topmost(p *parameters, l stackRequest) ([]*placedLayer, error) {
	var found []*placedLayer
	var refusal error
	for i := len(l.layers) - 1; i >= 0 && len(found) < layer.MaxStackLayers; i-- {
		one := l
		one.layers = l.layers[i : i+1]
		switch _, err := s.prepareStack(p, one); {
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

// prepareStack prepares the picture of layers, each in its default style with the changes of the
// parameters.
func (s *server) prepareStack(p *parameters, l stackRequest) (*layer.Stack, error) {
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
			break // one more than PrepareStack accepts
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return s.Catalog.PrepareStack(request)
}

// background returns the color behind transparent pixels, or zero.
func (p *parameters) background() raster.RGBA {
	text := p.text("background")
	if text == "" {
		return raster.RGBA{}
	}
	return raster.RGBA(p.color("background", text))
}

// emptyAnswerOfAll returns the answer for a tile in which all layers are empty.
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
