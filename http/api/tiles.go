package api

import (
	"net/http"

	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/layer"
)

func (s *service) tile(e *answer.Exchange, r *http.Request) error {
	area, format, err := request.Tile(r)
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("tilesize", "return_mask", "empty", "wait")
	sizeTile(p, &area)
	if _, err := p.EmptyAnswer(); err != nil {
		return err
	}
	l, err := s.find(r)
	if err != nil {
		return err
	}
	return s.SendTile(e, r, p, l, layer.Request{Area: area, Format: format})
}

func (s *service) view(e *answer.Exchange, r *http.Request) error {
	format, err := request.FormatOf(request.PathValue(r, "ext"))
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("bbox", "bbox-crs", "coord_crs", "dst_crs", "max_size", "width", "height", "return_mask", "wait")
	area, err := p.BoxArea()
	if err != nil {
		return err
	}
	l, err := s.find(r)
	if err != nil {
		return err
	}
	return s.SendPicture(e, r, p, l, layer.Request{Area: area, Format: format})
}

func (s *service) preview(e *answer.Exchange, r *http.Request) error {
	format, err := request.FormatOf(request.PathValue(r, "ext"))
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("max_size", "width", "height", "return_mask", "wait")
	l, err := s.find(r)
	if err != nil {
		return err
	}
	return s.SendPicture(e, r, p, l, layer.Request{Area: previewArea(p), Format: format})
}
