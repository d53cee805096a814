package display

import (
	"fmt"

	"tileserver/display/colormap"
	"tileserver/display/legend"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// wordsOf are those of a file for what is shown.
func (r *Resolved) wordsOf(info *raster.Info) words {
	var w words
	for i, band := range r.shown {
		if r.values != nil {
			w.bands = append(w.bands, fmt.Sprintf("output %d", i+1))
			continue
		}
		name := info.Bands[band].Name
		if name == "" {
			name = fmt.Sprintf("band %d", band+1)
		}
		w.bands = append(w.bands, name)
	}
	if len(r.shown) == 1 && r.values == nil {
		own := &info.Bands[r.shown[0]]
		w.categories = own.Categories
		if scaleOf(own) == (scaling{}) {
			w.unit = own.Unit
		}
	}
	return w
}

// Legend explains the colours of the pictures; the title is left to the caller. There is none
// of colours that stand for numbers.
func (c *Chain) Legend() (*legend.Legend, bool) {
	r := c.resolved
	switch {
	case r.isCode() || len(c.ranges) == 0 && r.palette == nil && r.samples == nil:
		return nil, false
	case r.samples != nil:
		return &legend.Legend{Map: r.samples, Unit: r.words.unit}, true
	case r.palette != nil:
		return named(r.categoriesOf())
	case len(r.shown) > 1:
		return namesOnly(r.channels())
	case r.isLines():
		line := fmt.Sprintf("every %v", r.relief.Lines.Interval)
		return namesOnly([]colormap.Entry{{Color: colormap.Color{A: 255}, Label: line}})
	}
	return c.rampLegend(), true
}

// HasLegend tells whether chains have a legend, before there is one.
func (r *Resolved) HasLegend() bool {
	switch {
	case r.isCode() || r.data:
		return false
	case r.samples == nil && r.palette != nil:
		_, ok := named(r.categoriesOf())
		return ok
	}
	return r.samples != nil || !r.IsPassing()
}

func named(entries []colormap.Entry) (*legend.Legend, bool) {
	m, err := colormap.New(colormap.Categories, entries)
	if err != nil {
		return nil, false // a palette without colours, or with more than anybody reads
	}
	return &legend.Legend{Map: m}, true
}

// namesOnly is a legend of colors that no samples stand for.
func namesOnly(entries []colormap.Entry) (*legend.Legend, bool) {
	l, ok := named(entries)
	if ok {
		l.NamesOnly = true
	}
	return l, ok
}

// categoriesOf are the colours of a palette; of one whose samples have names, those only.
func (r *Resolved) categoriesOf() []colormap.Entry {
	var entries []colormap.Entry
	for i, color := range r.palette[:usedColors(r.palette)] {
		label := ""
		if i < len(r.words.categories) {
			label = r.words.categories[i]
		}
		if color.A == 0 || label == "" && len(r.words.categories) > 0 {
			continue
		}
		entries = append(entries, colormap.Entry{Low: float64(i), Color: colormap.Color(color), Label: label})
	}
	return entries
}

// usedColors is how many colours of a palette are meant: the formats fill it up with one
// that nobody uses.
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

// channels are what is red, green and blue.
func (r *Resolved) channels() []colormap.Entry {
	colors := []colormap.Color{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}}
	var entries []colormap.Entry
	for i, name := range r.words.bands {
		entries = append(entries, colormap.Entry{Low: float64(i), Color: colors[i%len(colors)], Label: name})
	}
	return entries
}

// rampLegend is the colours of samples at even distances from black to white, as the tables
// of the chain make them.
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
	if r.spread > 1 && r.values == nil {
		limits = Range{limits.Low / r.spread, limits.High / r.spread}
	}
	return &legend.Legend{Map: colormap.NewRamp(colors), Unit: c.legendUnit(), Low: limits.Low, High: limits.High}
}

func (c *Chain) legendUnit() string {
	r := c.resolved
	if r.relief == nil {
		return r.words.unit
	}
	switch r.relief.Mode {
	case terrain.ModeSlope:
		return r.relief.Steepness.Unit.String()
	case terrain.ModeAspect:
		return "degrees"
	}
	return ""
}
