package display

import (
	"math"
	"slices"
	"strings"

	"tileserver/raster"
)

// ColorMap gives a colour to each of the grays 0 to 255.
type ColorMap struct {
	name   string
	colors [256]raster.RGBA
}

// reversedSuffix turns a colour map around.
const reversedSuffix = "_r"

// NamedColorMap is the colour map of that name, if there is one.
func NamedColorMap(name string) (*ColorMap, bool) {
	plain, reversed := strings.CutSuffix(name, reversedSuffix)
	stops, ok := colorStops(plain)
	if !ok {
		return nil, false
	}
	m := &ColorMap{name: name, colors: interpolate(stops)}
	if reversed {
		slices.Reverse(m.colors[:])
	}
	return m, true
}

// Colors are the colours from black to white.
func (m *ColorMap) Colors() [256]raster.RGBA { return m.colors }

// colorStop is a colour at a place from 0 to 1; its red is in the highest byte of three.
type colorStop struct {
	at  float64
	rgb uint32
}

// evenly places colours at equal distances.
func evenly(colors ...uint32) []colorStop {
	stops := make([]colorStop, len(colors))
	for i, rgb := range colors {
		stops[i] = colorStop{float64(i) / float64(len(colors)-1), rgb}
	}
	return stops
}

// interpolate runs straight from stop to stop.
func interpolate(stops []colorStop) [256]raster.RGBA {
	var colors [256]raster.RGBA
	next := 1
	for i := range colors {
		at := float64(i) / 255
		for next < len(stops)-1 && at > stops[next].at {
			next++
		}
		from, to := stops[next-1], stops[next]
		part := (at - from.at) / (to.at - from.at)
		colors[i] = raster.RGBA{
			R: between(from.rgb>>16, to.rgb>>16, part),
			G: between(from.rgb>>8, to.rgb>>8, part),
			B: between(from.rgb, to.rgb, part),
			A: 255,
		}
	}
	return colors
}

// between rounds each product by itself: a machine that adds without rounding first would
// make other colours than one that cannot.
func between(from, to uint32, part float64) uint8 {
	low, high := float64(from&0xff), float64(to&0xff)
	return uint8(math.Round(low + float64(part*(high-low))))
}
