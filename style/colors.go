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
func (r reader) overrideColors(s *Style) {
	if text := r.Text("color_formula"); text != "" {
		parsed, err := formula.Parse(text)
		if err != nil {
			r.Reject("color_formula: %s", withoutPrefix(formula.ErrFormula, err))
		}
		s.Formula = parsed
	}
	s.Background = Background(r.Parameters, s.Background)
	name, own := r.Text("colormap_name"), r.colors()
	switch {
	case name != "" && own != nil:
		r.Reject("colormap_name and colormap exclude each other")
		return
	case name == "" && own == nil:
		return
	}
	if _, ok := colormap.Named(strings.ToLower(name)); name != "" && !ok {
		r.Reject("colormap_name: unknown color map %.64q%s", name, cmp.Or(nearest.Hint(name, colormap.Names()), "; /colormaps lists all"))
		return
	}
	s.ColorMap, s.Colors = name, own
	if own != nil && own.Kind() != colormap.Ramp && !r.IsGiven("rescale") && !r.IsGiven("stretch") {
		s.Rescale, s.Stretch = nil, display.Stretch{} // such maps give colors to unscaled samples
	}
}

// colors parses the parameter colormap, or returns nil.
func (r reader) colors() *colormap.Map {
	text := r.Text("colormap")
	if text == "" {
		return nil
	}
	colors, err := colormap.ParseJSON([]byte(text), r.Text("colormap_type"))
	if err != nil {
		r.Reject("colormap: %s", withoutPrefix(colormap.ErrInvalid, err))
	}
	return colors
}

// Background returns the color of the parameter background, or base if it is missing.
func Background(p *query.Parameters, base raster.RGBA) raster.RGBA {
	text := p.Text("background")
	if text == "" {
		return base
	}
	color, err := colormap.ParseColor(text)
	if err != nil {
		p.Reject("background must be a color such as %s or navy, not %q", exampleColor(p), text)
	}
	return raster.RGBA(color)
}

// exampleColor is a color by its digits in the notation of p. A shell and YAML take # for the
// beginning of a comment, unless it is quoted.
func exampleColor(p *query.Parameters) string {
	if p.InAddress {
		return "%23102030 (a # that is escaped)"
	}
	return `"#102030"`
}
