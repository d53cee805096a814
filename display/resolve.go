package display

import (
	"slices"
	"strings"

	"tileserver/raster"
)

// Resolved is a Spec settled for one dataset. It is never written.
type Resolved struct {
	dataType raster.DataType
	bands    []int
	inverted []bool // whether a shown band's low samples are the light ones
	alpha    int
	stretch  Stretch       // canonical; meant where there are no ranges and no palette
	ranges   []Range       // one a shown band
	palette  []raster.RGBA // the colours that samples stand for
	colorMap *ColorMap     // the colours that grays become
}

// Resolve settles s for a dataset. A dataset of samples in a palette shows its colours;
// unsigned samples of eight bits are shown as they are; all others are stretched by the
// dataset's dynamic range.
func (s Spec) Resolve(info *raster.Info) (*Resolved, error) {
	if len(info.Bands) == 0 || info.Type.Size() == 0 {
		return nil, invalid("the dataset has %d bands of %v samples", len(info.Bands), info.Type)
	}
	if err := s.Stretch.validate(); err != nil {
		return nil, err
	}
	bands, err := s.chooseBands(info)
	if err != nil {
		return nil, err
	}
	r := &Resolved{dataType: info.Type, bands: bands, alpha: alphaBeside(bands, info), stretch: s.Stretch.canonical()}
	if s.showsPalette(bands, info) {
		r.palette, r.stretch = info.Palette, Stretch{Kind: NoStretch}
		return r, nil
	}
	if r.colorMap, err = s.chooseColorMap(bands); err != nil {
		return nil, err
	}
	if r.colorMap == nil {
		r.inverted = invertedBands(bands, info)
	}
	if r.ranges, err = s.chooseRanges(len(bands)); err != nil {
		return nil, err
	}
	r.settleStretch(bitRange(info))
	return r, nil
}

// Bands are the source bands that a tile to be rendered must have, in this order; the band
// of opacity is not among them unless it is itself to be seen.
func (r *Resolved) Bands() []int { return slices.Clone(r.bands) }

// Alpha is the source band whose opacity belongs in the coverage of a tile, or -1.
func (r *Resolved) Alpha() int { return r.alpha }

// NeedsStatistics tells whether Compile needs statistics of Bands.
func (r *Resolved) NeedsStatistics() bool { return r.ranges == nil && r.palette == nil }

// isInverted tells whether the low samples of a shown band are the light ones. Those of a
// palette and those under a colour map never are.
func (r *Resolved) isInverted(shown int) bool { return r.inverted != nil && r.inverted[shown] }

// settleStretch turns every stretch that needs no statistics into ranges, so that specs
// that ask for the same in other words are the same from here on.
func (r *Resolved) settleStretch(stored Range) {
	if r.ranges == nil && r.stretch.Kind == Automatic {
		r.stretch.Kind = DynamicRange
		if r.dataType == raster.Uint8 {
			r.stretch.Kind = NoStretch
		}
	}
	if r.ranges == nil && !r.stretch.needsStatistics() {
		r.ranges = slices.Repeat([]Range{stored}, len(r.bands))
	}
	if r.ranges != nil {
		r.stretch = Stretch{Kind: NoStretch}
	}
}

// chooseRanges is one range a shown band, or nil where the spec gives none.
func (s Spec) chooseRanges(shown int) ([]Range, error) {
	if len(s.Rescale) == 0 {
		return nil, nil
	}
	if s.Stretch.Kind != Automatic {
		return nil, invalid("rescale and the stretch %v exclude each other", s.Stretch)
	}
	if len(s.Rescale) != 1 && len(s.Rescale) != shown {
		return nil, invalid("%d ranges to rescale for %d shown bands", len(s.Rescale), shown)
	}
	for _, r := range s.Rescale {
		if err := r.validate(); err != nil {
			return nil, err
		}
	}
	if len(s.Rescale) == 1 {
		return slices.Repeat(s.Rescale, shown), nil
	}
	return slices.Clone(s.Rescale), nil
}

func (s Spec) chooseColorMap(bands []int) (*ColorMap, error) {
	if s.ColorMap == "" {
		return nil, nil
	}
	if len(bands) != 1 {
		return nil, invalid("a colour map needs one band, not %d", len(bands))
	}
	colors, ok := NamedColorMap(s.ColorMap)
	if !ok {
		return nil, invalid("there is no colour map %q; there are %s", s.ColorMap, strings.Join(ColorMapNames(), ", "))
	}
	if colors.name == "gray" {
		return nil, nil // what a single band is without colours
	}
	return colors, nil
}

// showsPalette tells whether the shown band is one of indices into the palette, and nobody
// asked to see the bare indices.
func (s Spec) showsPalette(bands []int, info *raster.Info) bool {
	asIndices := s.ColorMap != "" || len(s.Rescale) != 0 || s.Stretch.needsStatistics()
	return !asIndices && len(bands) == 1 && isPaletteBand(info, bands[0])
}

func isPaletteBand(info *raster.Info, band int) bool {
	indices := info.Type == raster.Uint8 || info.Type == raster.Uint16
	return indices && len(info.Palette) > 0 && info.Bands[band].Color == raster.PaletteIndex
}

// bitRange is the range of samples of eight bits, or of as many as are in use: the white of
// a scan of one bit is 1.
func bitRange(info *raster.Info) Range {
	if info.Type == raster.Uint8 && info.Bits > 0 && info.Bits < 8 {
		return Range{0, float64(int(1)<<info.Bits - 1)}
	}
	return asStored
}
