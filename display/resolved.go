package display

import (
	"slices"

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
	shade  *shade              // the light on what is shown; nil: none

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
	expression string   // as it was asked for
	colorMap   string   // the name of the colour map, where it has one
}

// Bands are the source bands that a tile to be rendered must have, in this order; the band
// of opacity is not among them unless it is itself to be seen.
func (r *Resolved) Bands() []int { return slices.Clone(r.bands) }

// Alpha is the source band whose opacity belongs in the coverage of a tile, or -1.
func (r *Resolved) Alpha() int { return r.alpha }

// Halo is how many pixels more on each side a tile to be rendered must have than its picture.
func (r *Resolved) Halo() int {
	switch {
	case r.shade != nil:
		return r.shade.sun.Mode.Halo()
	case r.relief != nil:
		return r.relief.Mode.Halo()
	}
	return 0
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
	if r.isLines() {
		bytes++ // their casing
	}
	if r.shade != nil {
		bytes += r.shade.bytes(r.dataType.Size())
	}
	return bytes
}

// isLines tells whether lines are drawn, over nothing. Their data is the lines alone; their
// pictures have a casing around them.
func (r *Resolved) isLines() bool {
	return r.relief != nil && r.relief.Mode == terrain.ModeContours && !r.data
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
