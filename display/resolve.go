package display

import (
	"tileserver/display/terrain"
	"tileserver/raster"
)

// Resolve resolves s for a dataset. The defaults are:
//   - palette samples show their colors;
//   - unsigned 8-bit samples with one, three or four visible bands are shown as stored;
//   - all other samples are stretched by the dynamic range of the dataset.
func (s Spec) Resolve(info *raster.Info) (*Resolved, error) {
	if s.Data {
		s = s.dataOnly()
	}
	if s.isShaded() {
		return s.resolveShaded(info)
	}
	if len(info.Bands) == 0 || info.Type.Size() == 0 {
		return nil, invalid("the dataset has %d bands of %v samples", len(info.Bands), info.Type)
	}
	if err := s.Stretch.validate(); err != nil {
		return nil, err
	}
	r := &Resolved{source: info.Type, stretch: s.Stretch.canonical(), deep: s.Deep, data: s.Data, spread: info.Spread}
	if err := s.chooseShown(r, info); err != nil {
		return nil, err
	}
	if s.Data {
		return r, nil
	}
	if s.showsPalette(r, info) {
		r.palette, r.stretch = info.Palette, Stretch{Kind: NoStretch}
		return r, s.checkFixedColors("a palette")
	}
	if r.encodesHeights() || r.isLines() {
		if err := s.checkFixedColors(r.relief.Mode.String()); err != nil || r.encodesHeights() {
			return r, err
		}
	}
	if err := s.chooseColors(r); err != nil {
		return nil, err
	}
	if r.computation == nil && r.colors == nil {
		r.inverted = invertedBands(r.bands, info)
	}
	if err := s.chooseRanges(r, info); err != nil {
		return nil, err
	}
	r.resolveStretch(info)
	if s.StoredStatistics && r.stretch.needsStatistics() {
		return nil, invalid("statistics stored in the file support only the stretches minmax and stddev, not %v", r.stretch)
	}
	return r, s.checkFormula(r)
}

// dataOnly returns s without the options that only change how samples look.
func (s Spec) dataOnly() Spec {
	if s.isShaded() {
		s.Relief = nil
	}
	return Spec{Bands: s.Bands, BandNames: s.BandNames, Expression: s.Expression, Unscale: s.Unscale, Amplitudes: true, Relief: s.Relief, Data: true}
}

// chooseShown sets the bands to read and the values to compute from them before the stretch.
func (s Spec) chooseShown(r *Resolved, info *raster.Info) (err error) {
	if s.Expression != nil && len(s.Bands)+len(s.BandNames) > 0 || len(s.Bands) > 0 && len(s.BandNames) > 0 {
		return invalid("bands, names of bands and an expression exclude each other")
	}
	if s.Expression == nil {
		if r.bands, err = s.chooseBands(info); err != nil {
			return err
		}
	}
	if r.computation, err = s.chooseComputation(info, r.bands); err != nil {
		return err
	}
	r.dataType, r.shown = info.Type, r.bands
	if r.computation != nil {
		r.bands = r.computation.bands
		r.dataType, r.shown = r.computation.dataType, countTo(r.computation.outputs())
	}
	r.alpha = separateAlpha(r.bands, info)
	r.labels = r.labelsOf(info)
	if s.Expression != nil {
		r.labels.expression = s.Expression.String()
	}
	if !s.Data && len(r.shown) != 1 && len(r.shown) != maxShownBands {
		return invalid("one band or three can be shown, not %d", len(r.shown))
	}
	if len(r.bands) == 0 {
		return invalid("the expression uses no band")
	}
	return s.chooseRelief(r)
}

func (s Spec) chooseRelief(r *Resolved) error {
	if s.Relief == nil {
		return nil
	}
	if err := s.Relief.Validate(); err != nil {
		return invalid("%v", err)
	}
	if len(r.shown) != 1 {
		return s.oneBandError(s.Relief.Mode.String()+" is made of", len(r.shown))
	}
	parameters := *s.Relief
	if parameters.Mode.Output() == terrain.OutputColor && !parameters.Encoding.HasMissingHeight {
		parameters.Encoding.HasMissingHeight = true // 0: readers of encoded heights know no transparency
	}
	r.relief, r.dataType = &parameters, raster.Float32
	if parameters.Mode.Output() == terrain.OutputGray {
		r.dataType = raster.Uint8
	}
	return nil
}

func countTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}
