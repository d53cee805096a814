package display

import (
	"tileserver/display/colormap"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// Mode names how samples become colors.
type Mode string

// The modes.
const (
	ModeRGB      Mode = "rgb"      // three bands are red, green and blue
	ModeGray     Mode = "gray"     // one band runs from black to white
	ModeColorMap Mode = "colormap" // one band runs through the colors of a map
	ModePalette  Mode = "palette"  // the palette of the file has the color of each sample
	ModeClasses  Mode = "classes"  // the style has the color of each sample, or of each interval
	ModeTerrain  Mode = "terrain"  // an algorithm makes the picture of the heights in one band
)

// Summary describes the pictures of a Resolved in the vocabulary of requests. It counts bands
// from 1.
type Summary struct {
	Mode       Mode   `json:"mode"`
	Bands      []int  `json:"bidx,omitempty"`    // empty for an expression
	Opacity    int    `json:"opacity,omitempty"` // the band that makes pixels transparent, or 0
	Expression string `json:"expression,omitempty"`
	Algorithm  string `json:"algorithm,omitempty"`

	// AlgorithmParameters are the parameters of the algorithm, named as in algorithm_params.
	AlgorithmParameters map[string]any `json:"algorithm_params,omitempty"`

	Stretch string `json:"stretch"`

	// Rescale has a range for each shown band. It is nil until statistics are known, and if
	// nothing is stretched.
	Rescale [][2]float64 `json:"rescale"`

	ColorMap string `json:"colormap_name,omitempty"`
}

// Summary describes the pictures that given statistics lead to. If they are nil, it leaves out
// the ranges that depend on them.
func (r *Resolved) Summary(stats *statistics.Dataset) Summary {
	ranges := r.ranges
	if stats != nil && ranges == nil {
		ranges, _ = r.rangesFrom(stats) // a missing band leaves the ranges unknown
	}
	return r.summaryWith(ranges)
}

// Summary describes the pictures of c.
func (c *Chain) Summary() Summary { return c.resolved.summaryWith(c.ranges) }

func (r *Resolved) summaryWith(ranges []Range) Summary {
	s := Summary{
		Mode: r.mode(), Opacity: r.alpha + 1, Stretch: r.stretch.String(),
		Expression: r.labels.expression, ColorMap: r.labels.colorMap,
	}
	if s.Expression == "" {
		for _, band := range r.bands {
			s.Bands = append(s.Bands, band+1)
		}
	}
	switch {
	case r.shading != nil:
		s.Algorithm, s.AlgorithmParameters = r.shading.sun.Mode.String(), r.shading.sun.Named()
	case r.relief != nil:
		s.Algorithm, s.AlgorithmParameters = r.relief.Mode.String(), r.relief.Named()
	}
	if r.encodesHeights() || r.palette != nil || r.sampleColors != nil {
		s.Stretch = Stretch{Kind: NoStretch}.String()
	} else {
		s.Rescale = r.storedRanges(ranges)
	}
	return s
}

// storedRanges converts ranges to samples of the file. It returns nil if one is not finite.
func (r *Resolved) storedRanges(ranges []Range) [][2]float64 {
	var stored [][2]float64
	for _, limits := range ranges {
		if r.spread > 1 && r.computation == nil && r.relief == nil {
			limits = Range{limits.Low / r.spread, limits.High / r.spread}
		}
		if !isFinite(limits.Low) || !isFinite(limits.High) {
			return nil
		}
		stored = append(stored, [2]float64{limits.Low, limits.High})
	}
	return stored
}

func (r *Resolved) mode() Mode {
	switch {
	case r.relief != nil || r.shading != nil:
		return ModeTerrain
	case r.palette != nil:
		return ModePalette
	case r.sampleColors != nil && r.sampleColors.Kind() != colormap.Stops:
		return ModeClasses
	case r.sampleColors != nil || r.colors != nil:
		return ModeColorMap
	case len(r.shown) > 1:
		return ModeRGB
	}
	return ModeGray
}

// Role is the purpose of a band.
type Role string

// The roles.
const (
	RoleColor   Role = "color" // red, green or blue
	RoleGray    Role = "gray"
	RolePalette Role = "palette" // indices of colors
	RoleClasses Role = "classes" // numbers that have names
	RoleOpacity Role = "opacity"
	RoleData    Role = "data" // anything else
)

// RoleOf returns the role of a band. Only the first opacity band makes pixels transparent; others
// are data.
func RoleOf(info *raster.Info, band int) Role {
	switch own := &info.Bands[band]; {
	case band == info.Alpha():
		return RoleOpacity
	case own.Color == raster.PaletteIndex:
		return RolePalette
	case len(own.Categories) > 0 && !info.Type.IsFloat():
		return RoleClasses
	case own.Color == raster.Red || own.Color == raster.Green || own.Color == raster.Blue:
		return RoleColor
	case own.Color == raster.Gray:
		return RoleGray
	}
	return RoleData
}
