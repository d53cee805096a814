package ogc

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"tileserver/access"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
)

// stackRequest requests a picture of layers drawn over each other.
type stackRequest struct {
	layers        []*placedLayer // the lowest first
	isSelected    bool           // the client chose the layers
	area          areas.Area
	isTile        bool
	width, height int
	format        layer.Format
	backdrop      raster.RGBA // drawn below all layers, opaque; zero is none
	modified      time.Time   // from lastModified, read before the layers were chosen
}

// sendStack answers with a picture of layers drawn over each other. A single layer without a
// backdrop is sent as at its own address, so that its picture is cached once.
func (s *service) sendStack(e *answer.Exchange, r *http.Request, p *request.Parameters, req stackRequest) error {
	if !req.isSelected {
		var err error
		if req.layers, err = s.topmost(p, req); err != nil {
			return err
		}
	}
	if len(req.layers) == 1 && req.backdrop == (raster.RGBA{}) {
		return s.sendSingleLayer(e, r, p, req)
	}
	stack, err := s.prepareStack(p, req)
	if err != nil {
		return err
	}
	if req.isTile {
		return s.SendStackTile(e, r, p, stack, req.modified)
	}
	return s.SendStack(e, r, stack, req.modified)
}

// sendSingleLayer answers with a picture of the only layer.
func (s *service) sendSingleLayer(e *answer.Exchange, r *http.Request, p *request.Parameters, req stackRequest) error {
	only := serve.Layer{Layer: req.layers[0].Layer.Layer, Modified: req.modified}
	asked := layer.Request{Area: req.area, Format: req.format}
	if req.isTile {
		return s.SendTile(e, r, p, only, asked)
	}
	return s.SendPicture(e, r, p, only, asked)
}

// topmost returns the upper layers that can be drawn over each other, at most MaxStackLayers. It
// skips layers that cannot, such as those whose colors encode numbers, and those that do not allow the
// request: a client that requests all layers need not know them. But if no layer supports the
// requested style, or allows the request, it returns the first error.
func (s *service) topmost(p *request.Parameters, req stackRequest) ([]*placedLayer, error) {
	var found []*placedLayer
	var firstErr error
	for i := len(req.layers) - 1; i >= 0 && len(found) < layer.MaxStackLayers; i-- {
		one := req
		one.layers = req.layers[i : i+1]
		switch _, err := s.prepareStack(p, one); {
		case p.Err != nil:
			return nil, p.Err
		case err == nil:
			found = append(found, req.layers[i])
		case firstErr == nil:
			firstErr = err
		}
	}
	if len(found) == 0 && (len(p.StyleQuery()) > 0 || errors.As(firstErr, new(*access.Refusal))) {
		return nil, firstErr
	}
	slices.Reverse(found)
	return found, nil
}

// prepareStack prepares the picture of layers, each in its default style with the changes of the
// parameters.
func (s *service) prepareStack(p *request.Parameters, req stackRequest) (*layer.Composition, error) {
	layers := make([]*layer.Layer, len(req.layers))
	for i, part := range req.layers {
		layers[i] = part.Layer.Layer
	}
	return s.PrepareStack(p, layers, req.area, layer.StackRequest{Width: req.width, Height: req.height, Format: req.format, Backdrop: req.backdrop})
}
