package display

import (
	"tileserver/raster"
)

// storedRange is what is black and white where nothing is stretched: the range of samples of
// eight bits, or of as many as are in use, for the white of a scan of one bit is 1.
func (r *Resolved) storedRange(info *raster.Info) Range {
	switch {
	case r.relief != nil:
		return reliefRange(r.relief)
	case r.deep && r.dataType != raster.Uint8:
		return Range{0, 1<<16 - 1}
	case r.values == nil && info.Type == raster.Uint8 && info.Bits > 0 && info.Bits < 8:
		return Range{0, float64(int(1)<<info.Bits - 1)}
	}
	return asStored
}

// isReadyToSee tells whether samples are grays and colours as they are: unsigned, of eight
// bits, and as many bands as a picture has, with a fourth one that may be infrared.
func isReadyToSee(info *raster.Info) bool {
	seen := len(visibleBands(info))
	return info.Type == raster.Uint8 && (seen == 1 || seen == 3 || seen == 4)
}

// chooseRanges is one range a shown band, or none where nobody gives any.
func (s Spec) chooseRanges(r *Resolved, info *raster.Info) error {
	switch {
	case len(s.Rescale) > 0 && s.Stretch.Kind != Automatic:
		return invalid("rescale and the stretch %v exclude each other", s.Stretch)
	case r.samples != nil && (len(s.Rescale) > 0 || s.Stretch.Kind != Automatic):
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
		given := s.Rescale[min(i, len(s.Rescale)-1)]
		if err := given.validate(); err != nil {
			return err
		}
		if r.values == nil && info.Spread > 1 {
			given = Range{given.Low * info.Spread, given.High * info.Spread}
		}
		r.ranges = append(r.ranges, given)
	}
	return nil
}

// chooseStored takes the statistics that the file has.
func (s Spec) chooseStored(r *Resolved, info *raster.Info) error {
	if r.values != nil {
		return invalid("the file has no statistics of what is computed")
	}
	if s.Stretch.Kind != MinMax && s.Stretch.Kind != Deviations {
		return invalid("the statistics in a file do for the stretches minmax and stddev, not %v", s.Stretch)
	}
	for _, band := range r.shown {
		stored := info.Bands[band].Stored
		if stored == nil {
			return invalid("the file has no statistics of band %d", band+1)
		}
		r.ranges = append(r.ranges, s.Stretch.limitsOf(stored))
	}
	return nil
}
