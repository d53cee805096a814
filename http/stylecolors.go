package http

import (
	"cmp"
	"strings"

	"tileserver/display"
	"tileserver/display/colormap"
	"tileserver/display/formula"
	"tileserver/layer"
	"tileserver/nearest"
	"tileserver/raster"
)

// overrideColors replaces the formula, the background and the color map. Color maps apply to one
// band; with a style of three bands the request must select one.
func (p *parameters) overrideColors(s *layer.Style) {
	if text := p.text("color_formula"); text != "" {
		parsed, err := formula.Parse(text)
		if err != nil {
			p.reject("color_formula: %s", withoutPrefix(formula.ErrFormula, err))
		}
		s.Formula = parsed
	}
	if text := p.text("background"); text != "" {
		s.Background = raster.RGBA(p.color("background", text))
	}
	name, own := p.text("colormap_name"), p.colors()
	switch {
	case name != "" && own != nil:
		p.reject("colormap_name and colormap exclude each other")
		return
	case name == "" && own == nil:
		return
	}
	if _, ok := colormap.Named(strings.ToLower(name)); name != "" && !ok {
		p.reject("colormap_name: unknown color map %.64q%s", name, cmp.Or(nearest.Hint(name, colormap.Names()), "; /colormaps lists all"))
		return
	}
	s.ColorMap, s.Colors = name, own
	if own != nil && own.Kind() != colormap.Ramp && p.text("rescale") == "" && p.text("stretch") == "" {
		s.Rescale, s.Stretch = nil, display.Stretch{} // such maps give colors to unscaled samples
	}
}

// color parses a CSS color.
func (p *parameters) color(name, text string) colormap.Color {
	color, err := colormap.ParseColor(text)
	if err != nil {
		p.reject("%s must be a color such as %%23102030 (a # that is escaped) or navy, not %q", name, text)
	}
	return color
}

// colors parses the parameter colormap, or returns nil.
func (p *parameters) colors() *colormap.Map {
	text := p.text("colormap")
	if text == "" {
		return nil
	}
	colors, err := colormap.ParseJSON([]byte(text), p.text("colormap_type"))
	if err != nil {
		p.reject("colormap: %s", withoutPrefix(colormap.ErrInvalid, err))
	}
	return colors
}

// overrideRange replaces the range of samples that is stretched from black to white. rescale and
// stretch replace each other, and a color map of single samples, which uses neither.
func (p *parameters) overrideRange(s *layer.Style) {
	ranges, stretch := p.ranges(), p.text("stretch")
	if text := p.text("statistics"); text != "" {
		s.StoredStatistics = p.choice("statistics", "dataset", "file") == "file"
	}
	switch {
	case ranges != nil && stretch != "":
		p.reject("rescale and stretch exclude each other")
	case ranges != nil:
		s.Rescale, s.Stretch = ranges, display.Stretch{}
	case stretch != "":
		parsed, err := display.ParseStretch(stretch)
		if err != nil {
			p.reject("%v", err)
		}
		s.Rescale, s.Stretch = nil, parsed
	default:
		return
	}
	if s.Colors != nil && s.Colors.Kind() != colormap.Ramp {
		s.Colors = nil
	}
}

func (p *parameters) ranges() []display.Range {
	var ranges []display.Range
	for _, text := range p.texts("rescale") {
		limits := p.numbers("rescale", text, 2)
		if limits == nil {
			return nil
		}
		ranges = append(ranges, display.Range{Low: limits[0], High: limits[1]})
	}
	return ranges
}
