package main

// scene is all that the picture shows, each part on its own grid.
type scene struct {
	width, height int // in pixels
	terrain       *terrain
	towns         []town

	surface *grid // height in metres, for each pixel
	form    *grid // the surface without its details
	shore   *grid // inland, for each pixel
	shoal   *grid // how near land is: 0 in the open sea, about 0.5 at the coast
	lakes   *grid // depth of lakes in metres
	peopled *grid // how near towns are, 0 to 1

	rivers, roads, roadEdges *coverage
}

// Widths of roads in metres: on a map, they are wider than in life.
const (
	roadMetres     = 17
	roadEdgeMetres = 40
)

// newScene makes everything for a picture of the given width.
func newScene(width int) *scene {
	t := wear(finestCells(width))
	s := &scene{terrain: t, towns: settle(t, 16)}
	s.rivers, s.roads, s.roadEdges = newCoverage(width, ground), newCoverage(width, ground), newCoverage(width, ground)
	s.width, s.height = s.rivers.width, s.rivers.height
	drawRivers(t, s.rivers)
	roads := build(t, s.towns)
	drawRoads(roads, s.roads, roadMetres)
	drawRoads(roads, s.roadEdges, roadEdgeMetres)

	s.shore = shoreOf(t)
	s.shoal = shoals(t)
	s.lakes = &grid{t.height.width, t.height.height, t.height.cellMetres, make([]float32, len(t.sea))}
	for cell := range s.lakes.values {
		s.lakes.values[cell] = t.filled.values[cell] - t.height.values[cell]
	}
	s.peopled = filledGrid(width/16, ground, func(p point) float64 { return nearTowns(s.towns, p) })
	s.surface = filledGrid(width, ground, func(p point) float64 { return detailed(t, p) })
	s.form = s.surface.blurred(170)
	return s
}

// shoreOf is inland, but positive in hollows of the plan that the sea does not reach.
func shoreOf(t *terrain) *grid {
	const leastMetres = 20
	shore := filledGrid(t.height.width, ground, inland)
	for cell, isSea := range t.sea {
		if !isSea && shore.values[cell] <= 0 {
			shore.values[cell] = leastMetres
		}
	}
	return shore
}

// detailed is the height of the ground with what is too small for the rivers: ribs of rock on steep slopes.
func detailed(t *terrain, p point) float64 {
	height := t.filled.cubic(p)
	if height < 200 {
		return height
	}
	rough := step(200, 1200, height)
	return height + rough*(26*fractal(p, 300, 2, 401)+15*fractal(p, 95, 2, 411))
}

// shoals adds up how much land there is near, nearer and very near: light water along the coasts, and between islands.
func shoals(t *terrain) *grid {
	land := &grid{t.height.width, t.height.height, t.height.cellMetres, make([]float32, len(t.sea))}
	for cell, isSea := range t.sea {
		if !isSea {
			land.values[cell] = 1
		}
	}
	sum := &grid{land.width, land.height, land.cellMetres, make([]float32, len(t.sea))}
	for _, part := range []struct{ share, metres float64 }{{0.3, 100}, {0.33, 550}, {0.37, 1700}} {
		blurred := land.blurred(part.metres)
		for cell, value := range blurred.values {
			sum.values[cell] += float32(part.share) * value
		}
	}
	return sum
}

// nearTowns is how near the nearest town is, 1 in it.
func nearTowns(towns []town, p point) float64 {
	near := 0.0
	for _, w := range towns {
		near = max(near, step(2.4*w.metres+3200, w.metres, p.to(w.centre)))
	}
	return near
}
