package info

import (
	"math"

	"tileserver/decode/container"
)

// writeTransform describes an affine transform, whose coefficients are in GDAL's order.
func writeTransform(w *lineWriter, t *[6]float64) {
	width, height := math.Hypot(t[1], t[4]), math.Hypot(t[2], t[5])
	w.line("pixel size", "%s x %s, in the units of the crs", container.Plain(width), container.Plain(height))
	w.line("upper left", "%s, %s", container.Plain(t[0]), container.Plain(t[3]))
	isUpright := t[2] == 0 && t[4] == 0
	switch {
	case isUpright && t[1] > 0 && t[5] > 0:
		w.line("turned", "south up")
	case isUpright && t[1] < 0:
		w.line("turned", "east to the left")
	case !isUpright:
		w.line("turned", "rows by %.4g degrees, columns by %.4g degrees, counterclockwise", degrees(t[4], t[1]), degrees(t[2], -t[5]))
	}
}

// degrees returns the angle of a direction. The caller passes a column's direction relative to
// straight down.
func degrees(y, x float64) float64 { return math.Atan2(y, x) * 180 / math.Pi }

// inWords returns a description of a TIFF photometric interpretation.
func inWords(photometric string) string {
	switch photometric {
	case "minisblack":
		return "gray (0 is black)"
	case "miniswhite":
		return "gray (0 is white)"
	}
	return photometric
}
