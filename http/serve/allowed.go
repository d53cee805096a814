package serve

import (
	"tileserver/access"
	"tileserver/http/request"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/style"
)

// All requests for pictures and values of layers are checked here, whatever their protocol. Handlers
// get styles, compositions and values from these functions only.

// Prepare prepares a picture of a layer. The parameters give the style and the encoding.
func Prepare(catalog *layer.Catalog, p *request.Parameters, l *layer.Layer, asked layer.Request) (*layer.Composition, error) {
	rules := l.Access().For(p.Asker)
	if err := checkFormat(rules, asked.Format); err != nil {
		return nil, err
	}
	if err := setStyle(&asked, l, p); err != nil {
		return nil, err
	}
	asked.Layer = l
	prepared, err := catalog.Prepare(asked)
	if err != nil {
		return nil, err
	}
	if err := rules.CheckSize(prepared.Size()); err != nil {
		return nil, err
	}
	return prepared, nil
}

// PrepareStack prepares a picture of layers drawn over each other: of the same area, each in its
// default style with the changes of the parameters. The parameters give the encoding, too.
func (s *Server) PrepareStack(p *request.Parameters, layers []*layer.Layer, area areas.Area, asked layer.StackRequest) (*layer.Composition, error) {
	asked.Encoding, asked.Background = p.Encoding(), style.Background(&p.Parameters, raster.RGBA{})
	if len(layers) == 0 {
		if err := s.checkBlank(p, &asked); err != nil {
			return nil, err
		}
	}
	for _, l := range layers {
		if err := checkStack(l.Access().For(p.Asker), &asked); err != nil {
			return nil, err
		}
		own, err := StyleOf(p, l)
		if err != nil {
			return nil, err
		}
		asked.Layers = append(asked.Layers, layer.Request{Layer: l, Area: area, Style: own})
		if len(asked.Layers) > layer.MaxStackLayers {
			break // one more than PrepareStack accepts
		}
	}
	if p.Err != nil {
		return nil, p.Err
	}
	return s.Catalog.PrepareStack(asked)
}

// checkStack checks the format and the size of a picture against the rules of one of its layers.
func checkStack(rules *access.Rules, asked *layer.StackRequest) error {
	if err := checkFormat(rules, asked.Format); err != nil {
		return err
	}
	return rules.CheckSize(asked.Width, asked.Height)
}

// checkBlank checks a picture that shows no layer.
func (s *Server) checkBlank(p *request.Parameters, asked *layer.StackRequest) error {
	rules := s.Access.For(p.Asker)
	if err := checkStack(rules, asked); err != nil {
		return err
	}
	return p.CheckStyle(rules)
}

// StyleOf returns the style of a layer that the parameters select and change.
func StyleOf(p *request.Parameters, l *layer.Layer) (style.Style, error) {
	own, err := l.Style(p.Text("style"))
	if err != nil {
		return own, err
	}
	return p.Style(own, l.Access().For(p.Asker))
}

// ValueStyle returns the style that selects values: all bands of the layer instead of the displayed
// ones, unless the parameters select some.
func ValueStyle(p *request.Parameters, l *layer.Layer) (style.Style, error) {
	base, err := l.Style(p.Text("style"))
	if err != nil {
		return base, err
	}
	rules := l.Access().For(p.Asker)
	if err := rules.CheckValues(); err != nil {
		return base, err
	}
	if p.Text("style") == "" {
		base.Bands, base.BandNames, base.Expression = nil, nil, nil
	}
	return p.Style(base, rules)
}

// setStyle sets the style and the encoding of a request from the parameters.
func setStyle(to *layer.Request, l *layer.Layer, p *request.Parameters) (err error) {
	if to.Style, err = StyleOf(p, l); err != nil {
		return err
	}
	to.Encoding, to.Unmasked = p.Encoding(), p.Unmasked(to.Format)
	return p.Err
}

// checkFormat returns a refusal for a format whose files the rules do not allow.
func checkFormat(rules *access.Rules, format layer.Format) error {
	if rules.Formats == nil {
		return nil
	}
	for _, result := range format.Results() {
		if err := rules.CheckFormat(result.Extension()); err != nil {
			return err
		}
	}
	return nil
}

// TileFormat returns the format of tiles that the parameters name, or that documents offer.
func TileFormat(p *request.Parameters, l *layer.Layer) layer.Format {
	if p.Text("format") != "" {
		return p.Format()
	}
	format, _ := PictureFormat(l)
	return format
}

// CheckFormat returns a refusal for a format that may not be asked for.
func CheckFormat(p *request.Parameters, l *layer.Layer, format layer.Format) error {
	return checkFormat(l.Access().For(p.Asker), format)
}

// Allowed returns the formats that strangers may ask of a layer, in the given order.
func Allowed(l *layer.Layer, formats ...layer.Format) []layer.Format {
	rules := &l.Access().Strangers
	var allowed []layer.Format
	for _, format := range formats {
		if checkFormat(rules, format) == nil {
			allowed = append(allowed, format)
		}
	}
	return allowed
}

// PictureFormat returns the format of pictures that documents offer for a layer: PNG, which is
// lossless and can be transparent, or what strangers may ask for instead. ok is false if they may ask
// for no picture.
func PictureFormat(l *layer.Layer) (format layer.Format, ok bool) {
	allowed := Allowed(l, layer.PNG, layer.WebP, layer.JPEG)
	if len(allowed) == 0 {
		return layer.PNG, false
	}
	return allowed[0], true
}
