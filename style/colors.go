package style

import (
	"cmp"
	"strings"

	"tileserver/display"
	"tileserver/display/colormap"
	"tileserver/display/formula"
	"tileserver/nearest"
	"tileserver/query"
	"tileserver/raster"
)

// overrideColors replaces the formula, the background and the color map. Color maps apply to one
// band; with a style of three bands the request must select one.
func (p *parameters) overrideColors(s *Style) {
	if text := p.Text("color_formula"); text != "" {
		parsed, err := formula.Parse(text)
		if err != nil {
			p.Reject("color_formula: %s", withoutPrefix(formula.ErrFormula, err))
		}
		s.Formula = parsed
	}
	s.Background = Background(p.Parameters, s.Background)
	name, own := p.Text("colormap_name"), p.colors()
	switch {
	case name != "" && own != nil:
		p.Reject("colormap_name and colormap exclude each other")
		return
	case name == "" && own == nil:
		return
	}
	if _, ok := colormap.Named(strings.ToLower(name)); name != "" && !ok {
		p.Reject("colormap_name: unknown color map %.64q%s", name, cmp.Or(nearest.Hint(name, colormap.Names()), "; /colormaps lists all"))
		return
	}
	s.ColorMap, s.Colors = name, own
	if own != nil && own.Kind() != colormap.Ramp && p.Text("rescale") == "" && p.Text("stretch") == "" {
		s.Rescale, s.Stretch = nil, display.Stretch{} // such maps give colors to unscaled samples
	}
}

// Background returns the color of the parameter background, or base if it is missing.
func Background(p *query.Parameters, base raster.RGBA) raster.RGBA {
	text := p.Text("background")
	if text == "" {
		return base
	}
	color, err := colormap.ParseColor(text)
	if err != nil {
		p.Reject("background must be a color such as %%23102030 (a # that is escaped) or navy, not %q", text)
	}
	return raster.RGBA(color)
}

// colors parses the parameter colormap, or returns nil.
func (p *parameters) colors() *colormap.Map {
	text := p.Text("colormap")
	if text == "" {
		return nil
	}
	colors, err := colormap.ParseJSON([]byte(text), p.Text("colormap_type"))
	if err != nil {
		p.Reject("colormap: %s", withoutPrefix(colormap.ErrInvalid, err))
	}
	return colors
}

// overrideRange replaces the range of samples that is stretched from black to white. rescale and
// stretch replace each other, and a color map of single samples, which uses neither.
func (p *parameters) overrideRange(s *Style) {
	ranges, stretch := p.ranges(), p.Text("stretch")
	if text := p.Text("statistics"); text != "" {
		s.StoredStatistics = p.Choice("statistics", "dataset", "file") == "file"
	}
	switch {
	case ranges != nil && stretch != "":
		p.Reject("rescale and stretch exclude each other")
	case ranges != nil:
		s.Rescale, s.Stretch = ranges, display.Stretch{}
	case stretch != "":
		parsed, err := display.ParseStretch(stretch)
		if err != nil {
			p.Reject("%v", err)
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
	for _, text := range p.Texts("rescale") {
		limits := p.Numbers("rescale", text, 2)
		if limits == nil {
			return nil
		}
		ranges = append(ranges, display.Range{Low: limits[0], High: limits[1]})
	}
	return ranges
}
