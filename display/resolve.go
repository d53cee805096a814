package display

import (
	"tileserver/display/terrain"
	"tileserver/raster"
)

// Resolve settles s for a dataset. A dataset of samples in a palette shows its colours;
// unsigned samples of eight bits that are gray, RGB or RGB and one more are shown as they
// are; all others are stretched by the dataset's dynamic range.
func (s Spec) Resolve(info *raster.Info) (*Resolved, error) {
	if s.Data {
		s = s.withoutLooks()
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
		return r, s.checkPlain("a palette")
	}
	if r.isCode() || r.isLines() {
		if err := s.checkPlain(r.relief.Mode.String()); err != nil || r.isCode() {
			return r, err
		}
	}
	if err := s.chooseColors(r); err != nil {
		return nil, err
	}
	if r.values == nil && r.colors == nil {
		r.inverted = invertedBands(r.bands, info)
	}
	if err := s.chooseRanges(r, info); err != nil {
		return nil, err
	}
	r.settleStretch(info)
	if s.StoredStatistics && r.stretch.needsStatistics() {
		return nil, invalid("the statistics in a file do for the stretches minmax and stddev, not %v", r.stretch)
	}
	return r, s.checkFormula(r)
}

// withoutLooks is s without what only changes how samples look.
func (s Spec) withoutLooks() Spec {
	if s.isShaded() {
		s.Relief = nil
	}
	return Spec{Bands: s.Bands, BandNames: s.BandNames, Expression: s.Expression, Unscale: s.Unscale, Amplitudes: true, Relief: s.Relief, Data: true}
}

// chooseShown settles which bands are read and what is made of them before a stretch.
func (s Spec) chooseShown(r *Resolved, info *raster.Info) (err error) {
	if s.Expression != "" && len(s.Bands)+len(s.BandNames) > 0 || len(s.Bands) > 0 && len(s.BandNames) > 0 {
		return invalid("bands, names of bands and an expression exclude each other")
	}
	if s.Expression == "" {
		if r.bands, err = s.chooseBands(info); err != nil {
			return err
		}
	}
	if r.values, err = s.chooseValues(info, r.bands); err != nil {
		return err
	}
	r.dataType, r.shown = info.Type, r.bands
	if r.values != nil {
		r.bands = r.values.bands
		r.dataType, r.shown = r.values.dataType, countTo(r.values.outputs())
	}
	r.alpha = alphaBeside(r.bands, info)
	r.words = r.wordsOf(info)
	r.words.expression = s.Expression
	if !s.Data && len(r.shown) != 1 && len(r.shown) != maxShownBands {
		return invalid("one band or three can be shown, not %d", len(r.shown))
	}
	if len(r.bands) == 0 {
		return invalid("the expression is of no band")
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
		return s.oneBandNeeded(s.Relief.Mode.String()+" is made of", len(r.shown))
	}
	parameters := *s.Relief
	if parameters.Mode.Output() == terrain.OutputColor && !parameters.Encoding.HasMissingHeight {
		parameters.Encoding.HasMissingHeight = true // and 0: what reads it knows no transparency
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
