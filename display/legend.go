package display

import (
	"fmt"

	"tileserver/display/colormap"
	"tileserver/display/legend"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// labelsOf returns the names that the file gives to the shown bands.
func (r *Resolved) labelsOf(info *raster.Info) labels {
	var w labels
	for i, band := range r.shown {
		if r.computation != nil {
			w.bands = append(w.bands, fmt.Sprintf("output %d", i+1))
			continue
		}
		name := info.Bands[band].Name
		if name == "" {
			name = fmt.Sprintf("band %d", band+1)
		}
		w.bands = append(w.bands, name)
	}
	if len(r.shown) == 1 && r.computation == nil {
		own := &info.Bands[r.shown[0]]
		w.categories = own.Categories
		if scaleOf(own) == (scaling{}) {
			w.unit = own.Unit
		}
	}
	return w
}

// Legend returns the legend of the pictures. The caller sets its title. There is no legend if
// colors encode numbers.
func (c *Chain) Legend() (*legend.Legend, bool) {
	r := c.resolved
	switch {
	case r.encodesHeights() || len(c.ranges) == 0 && r.palette == nil && r.sampleColors == nil:
		return nil, false
	case r.sampleColors != nil:
		return &legend.Legend{Map: r.sampleColors, Unit: r.labels.unit}, true
	case r.palette != nil:
		return categoryLegend(r.categoriesOf())
	case len(r.shown) > 1:
		return labelLegend(r.channels())
	case r.isLines():
		line := fmt.Sprintf("every %v", r.relief.Lines.Interval)
		return labelLegend([]colormap.Entry{{Color: colormap.Color{A: 255}, Label: line}})
	}
	return c.rampLegend(), true
}

// HasLegend reports whether a compiled chain will have a legend.
func (r *Resolved) HasLegend() bool {
	switch {
	case r.encodesHeights() || r.data:
		return false
	case r.sampleColors == nil && r.palette != nil:
		_, ok := categoryLegend(r.categoriesOf())
		return ok
	}
	return r.sampleColors != nil || !r.IsPerTile()
}

func categoryLegend(entries []colormap.Entry) (*legend.Legend, bool) {
	m, err := colormap.New(colormap.Categories, entries)
	if err != nil {
		return nil, false // a palette without colors, or with too many for a legend
	}
	return &legend.Legend{Map: m}, true
}

// labelLegend returns a legend of labeled colors that stand for no samples.
func labelLegend(entries []colormap.Entry) (*legend.Legend, bool) {
	l, ok := categoryLegend(entries)
	if ok {
		l.NamesOnly = true
	}
	return l, ok
}

// categoriesOf returns the colors of the palette. If the file names categories, colors without a
// name are left out.
func (r *Resolved) categoriesOf() []colormap.Entry {
	var entries []colormap.Entry
	for i, color := range r.palette[:usedColors(r.palette)] {
		label := ""
		if i < len(r.labels.categories) {
			label = r.labels.categories[i]
		}
		if color.A == 0 || label == "" && len(r.labels.categories) > 0 {
			continue
		}
		entries = append(entries, colormap.Entry{Low: float64(i), Color: colormap.Color(color), Label: label})
	}
	return entries
}

// usedColors returns the number of palette colors in use. File formats pad a palette with copies
// of one unused color.
func usedColors(palette []raster.RGBA) int {
	last := len(palette) - 1
	n := last
	for n > 0 && palette[n-1] == palette[last] {
		n--
	}
	if n == last {
		return len(palette)
	}
	return max(n, 1)
}

// channels returns the bands shown as red, green and blue.
func (r *Resolved) channels() []colormap.Entry {
	colors := []colormap.Color{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}}
	var entries []colormap.Entry
	for i, name := range r.labels.bands {
		entries = append(entries, colormap.Entry{Low: float64(i), Color: colors[i%len(colors)], Label: name})
	}
	return entries
}

// rampLegend returns the colors at equal distances from black to white. They match the tables of
// the chain.
func (c *Chain) rampLegend() *legend.Legend {
	r, limits := c.resolved, c.ranges[0]
	colors := new([256]colormap.Color)
	for i := range colors {
		part := float64(i) / 255
		if r.isInverted(0) {
			part = 1 - part
		}
		if bend := r.curveOf(0); bend != nil {
			part = bend(part)
		}
		gray := uint8(float64(part*255) + 0.5)
		colors[i] = colormap.Color{R: gray, G: gray, B: gray, A: 255}
		if c.colors != nil {
			colors[i] = colormap.Color(c.colors.colors[gray])
		}
	}
	if r.spread > 1 && r.computation == nil {
		limits = Range{limits.Low / r.spread, limits.High / r.spread}
	}
	return &legend.Legend{Map: colormap.NewRamp(colors), Unit: c.legendUnit(), Low: limits.Low, High: limits.High}
}

func (c *Chain) legendUnit() string {
	r := c.resolved
	if r.relief == nil {
		return r.labels.unit
	}
	switch r.relief.Mode {
	case terrain.ModeSlope:
		return r.relief.Steepness.Unit.String()
	case terrain.ModeAspect:
		return "degrees"
	}
	return ""
}
