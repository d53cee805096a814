package display

import (
	"strings"

	"tileserver/display/colormap"
	"tileserver/raster"
)

// A ramp holds a color for each of the 256 grays.
type ramp struct {
	name   string // part of the key, so it must identify the colors
	colors [256]raster.RGBA
}

// chooseColors sets the colors of a single band in r.
func (s Spec) chooseColors(r *Resolved) error {
	if s.ColorMap == "" && s.Colors == nil {
		return nil
	}
	if len(r.shown) != 1 {
		return s.oneBandError("a color map needs", len(r.shown))
	}
	if s.Deep {
		return invalid("a color map cannot be used with 16-bit output")
	}
	if s.ColorMap == "" {
		s.chooseOwnColors(r)
		return nil
	}
	name := strings.ToLower(s.ColorMap)
	colors, ok := colormap.Named(name)
	if !ok {
		return invalid("unknown color map %.64q", s.ColorMap)
	}
	r.labels.colorMap = name
	if name != "gray" { // a single band is gray without a color map
		r.colors = &ramp{name, rampColors(colors)}
	}
	return nil
}

func (s Spec) chooseOwnColors(r *Resolved) {
	if colors, ok := s.Colors.Ramp(); ok {
		r.colors = &ramp{s.Colors.Key(), rampColors(colors)}
		return
	}
	r.sampleColors = s.Colors
}

func rampColors(colors *[256]colormap.Color) (own [256]raster.RGBA) {
	for i, c := range colors {
		own[i] = raster.RGBA(c)
	}
	return own
}

// checkFormula sets the formula in r. It rejects a formula that cannot have an effect.
func (s Spec) checkFormula(r *Resolved) error {
	if s.Formula == nil || s.Formula.IsIdentity() {
		return nil
	}
	if r.sampleColors != nil {
		return s.checkFixedColors("a color map of samples")
	}
	if r.deep && s.Formula.Saturates() {
		return invalid("saturation cannot be used with 16-bit output")
	}
	r.formula, r.isVerbatim = s.Formula, false
	return nil
}

// checkFixedColors rejects options that cannot apply because the colors are fixed.
func (s Spec) checkFixedColors(what string) error {
	switch {
	case s.Formula != nil && !s.Formula.IsIdentity():
		return invalid("%s takes no color formula", what)
	case s.Deep:
		return invalid("%s cannot be used with 16-bit output", what)
	case s.Relief != nil && (len(s.Rescale) > 0 || s.Stretch.Kind != Automatic || s.ColorMap != "" || s.Colors != nil):
		return invalid("%s takes no rescale, stretch or colors", what)
	}
	return nil
}

// showsPalette reports whether the shown band holds palette indices and the style does not ask
// for the indices themselves.
func (s Spec) showsPalette(r *Resolved, info *raster.Info) bool {
	asIndices := s.ColorMap != "" || s.Colors != nil || len(s.Rescale) != 0 || s.Stretch.Kind != Automatic && s.Stretch.Kind != NoStretch
	plain := r.computation == nil && r.relief == nil
	return !asIndices && plain && len(r.bands) == 1 && isPaletteBand(info, r.bands[0])
}

func isPaletteBand(info *raster.Info, band int) bool {
	indices := info.Type == raster.Uint8 || info.Type == raster.Uint16
	return indices && len(info.Palette) > 0 && info.Bands[band].Color == raster.PaletteIndex
}
