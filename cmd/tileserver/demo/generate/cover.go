package main

import "math"

// cover returns the color of the vegetation or ground.
func (s *scene) cover(x, y int, p point, height, shore float64) color {
	slope := slopeOf(s.surface, x, y)
	patchy := fractal(p, 2600, 4, 701)
	seen := plants.color(height * (1 + 0.4*patchy))
	seen = heath.over(seen, 0.5*step(0, 0.5, fractal(p, 4200, 4, 711))*step(30, 200, height))
	seen = s.fields(seen, x, y, p, height)
	seen = forest(seen, p, height, slopeOf(s.form, x, y), s.peopled.linear(p))
	seen = s.heights(seen, x, y, p, height, slope)
	flat := step(0.3, 0.08, slope) * step(26, 8, height)
	seaward := step(75, 20, shore+60*fractal(p, 700, 2, 721))
	return sand.over(seen, 0.95*flat*seaward)
}

// slopeOf returns rise over run across two cells.
func slopeOf(height *grid, x, y int) float64 {
	east := height.at(x+1, y) - height.at(x-1, y)
	south := height.at(x, y+1) - height.at(x, y-1)
	return math.Hypot(east, south) / (2 * height.metersPerCell)
}

// fields draws crops on low and level ground near towns, in strips whose direction varies by
// parish.
func (s *scene) fields(below color, x, y int, p point, height float64) color {
	tilled := step(0.12, 0.45, s.peopled.linear(p)+0.4*fractal(p, 1500, 2, 731))
	tilled *= step(280, 140, height) * step(0.2, 0.09, slopeOf(s.form, x, y))
	if tilled == 0 {
		return below
	}
	const parish, length, width = 1700, 330, 190 // meters
	village, _ := patch(p.x/parish, p.y/parish, 741)
	sin, cos := math.Sincos(float64(village>>32) / (1 << 32) * math.Pi)
	identity, border := patch((cos*p.x+sin*p.y)/length, (cos*p.y-sin*p.x)/width, 751)
	seen := crops[identity%uint64(len(crops))]
	seen = leafForest.over(seen, 0.6*step(0.09, 0.02, border))
	return seen.over(below, 0.95*tilled)
}

// forest draws forest below the tree line outside fields, denser on slopes.
func forest(below color, p point, height, slope, peopled float64) color {
	const treeline = 1020
	grown := fractal(p, 1900, 5, 761) + 0.26*step(0.04, 0.35, slope) - 0.7*step(0.1, 0.5, peopled)*step(0.3, 0.12, slope)
	grown -= 0.9 * step(treeline-260, treeline+120, height+160*fractal(p, 500, 2, 771))
	share := step(0.02, 0.11, grown)
	if share == 0 {
		return below
	}
	seen := needleForest.over(leafForest, step(250, 800, height+250*fractal(p, 1200, 2, 781)))
	crowns := 1 + 0.14*fractal(p, 80, 2, 791)
	return seen.times(crowns, crowns, crowns).over(below, 0.92*share)
}

// heights draws bare ground: rock on steep slopes, scree, and snow at the top. Snow reaches lower
// on the side away from the sun.
func (s *scene) heights(below color, x, y int, p point, height, slope float64) color {
	const snowline = 1330
	rugged := fractal(p, 420, 3, 801)
	bare := step(0.75, 1.05, slope+0.25*rugged)*step(250, 700, height) + step(1080, 1420, height+260*rugged)
	seen := scree.over(rock, step(-0.3, 0.4, rugged)).over(below, min(bare, 1))
	southward := (s.form.at(x, y-2) - s.form.at(x, y+2)) / (4 * s.form.metersPerCell)
	cold := height + 330*rugged + 170*southward - 330*step(0.75, 1.3, slope)
	return snow.over(seen, step(snowline-40, snowline+110, cold))
}
