package http

import (
	"net/http"

	"tileserver/display/colormap"
	"tileserver/display/legend"
	"tileserver/display/picture"
)

// legendDocument explains the colours of a style.
type legendDocument struct {
	Title   string         `json:"title"`
	Unit    string         `json:"unit,omitempty"`
	Kind    string         `json:"kind"` // ramp, stops, intervals or categories
	Min     *number        `json:"min,omitempty"`
	Max     *number        `json:"max,omitempty"`
	Entries []legend.Entry `json:"entries"`
}

func (s *server) legendJSON(e *exchange, r *http.Request) error {
	l, err := s.legendOf(r, parametersOf(r))
	if err != nil {
		return err
	}
	document := legendDocument{Title: l.Title, Unit: l.Unit, Kind: l.Map.Kind().String(), Entries: l.Entries()}
	if low, high := number(l.Low), number(l.High); l.Map.Kind() == colormap.Ramp && low < high {
		document.Min, document.Max = &low, &high
	}
	e.sendJSON(r, document)
	return nil
}

func (s *server) legendPicture(e *exchange, r *http.Request) error {
	p := parametersOf(r)
	options := legend.Options{
		Width: p.integer("width", 0, 1, legend.MaxSide), Height: p.integer("height", 0, 1, legend.MaxSide),
		Vertical: p.truth("vertical"),
	}
	if text := p.text("background"); text != "" {
		color, err := colormap.ParseColor(text)
		if err != nil {
			p.refuse("background: %v", err)
		}
		options.Background = color
	}
	l, err := s.legendOf(r, p)
	if err != nil {
		return err
	}
	drawn := legend.Draw(l, options)
	file, err := new(picture.Encoder).Encode(nil, &picture.Picture{
		Width: drawn.Width, Height: drawn.Height, Stride: drawn.Stride, Format: picture.RGBA, Pix: drawn.Pix,
	}, picture.PNG, picture.Options{})
	if err != nil {
		return err
	}
	e.send(r, http.StatusOK, content{body: file, mime: picture.PNG.MIME(), etag: digest(file), cacheControl: s.CacheControl})
	return nil
}

func (s *server) legendOf(r *http.Request, p *parameters) (*legend.Legend, error) {
	l, err := s.Catalog.Layer(pathValue(r, "layer"))
	if err != nil {
		return nil, err
	}
	style, err := l.Style(p.text("style"))
	if err != nil {
		return nil, err
	}
	if style = p.style(style); p.err != nil {
		return nil, p.err
	}
	return s.Catalog.Legend(r.Context(), l.ID(), style)
}
