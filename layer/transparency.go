package layer

// MayBeTransparent tells whether something may show through pictures like that of a job, as
// far as it is known before anything is read: that blocks are missing is not.
func (j *Job) MayBeTransparent() bool {
	info := j.from.pyramid.Provider().Info()
	if j.resolved.Alpha() >= 0 || j.resolved.HoldsNumbers() || j.request.Style.NoData != nil || info.Masked || info.Type.IsFloat() {
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
