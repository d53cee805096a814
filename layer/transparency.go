package layer

import "tileserver/display/terrain"

// mayBeTransparent reports whether pictures in the part's style may have transparent pixels.
func (p *part) mayBeTransparent() bool {
	info, style := p.providers.pyramid.Provider().Info(), &p.request.Style
	relief, _ := p.relief()
	if style.Expression != "" || style.Colors != nil || relief == terrain.ModeContours { // may have gaps
		return true
	}
	if p.resolved.Alpha() >= 0 || p.resolved.HoldsNumbers() || style.NoData != nil || info.Masked || info.Type.IsFloat() {
		return true
	}
	for _, band := range p.resolved.Bands() {
		if info.Bands[band].HasNoData {
			return true
		}
	}
	for _, color := range info.Palette {
		if color.A != 255 {
			return true
		}
	}
	return false
}

// relief returns the terrain mode of the part, if it has one.
func (p *part) relief() (mode terrain.Mode, ok bool) {
	if p.request.Style.Relief == nil {
		return 0, false
	}
	return p.request.Style.Relief.Mode, true
}
