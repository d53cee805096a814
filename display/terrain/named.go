package terrain

// Named returns the parameters of the mode, keyed by the names that ParseParameters reads. It omits
// unset parameters.
func (p *Parameters) Named() map[string]any {
	switch p.Mode {
	case ModeHillshade, ModeRelief:
		return map[string]any{"azimuth": p.Light.Azimuth, "angle_altitude": p.Light.Altitude, "z_exaggeration": p.Light.Exaggeration}
	case ModeMultiHillshade:
		return map[string]any{"angle_altitude": p.Light.Altitude, "z_exaggeration": p.Light.Exaggeration}
	case ModeSlope:
		return map[string]any{"z_exaggeration": p.Steepness.Exaggeration, "unit": p.Steepness.Unit.String()}
	case ModeContours:
		return p.namedLines()
	}
	return nil
}

func (p *Parameters) namedLines() map[string]any {
	named := map[string]any{"increment": p.Lines.Interval, "thickness": p.Lines.Thickness, "minz": p.MinHeight, "maxz": p.MaxHeight}
	if p.Lines.IndexEvery > 0 {
		named["index_every"], named["index_thickness"] = p.Lines.IndexEvery, p.Lines.IndexThickness
	}
	return named
}
