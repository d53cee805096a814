package api

import (
	"net/http"

	"tileserver/display/colormap"
	"tileserver/display/legend"
	"tileserver/display/picture"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/style"
)

// legendDocument explains the colors of a style.
type legendDocument struct {
	Title   string         `json:"title"`
	Unit    string         `json:"unit,omitempty"`
	Kind    string         `json:"kind"` // ramp, stops, intervals or categories
	Min     *number        `json:"min,omitempty"`
	Max     *number        `json:"max,omitempty"`
	Entries []legend.Entry `json:"entries"`
}

func (s *service) legendJSON(e *answer.Exchange, r *http.Request) error {
	_, l, err := s.legendOf(r, request.ParametersOf(r).CheckSpelling())
	if err != nil {
		return err
	}
	document := legendDocument{Title: l.Title, Unit: l.Unit, Kind: l.Map.Kind().String(), Entries: l.Entries()}
	if low, high := number(l.Low), number(l.High); l.Map.Kind() == colormap.Ramp && low < high {
		document.Min, document.Max = &low, &high
	}
	e.SendJSON(r, document)
	return nil
}

func (s *service) legendPicture(e *answer.Exchange, r *http.Request) error {
	p := request.ParametersOf(r).Allow("width", "height", "vertical")
	options := legend.Options{
		Width: p.Integer("width", 0, 1, maxLegendSide), Height: p.Integer("height", 0, 1, maxLegendSide),
		Vertical: p.Boolean("vertical"), Background: colormap.Color(style.Background(&p.Parameters, raster.RGBA{})),
	}
	of, l, err := s.legendOf(r, p)
	if err != nil {
		return err
	}
	var file []byte
	err = s.Catalog.RunInSlot(r.Context(), maxLegendSide, maxLegendSide, func() error {
		drawn := legend.Draw(l, options)
		if options.Width > 0 || options.Height > 0 {
			if err := of.Access().For(p.Asker).CheckSize(drawn.Width, drawn.Height); err != nil {
				return err
			}
		}
		file, err = encodeLegend(drawn)
		return err
	})
	if err != nil {
		return err
	}
	e.Send(r, http.StatusOK, answer.Content{Body: file, MIME: picture.PNG.MIME(), ETag: answer.ETagOf(file), CacheControl: s.CacheControl})
	return nil
}

// maxLegendSide bounds the sides of a legend, in pixels.
const maxLegendSide = 1024

func encodeLegend(drawn *legend.Picture) ([]byte, error) {
	return new(picture.Encoder).Encode(nil, &picture.Picture{
		Width: drawn.Width, Height: drawn.Height, Stride: drawn.Stride, Format: picture.RGBA, Pix: drawn.Pix,
	}, picture.PNG, picture.Options{})
}

// legendOf returns the layer of a request and the legend of its style.
func (s *service) legendOf(r *http.Request, p *request.Parameters) (*layer.Layer, *legend.Legend, error) {
	l, err := s.layerOf(r)
	if err != nil {
		return nil, nil, err
	}
	shown, err := serve.StyleOf(p, l)
	if err != nil {
		return nil, nil, err
	}
	shared, err := s.Catalog.Legend(r.Context(), l, shown)
	if err != nil {
		return nil, nil, err
	}
	titled := *shared // the legend is shared with other requests
	titled.Title = legendTitle(l, p.Text("style"))
	return l, &titled, nil
}

// legendTitle returns the title of a layer, with that of a named style.
func legendTitle(l *layer.Layer, name string) string {
	for _, named := range l.Styles() {
		if named.Name == name && name != style.DefaultName {
			return l.Title() + ": " + named.Title
		}
	}
	return l.Title()
}
