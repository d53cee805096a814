package display

import (
	"slices"
	"strings"

	"tileserver/display/colormap"
	"tileserver/display/formula"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// Resolved is a Spec settled for one dataset. It is never written.
type Resolved struct {
	source raster.DataType // of the tiles that are rendered
	bands  []int           // of the dataset, that those tiles have
	alpha  int

	values *values             // what is computed of those bands; nil: nothing
	relief *terrain.Parameters // what is made of heights; nil: nothing

	dataType raster.DataType // of what is stretched, after all that
	shown    []int           // its bands, as statistics count them
	inverted []bool          // whether a shown band's low samples are the light ones
	stretch  Stretch         // canonical; meant where there are no ranges and no palette
	ranges   []Range         // one a shown band
	formula  *formula.Formula
	deep     bool
	data     bool
	spread   float64 // steps of a sample for each of a stored one, or 0

	palette  []raster.RGBA // the colours that samples stand for
	samples  *colormap.Map // the colours that samples become without a stretch
	colors   *ramp         // the colours that grays become
	pictured bool          // samples of eight bits are shown as they are stored

	words words // for people, and of no consequence to pictures
}

// words are what a file calls what is shown.
type words struct {
	bands      []string // the names of the shown bands
	unit       string   // of a single one
	categories []string // of the samples of a palette
}

// ramp is the colours of grays.
type ramp struct {
	name   string // which says what is in it
	colors [256]raster.RGBA
}

// Resolve settles s for a dataset. A dataset of samples in a palette shows its colours;
// unsigned samples of eight bits that are gray, RGB or RGB and one more are shown as they
// are; all others are stretched by the dataset's dynamic range.
func (s Spec) Resolve(info *raster.Info) (*Resolved, error) {
	if s.Data {
		s = s.withoutLooks()
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
	if r.isCode() {
		return r, s.checkPlain(r.relief.Mode.String())
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
		return invalid("%v is made of one band, not %d", s.Relief.Mode, len(r.shown))
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

// Bands are the source bands that a tile to be rendered must have, in this order; the band
// of opacity is not among them unless it is itself to be seen.
func (r *Resolved) Bands() []int { return slices.Clone(r.bands) }

// Alpha is the source band whose opacity belongs in the coverage of a tile, or -1.
func (r *Resolved) Alpha() int { return r.alpha }

// Halo is how many pixels more on each side a tile to be rendered must have than its picture.
func (r *Resolved) Halo() int {
	if r.relief == nil {
		return 0
	}
	return r.relief.Mode.Halo()
}

// IsPictured tells whether pixels are shown as they are stored: whoever has a picture of
// them need not render one.
func (r *Resolved) IsPictured() bool { return r.pictured }

// HoldsNumbers tells whether somebody will read numbers out of pictures: a file must keep
// them as they are, and every pixel must have them.
func (r *Resolved) HoldsNumbers() bool { return r.isCode() || r.deep }

// IsDeep tells whether pictures have 16 bits a sample.
func (r *Resolved) IsDeep() bool { return r.deep }

func (r *Resolved) isCode() bool {
	return r.relief != nil && r.relief.Mode.Output() == terrain.OutputColor
}

// IsComputed tells whether what is stretched are not the samples of Bands themselves.
func (r *Resolved) IsComputed() bool { return r.values != nil || r.relief != nil }

// Cost is about what it takes to compute a pixel, in the time of an addition or two.
func (r *Resolved) Cost() int {
	if r.values != nil && r.values.program != nil {
		return r.values.program.Cost()
	}
	return 1
}

// SampleBytes is what a pixel takes of what is stretched, without its coverage.
func (r *Resolved) SampleBytes() int { return len(r.shown) * r.dataType.Size() }

// ComputingBytes is what a pixel takes while it is computed: what is computed of its bands,
// and what is made of that, each with its coverage.
func (r *Resolved) ComputingBytes() int {
	bytes := 0
	if r.values != nil {
		bytes += r.values.outputs() * (r.values.dataType.Size() + 1)
	}
	if r.relief != nil {
		bytes += r.SampleBytes() + 1
	}
	return bytes
}

// IsPassing tells whether the picture of a place depends on how much is looked at around it,
// so that pictures of neighbours do not fit together.
func (r *Resolved) IsPassing() bool { return r.stretch.Kind == Passing }

// NeedsStatistics tells whether Compile needs statistics.
func (r *Resolved) NeedsStatistics() bool {
	return !r.data && r.ranges == nil && r.palette == nil && r.samples == nil && !r.isCode() && r.stretch.needsStatistics()
}

// Measured is the dataset that Compile needs statistics of, and the bands of it, where the
// tiles to be rendered are those of p.
func (r *Resolved) Measured(p raster.Provider) (raster.Provider, []int) {
	if r.values == nil {
		return p, slices.Clone(r.shown)
	}
	return newComputed(p, r.values), slices.Clone(r.shown)
}

// isInverted tells whether the low samples of a shown band are the light ones. Those of a
// palette and those under a colour map never are.
func (r *Resolved) isInverted(shown int) bool { return r.inverted != nil && r.inverted[shown] }

// settleStretch turns every stretch that needs no statistics into ranges, so that specs
// that ask for the same in other words are the same from here on.
func (r *Resolved) settleStretch(info *raster.Info) {
	if r.ranges == nil && r.samples == nil && r.stretch.Kind == Automatic {
		r.stretch.Kind = DynamicRange
		if r.relief != nil || r.values == nil && isReadyToSee(info) {
			r.stretch.Kind = NoStretch
		}
	}
	if r.ranges == nil && r.stretch.Kind == NoStretch {
		r.ranges = slices.Repeat([]Range{r.storedRange(info)}, len(r.shown))
		r.pictured = r.ranges[0] == asStored && r.values == nil && r.relief == nil && r.samples == nil && !r.deep &&
			r.dataType == raster.Uint8 && r.inverted == nil && r.colors == nil
	}
	if r.ranges != nil || r.samples != nil {
		r.stretch = Stretch{Kind: NoStretch}
	}
}

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
		return invalid("colours of samples need no rescale and no stretch")
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

// chooseColors settles the colours of a single band.
func (s Spec) chooseColors(r *Resolved) error {
	if s.ColorMap == "" && s.Colors == nil {
		return nil
	}
	if len(r.shown) != 1 {
		return invalid("a colour map needs one band, not %d", len(r.shown))
	}
	if s.Deep {
		return invalid("colours of a colour map have no depth of 16 bits")
	}
	if r.relief != nil && r.relief.Mode == terrain.ModeContours {
		return invalid("contours have no colours")
	}
	if s.ColorMap == "" {
		s.chooseOwnColors(r)
		return nil
	}
	name := strings.ToLower(s.ColorMap)
	colors, ok := colormap.Named(name)
	if !ok {
		return invalid("there is no colour map %q; there are %s", s.ColorMap, strings.Join(colormap.Names(), ", "))
	}
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
		return invalid("%s takes no colour formula", what)
	case s.Deep:
		return invalid("%s has no depth of 16 bits", what)
	case s.Relief != nil && (len(s.Rescale) > 0 || s.Stretch.Kind != Automatic || s.ColorMap != "" || s.Colors != nil):
		return invalid("%s takes no rescale, no stretch and no colours", what)
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
