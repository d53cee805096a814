package main

import "math"

// paint returns the color of a pixel: sea, land and everything on it.
func (s *scene) paint(x, y int) color {
	p := s.surface.center(x, y)
	shore := s.shore.cubic(p)
	onLand := s.landShare(p, shore)
	var seen color
	if onLand < 1 {
		seen = s.sea(p, shore)
	}
	if onLand > 0 {
		seen = s.land(x, y, p, shore).over(seen, onLand)
	}
	return seen
}

// landShare returns the share of a pixel that is land.
func (s *scene) landShare(p point, shore float64) float64 {
	const far = 150
	if math.Abs(shore) > far {
		return step(-1, 1, shore)
	}
	meters := s.surface.metersPerCell
	east := s.shore.cubic(point{p.x + meters, p.y}) - shore
	south := s.shore.cubic(point{p.x, p.y + meters}) - shore
	return min(max(shore/(math.Hypot(east, south)+1e-6)+0.5, 0), 1)
}

// sea returns the color of the water by its depth, with the relief of the sea floor, and surf.
func (s *scene) sea(p point, shore float64) color {
	slope := banks(p) - banks(point{p.x + 240, p.y + 240})
	seen := water.color(s.shallowness(p)).lit(1 - 0.7*slope)
	breakers := step(-55, -4, shore) * step(-0.15, 0.35, fractal(p, 420, 3, 511))
	return surf.over(seen, 0.75*breakers)
}

// banks returns the relief of the sea floor.
func banks(p point) float64 { return fractal(p, 6500, 4, 501) }

// shallowness returns 0 in the open sea and about 0.6 at the shore.
func (s *scene) shallowness(p point) float64 {
	near, relief := s.shoal.cubic(p), banks(p)
	shelf := step(0, 0.25, near)
	return near*(1+0.9*relief) + 0.16*shelf*step(0, 0.55, relief) + 0.03*step(-0.3, 0.6, relief)
}

// land returns the color of the lit ground, with water, roads and towns.
func (s *scene) land(x, y int, p point, shore float64) color {
	height := s.surface.at(x, y)
	seen := s.cover(x, y, p, height, shore)
	seen = s.lit(seen, x, y, height)

	seen = river.over(seen, s.rivers.at(x, y))
	deep := s.lakes.cubic(p)
	seen = lake.times(1-deep/900, 1-deep/1100, 1-deep/1300).over(seen, step(0.6, 2.4, deep))

	seen = roadEdge.over(seen, 0.55*s.roadEdges.at(x, y))
	if density, town := builtUp(s.towns, p); density > 0 {
		seen = builtOver(seen, town, p, density)
	}
	return roadSurface.over(seen, s.roads.at(x, y))
}

// lit applies light at two scales, and haze over low land, so that mountains stand out.
func (s *scene) lit(seen color, x, y int, height float64) color {
	const farReach = 3
	bright := 0.6*light(s.surface, x, y, 1, 1.15) + 0.4*light(s.form, x, y, farReach, 1.7)
	high := step(0, 1300, height)
	bright = 1 + (bright-1)*lerp(0.85, 1.2, high)
	return color{214, 222, 216, 190}.over(seen.lit(bright), 0.1*(1-high))
}

// builtOver draws streets and roofs over the ground.
func builtOver(below color, w town, p point, density float64) color {
	sin, cos := math.Sincos(w.angle)
	dx, dy := p.x-w.center.x, p.y-w.center.y
	const block, house = 125, 36 // meters
	along, across := cos*dx+sin*dy, cos*dy-sin*dx
	identity, border := patch(along/house, across/house, 601)
	if float64(identity>>40)/(1<<24) > 0.25+0.75*density {
		return street.over(below, 0.35*density)
	}
	seen := roofs[identity%uint64(len(roofs))].times(1.05, 1.05, 1.05)
	seen = street.over(seen, step(0.25, 0.05, border))
	streets := max(onStreet(along, block), onStreet(across, 0.7*block))
	return street.over(seen, 0.8*streets).over(below, min(0.35+density, 0.9))
}

// onStreet returns 1 on one of a set of parallel streets and falls to 0 beside it.
func onStreet(at, apart float64) float64 {
	offset := math.Abs(at/apart-math.Round(at/apart)) * apart
	return step(17, 8, offset)
}
