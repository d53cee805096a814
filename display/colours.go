package display

import (
	"strings"

	"tileserver/display/colormap"
	"tileserver/raster"
)

// ramp is the colours of grays.
type ramp struct {
	name   string // which says what is in it
	colors [256]raster.RGBA
}

// chooseColors settles the colours of a single band.
func (s Spec) chooseColors(r *Resolved) error {
	if s.ColorMap == "" && s.Colors == nil {
		return nil
	}
	if len(r.shown) != 1 {
		return s.oneBandNeeded("a color map needs", len(r.shown))
	}
	if s.Deep {
		return invalid("a color map has no depth of 16 bits")
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
	r.words.colorMap = name
	if name != "gray" { // what a single band is without colours
		r.colors = &ramp{name, rampColors(colors)}
	}
	return nil
}

func (s Spec) chooseOwnColors(r *Resolved) {
	if colors, ok := s.Colors.Ramp(); ok {
		r.colors = &ramp{s.Colors.Key(), rampColors(colors)}
		return
	}
	r.samples = s.Colors
}

func rampColors(colors *[256]colormap.Color) (own [256]raster.RGBA) {
	for i, c := range colors {
		own[i] = raster.RGBA(c)
	}
	return own
}

// checkFormula refuses a formula where there is nothing for it to do, and settles it.
func (s Spec) checkFormula(r *Resolved) error {
	if s.Formula == nil || s.Formula.IsIdentity() {
		return nil
	}
	if r.samples != nil {
		return s.checkPlain("colours of samples")
	}
	if r.deep && s.Formula.Saturates() {
		return invalid("saturation has no depth of 16 bits")
	}
	r.formula, r.pictured = s.Formula, false
	return nil
}

// checkPlain refuses what cannot be done to something whose colours are fixed.
func (s Spec) checkPlain(what string) error {
	switch {
	case s.Formula != nil && !s.Formula.IsIdentity():
		return invalid("%s takes no color formula", what)
	case s.Deep:
		return invalid("%s has no depth of 16 bits", what)
	case s.Relief != nil && (len(s.Rescale) > 0 || s.Stretch.Kind != Automatic || s.ColorMap != "" || s.Colors != nil):
		return invalid("%s takes no rescale, stretch or colors", what)
	}
	return nil
}

// showsPalette tells whether the shown band is one of indices into the palette, and nobody
// asked to see the bare indices.
func (s Spec) showsPalette(r *Resolved, info *raster.Info) bool {
	asIndices := s.ColorMap != "" || s.Colors != nil || len(s.Rescale) != 0 || s.Stretch.Kind != Automatic && s.Stretch.Kind != NoStretch
	plain := r.values == nil && r.relief == nil
	return !asIndices && plain && len(r.bands) == 1 && isPaletteBand(info, r.bands[0])
}

func isPaletteBand(info *raster.Info, band int) bool {
	indices := info.Type == raster.Uint8 || info.Type == raster.Uint16
	return indices && len(info.Palette) > 0 && info.Bands[band].Color == raster.PaletteIndex
}
