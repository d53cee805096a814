package main

import "math"

// seen returns the color of a pixel of the page.
func (m *sheet) seen(x, y int) color {
	p := point{float64(x) + 0.5, float64(y) + 0.5}
	at := m.pose.onPaper(p)
	inside := min(at.x, at.y, paperWidth-at.x, paperHeight-at.y)
	if inside < -1 {
		shadow := step(-26, 0, inside)
		return lidColor.times(1-0.45*shadow, 1-0.45*shadow, 1-0.45*shadow)
	}
	printed := m.printed(at)
	printed = blueInk.over(printed, 0.9*m.blue.ink.at(x, y))
	printed = redInk.over(printed, 0.9*m.red.ink.at(x, y))
	printed = blackInk.over(printed, 0.93*m.black.ink.at(x, y))
	return lidColor.over(printed.lit(m.worn(at, inside)), 0.5-inside)
}

// worn returns the brightness of the aged paper: with two folds, and darker at its edges.
func (m *sheet) worn(at point, inside float64) float64 {
	bright := 1 - 0.10*step(90, 0, inside) - 0.05*max(fractal(at, 520, 3, 901), 0)
	for _, fold := range []float64{at.x - paperWidth/3, at.x - 2*paperWidth/3, at.y - paperHeight/2} {
		bright += 0.05*math.Exp(-math.Abs(fold-2)/2) - 0.07*math.Exp(-math.Abs(fold+2)/3)
	}
	return min(bright, 1)
}

// printed returns the color of a point of the paper without lines of ink.
func (m *sheet) printed(at point) color {
	p := point{(at.x - frameLeft) * pixelMeters, (at.y - frameTop) * pixelMeters}
	if p.x < 0 || p.y < 0 || p.x >= ground.width || p.y >= ground.height {
		return paper
	}
	x, y := int(p.x/m.heights.metersPerCell), int(p.y/m.heights.metersPerCell)
	shore := m.scene.shore.cubic(p)
	const coastMeters = 26
	coast := step(coastMeters, coastMeters/3, math.Abs(shore))
	if shore < 0 {
		return blackInk.over(m.water(shore), 0.85*coast)
	}
	height := m.heights.at(x, y)
	seen := hillTint.over(landTint, step(150, 1500, height))
	seen = seen.lit(1 + 0.55*(light(m.heights, x, y, 2, 1)-1))
	seen = seaTint.over(seen, step(0.8, 2, m.scene.lakes.cubic(p)))
	seen = brownInk.over(seen, 0.75*m.contour(x, y, height))
	return blackInk.over(seen, 0.85*coast)
}

// water returns the color of the sea, with water lines along the coast as in engraved maps.
func (m *sheet) water(shore float64) color {
	lines := 0.0
	for i, away := range []float64{90, 200, 340, 520} {
		lines = max(lines, step(22, 8, math.Abs(-shore-away))*(0.6-0.12*float64(i)))
	}
	return blueInk.over(seaTint, lines)
}

// contour returns the share of a pixel that a contour line covers. Every fifth line is thicker.
func (m *sheet) contour(x, y int, height float64) float64 {
	const every, index = 100, 5
	slope := slopeOf(m.heights, x, y) * m.heights.metersPerCell // per pixel
	line := math.Round(height / every)
	if slope == 0 || line == 0 {
		return 0
	}
	half := 0.45
	if math.Mod(line, index) == 0 {
		half = 0.85
	}
	return min(max(half+0.5-math.Abs(height-line*every)/slope, 0), 1)
}
