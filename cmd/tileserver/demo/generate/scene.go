package main

// scene is the content of the picture, each part on its own grid.
type scene struct {
	width, height int // in pixels
	terrain       *terrain
	towns         []town

	surface *grid // height in meters, for each pixel
	form    *grid // the surface without details
	shore   *grid // inland, for each pixel
	shoal   *grid // closeness to land: 0 in the open sea, about 0.5 at the coast
	lakes   *grid // depth of lakes in meters
	peopled *grid // closeness to towns, 0 to 1

	rivers, roads, roadEdges *coverage
}

// The widths of roads in meters. Maps draw roads wider than they are.
const (
	roadMeters     = 17
	roadEdgeMeters = 40
)

// newScene builds the scene for a picture of the given width.
func newScene(width int) *scene {
	t := wear(finestCells(width))
	s := &scene{terrain: t, towns: settle(t, 16)}
	s.rivers, s.roads, s.roadEdges = newCoverage(width, ground), newCoverage(width, ground), newCoverage(width, ground)
	s.width, s.height = s.rivers.width, s.rivers.height
	drawRivers(t, s.rivers)
	roads := build(t, s.towns)
	drawRoads(roads, s.roads, roadMeters)
	drawRoads(roads, s.roadEdges, roadEdgeMeters)

	s.shore = shoreOf(t)
	s.shoal = shoals(t)
	s.lakes = &grid{t.height.width, t.height.height, t.height.metersPerCell, make([]float32, len(t.sea))}
	for cell := range s.lakes.values {
		s.lakes.values[cell] = t.filled.values[cell] - t.height.values[cell]
	}
	s.peopled = filledGrid(width/16, ground, func(p point) float64 { return nearTowns(s.towns, p) })
	s.surface = filledGrid(width, ground, func(p point) float64 { return detailed(t, p) })
	s.form = s.surface.blurred(170)
	return s
}

// shoreOf returns inland, made positive in hollows of the plan that the sea does not reach.
func shoreOf(t *terrain) *grid {
	const leastMeters = 20
	shore := filledGrid(t.height.width, ground, inland)
	for cell, isSea := range t.sea {
		if !isSea && shore.values[cell] <= 0 {
			shore.values[cell] = leastMeters
		}
	}
	return shore
}

// detailed returns the height of the ground with details too small for erosion: rock ribs on steep
// slopes.
func detailed(t *terrain, p point) float64 {
	height := t.filled.cubic(p)
	if height < 200 {
		return height
	}
	rough := step(200, 1200, height)
	return height + rough*(26*fractal(p, 300, 2, 401)+15*fractal(p, 95, 2, 411))
}

// shoals sums the share of land in three neighborhoods. It gives light water along coasts and
// between islands.
func shoals(t *terrain) *grid {
	land := &grid{t.height.width, t.height.height, t.height.metersPerCell, make([]float32, len(t.sea))}
	for cell, isSea := range t.sea {
		if !isSea {
			land.values[cell] = 1
		}
	}
	sum := &grid{land.width, land.height, land.metersPerCell, make([]float32, len(t.sea))}
	for _, part := range []struct{ share, meters float64 }{{0.3, 100}, {0.33, 550}, {0.37, 1700}} {
		blurred := land.blurred(part.meters)
		for cell, value := range blurred.values {
			sum.values[cell] += float32(part.share) * value
		}
	}
	return sum
}

// nearTowns returns the closeness to the nearest town; 1 in a town.
func nearTowns(towns []town, p point) float64 {
	near := 0.0
	for _, w := range towns {
		near = max(near, step(2.4*w.meters+3200, w.meters, p.to(w.center)))
	}
	return near
}
