package display

import (
	"tileserver/raster"
)

// storedRange returns the samples that are black and white if nothing is stretched: the range of
// 8-bit samples, or of the bits in use. White in a scan of one bit is 1.
func (r *Resolved) storedRange(info *raster.Info) Range {
	switch {
	case r.relief != nil:
		return reliefRange(r.relief)
	case r.deep && r.dataType != raster.Uint8:
		return Range{0, 1<<16 - 1}
	case r.computation == nil && info.Type == raster.Uint8 && info.Bits > 0 && info.Bits < 8:
		return Range{0, float64(int(1)<<info.Bits - 1)}
	}
	return byteRange
}

// isDisplayReady reports whether samples can be shown unstretched: unsigned, eight bits, and one,
// three or four bands. A fourth band may be infrared.
func isDisplayReady(info *raster.Info) bool {
	visible := len(visibleBands(info))
	return info.Type == raster.Uint8 && (visible == 1 || visible == 3 || visible == 4)
}

// chooseRanges sets one range per shown band in r, or none if the style gives no ranges.
func (s Spec) chooseRanges(r *Resolved, info *raster.Info) error {
	switch {
	case len(s.Rescale) > 0 && s.Stretch.Kind != Automatic:
		return invalid("rescale and the stretch %v exclude each other", s.Stretch)
	case r.sampleColors != nil && (len(s.Rescale) > 0 || s.Stretch.Kind != Automatic):
		return invalid("a color map of samples takes no rescale or stretch")
	case len(s.Rescale) > 0:
		return s.chooseRescale(r, info)
	case r.relief != nil && s.Stretch.needsStatistics():
		return invalid("%v is not stretched by statistics; use rescale", r.relief.Mode)
	case s.StoredStatistics && s.Stretch.needsStatistics():
		return s.chooseStored(r, info)
	}
	return nil
}

func (s Spec) chooseRescale(r *Resolved, info *raster.Info) error {
	if len(s.Rescale) != 1 && len(s.Rescale) != len(r.shown) {
		return invalid("%d ranges to rescale for %d shown bands", len(s.Rescale), len(r.shown))
	}
	for i := range r.shown {
		limits := s.Rescale[min(i, len(s.Rescale)-1)]
		if err := limits.validate(); err != nil {
			return err
		}
		if r.computation == nil && info.Spread > 1 {
			limits = Range{limits.Low * info.Spread, limits.High * info.Spread}
		}
		r.ranges = append(r.ranges, limits)
	}
	return nil
}

// chooseStored sets the ranges from statistics stored in the file.
func (s Spec) chooseStored(r *Resolved, info *raster.Info) error {
	if r.computation != nil {
		return invalid("the file has no statistics of computed values")
	}
	if s.Stretch.Kind != MinMax && s.Stretch.Kind != Deviations {
		return invalid("statistics stored in the file support only the stretches minmax and stddev, not %v", s.Stretch)
	}
	for _, band := range r.shown {
		stored := info.Bands[band].Stored
		if stored == nil {
			return invalid("the file has no statistics of band %d", band+1)
		}
		r.ranges = append(r.ranges, s.Stretch.storedLimits(stored))
	}
	return nil
}
