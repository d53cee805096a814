package main

import (
	"cmp"
	"math"
	"slices"
)

// town is a town on the map.
type town struct {
	center point
	meters float64 // its radius
	angle  float64 // of its streets
}

// site is a cell where a town could be.
type site struct {
	cell  int
	worth float64
}

// settle places towns on the best sites, at a minimum distance from each other. The best sites get
// the largest towns.
func settle(t *terrain, count int) []town {
	const apart = 4300 // meters
	sites := t.sites()
	slices.SortStableFunc(sites, func(a, b site) int { return cmp.Compare(b.worth, a.worth) })
	var towns []town
	for _, s := range sites {
		place := t.places[s.cell]
		isNear := func(other town) bool { return other.center.to(place) < apart }
		if len(towns) == count || slices.ContainsFunc(towns, isNear) {
			continue
		}
		meters := 1150 * math.Pow(float64(len(towns)+1), -0.42)
		towns = append(towns, town{place, max(meters, 300), math.Pi * random(s.cell, 0, 302)})
	}
	return towns
}

// sites rates the land for towns. Flat, low land at the coast and at a river rates best.
func (t *terrain) sites() []site {
	const every, fromCoast = 4, 220 // cells, meters
	var sites []site
	nearSea, nearRiver := t.shoreCloseness(900), t.riverCloseness(500)
	for y := 0; y < t.height.height; y += every {
		for x := 0; x < t.height.width; x += every {
			cell := y*t.height.width + x
			if t.sea[cell] || t.isLake(cell) || inland(t.height.center(x, y)) < fromCoast {
				continue
			}
			flat := step(0.12, 0.01, t.slopeAround(x, y)) * step(160, 30, t.height.at(x, y))
			worth := flat * (0.25 + float64(nearSea.values[cell])) * (0.4 + float64(nearRiver.values[cell]))
			sites = append(sites, site{cell, worth * (0.8 + 0.4*random(x, y, 301))})
		}
	}
	return sites
}

func (t *terrain) isLake(cell int) bool { return t.filled.values[cell]-t.height.values[cell] > 1.5 }

// slopeAround returns the slope over some hundred meters.
func (t *terrain) slopeAround(x, y int) float64 {
	reach := max(int(200/t.height.metersPerCell), 1)
	across := t.height.at(x+reach, y) - t.height.at(x-reach, y)
	down := t.height.at(x, y+reach) - t.height.at(x, y-reach)
	return math.Hypot(across, down) / (2 * float64(reach) * t.height.metersPerCell)
}

// shoreCloseness returns 1 at the coast, falling to 0 within a distance.
func (t *terrain) shoreCloseness(meters float64) *grid {
	return t.closeness(meters, func(cell int) bool { return t.sea[cell] })
}

// riverCloseness is shoreCloseness for rivers large enough for a town.
func (t *terrain) riverCloseness(meters float64) *grid {
	return t.closeness(meters, func(cell int) bool { return !t.sea[cell] && t.flow.drained[cell] > 6e6 })
}

func (t *terrain) closeness(meters float64, isIt func(cell int) bool) *grid {
	g := &grid{t.height.width, t.height.height, t.height.metersPerCell, make([]float32, len(t.height.values))}
	for cell := range g.values {
		if isIt(cell) {
			g.values[cell] = 1
		}
	}
	near := g.blurred(meters / 2)
	for cell, value := range near.values {
		// Blurring leaves little of a river, since it is thin.
		near.values[cell] = min(value*4, 1)
	}
	return near
}

// density returns how densely a town covers a point, 0 to 1.
func (w town) density(p point) float64 {
	distance := p.to(w.center)
	if distance > 2*w.meters {
		return 0
	}
	ragged := 1 + 0.7*fractal(p, 900, 3, 311)
	return step(1.15, 0.5, distance/(w.meters*ragged))
}

// builtUp returns the density at a point and the town with the highest density there.
func builtUp(towns []town, p point) (density float64, densest town) {
	for _, w := range towns {
		if d := w.density(p); d > density {
			density, densest = d, w
		}
	}
	return density, densest
}
