package display

import (
	"slices"

	"tileserver/display/colormap"
	"tileserver/display/formula"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// A Resolved is a Spec resolved for one dataset. It is immutable.
type Resolved struct {
	source raster.DataType // of the tiles to render
	bands  []int           // of the dataset; the tiles to render have exactly these
	alpha  int             // opacity band of the dataset, or -1

	computation *computation        // computed from the bands, or nil
	relief      *terrain.Parameters // computed from heights, or nil
	shading     *shading            // light on what is shown, or nil

	dataType raster.DataType // of the values to stretch, after all computing
	shown    []int           // bands of those values, as statistics count them
	inverted []bool          // whether the low samples of a shown band are the light ones
	stretch  Stretch         // canonical; used only without ranges and palette
	ranges   []Range         // one per shown band
	formula  *formula.Formula
	deep     bool
	data     bool
	spread   float64 // difference between samples of adjacent stored values, or 0

	palette      []raster.RGBA // colors of palette samples
	sampleColors *colormap.Map // colors of samples that are not stretched
	colors       *ramp         // colors of grays
	isVerbatim   bool          // 8-bit samples are shown as they are stored

	labels labels // for people only; no effect on pictures
}

// labels holds the names that the file gives to what is shown.
type labels struct {
	bands      []string // names of the shown bands
	unit       string   // of a single band
	categories []string // names of the samples of a palette
	expression string   // as the request wrote it
	colorMap   string   // name of the color map, if it has one
}

// Bands returns the source bands of a tile to render, in order. It excludes the opacity band
// unless that band is itself shown.
func (r *Resolved) Bands() []int { return slices.Clone(r.bands) }

// Alpha returns the source band whose opacity belongs in the coverage of a tile, or -1.
func (r *Resolved) Alpha() int { return r.alpha }

// Halo returns how many pixels a tile to render extends beyond its picture, on each side.
func (r *Resolved) Halo() int {
	switch {
	case r.shading != nil:
		return r.shading.sun.Mode.Halo()
	case r.relief != nil:
		return r.relief.Mode.Halo()
	}
	return 0
}

// IsVerbatim reports whether pixels are shown exactly as they are stored. A stored picture can
// then be sent without rendering.
func (r *Resolved) IsVerbatim() bool { return r.isVerbatim }

// HoldsNumbers reports whether clients read numbers from the pixels. Such pictures need a lossless
// format, and transparent pixels must keep their samples.
func (r *Resolved) HoldsNumbers() bool { return r.encodesHeights() || r.deep }

// IsDeep reports whether pictures have 16 bits per sample.
func (r *Resolved) IsDeep() bool { return r.deep }

func (r *Resolved) encodesHeights() bool {
	return r.relief != nil && r.relief.Mode.Output() == terrain.OutputColor
}

// IsComputed reports whether the values to stretch differ from the samples of Bands.
func (r *Resolved) IsComputed() bool { return r.computation != nil || r.relief != nil }

// Cost returns the approximate cost of computing a pixel, in units of one or two additions.
func (r *Resolved) Cost() int {
	if r.computation != nil && r.computation.program != nil {
		return r.computation.program.Cost()
	}
	return 1
}

// SampleBytes returns the bytes per pixel of the values to stretch, without coverage.
func (r *Resolved) SampleBytes() int { return len(r.shown) * r.dataType.Size() }

// ComputingBytes returns the temporary bytes per pixel of a computation: its values, and the
// relief made from them, each with coverage.
func (r *Resolved) ComputingBytes() int {
	bytes := 0
	if r.computation != nil {
		bytes += r.computation.outputs() * (r.computation.dataType.Size() + 1)
	}
	if r.relief != nil {
		bytes += r.SampleBytes() + 1
	}
	if r.isLines() {
		bytes++ // the casing
	}
	if r.shading != nil {
		bytes += r.shading.bytes(r.dataType.Size())
	}
	return bytes
}

// isLines reports whether pictures show contour lines on a transparent ground. Pictures have a
// casing around the lines; data has none.
func (r *Resolved) isLines() bool {
	return r.relief != nil && r.relief.Mode == terrain.ModeContours && !r.data
}

// IsPerTile reports whether each tile is stretched by its own statistics. Neighboring pictures do
// not match then.
func (r *Resolved) IsPerTile() bool { return r.stretch.Kind == PerTile }

// NeedsStatistics reports whether Compile needs statistics.
func (r *Resolved) NeedsStatistics() bool {
	return !r.data && r.ranges == nil && r.palette == nil && r.sampleColors == nil && !r.encodesHeights() && r.stretch.needsStatistics()
}

// StatisticsSource returns the provider and its bands that Compile needs statistics of, if p
// provides the tiles to render.
func (r *Resolved) StatisticsSource(p raster.Provider) (raster.Provider, []int) {
	if r.computation == nil {
		return p, slices.Clone(r.shown)
	}
	return newComputedProvider(p, r.computation), slices.Clone(r.shown)
}

// isInverted reports whether the low samples of a shown band are the light ones. Palettes and
// color maps ignore inversion.
func (r *Resolved) isInverted(shown int) bool { return r.inverted != nil && r.inverted[shown] }

// resolveStretch converts every stretch that needs no statistics to ranges, so that equal
// requests have equal keys.
func (r *Resolved) resolveStretch(info *raster.Info) {
	if r.ranges == nil && r.sampleColors == nil && r.stretch.Kind == Automatic {
		r.stretch.Kind = DynamicRange
		if r.relief != nil || r.computation == nil && isDisplayReady(info) {
			r.stretch.Kind = NoStretch
		}
	}
	if r.ranges == nil && r.stretch.Kind == NoStretch {
		r.ranges = slices.Repeat([]Range{r.storedRange(info)}, len(r.shown))
		r.isVerbatim = r.ranges[0] == byteRange && r.computation == nil && r.relief == nil && r.sampleColors == nil && !r.deep &&
			r.dataType == raster.Uint8 && r.inverted == nil && r.colors == nil
	}
	if r.ranges != nil || r.sampleColors != nil {
		r.stretch = Stretch{Kind: NoStretch}
	}
}
