package layer

import "tileserver/display/terrain"

// MayBeTransparent reports whether pictures like that of the job may have transparent pixels, as
// far as is known without reading: missing blocks are not known.
func (j *Job) MayBeTransparent() bool {
	info, style := j.providers.pyramid.Provider().Info(), &j.request.Style
	relief, _ := j.Relief()
	if style.Expression != "" || style.Colors != nil || relief == terrain.ModeContours { // may have gaps
		return true
	}
	if j.resolved.Alpha() >= 0 || j.resolved.HoldsNumbers() || style.NoData != nil || info.Masked || info.Type.IsFloat() {
		return true
	}
	for _, band := range j.resolved.Bands() {
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
