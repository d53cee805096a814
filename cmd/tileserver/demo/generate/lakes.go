package main

import (
	"cmp"
	"slices"
)

// The lakes lie where former glaciers deepened the valleys.
const (
	lakeCount        = 8
	lakeRadiusMeters = 950
	lakesApartMeters = 3600
	lakeDepthMeters  = 130
)

// digLakes lowers the ground under the lakes.
func (t *terrain) digLakes() {
	for _, center := range t.valleys() {
		bottom := t.height.linear(center) - lakeDepthMeters
		parallelRows(t.height.height, func(y int) {
			for x := range t.height.width {
				cell := y*t.height.width + x
				if t.sea[cell] || t.places[cell].to(center) > 3*lakeRadiusMeters {
					continue
				}
				away := warped(t.height.center(x, y), 1900, 1500, 91).to(center) / lakeRadiusMeters
				bowl := max(bottom+2*lakeDepthMeters*away*away, 5)
				t.height.values[cell] = float32(min(float64(t.height.values[cell]), bowl))
			}
		})
	}
}

// valleys returns points at the middle course of mountain rivers, largest first, at a minimum
// distance from each other.
func (t *terrain) valleys() []point {
	var cells []int
	for cell, drained := range t.flow.drained {
		height := t.height.values[cell]
		if drained > 3e6 && drained < 11e6 && height > 90 && height < 520 && inland(t.places[cell]) > 1300 {
			cells = append(cells, cell)
		}
	}
	slices.SortStableFunc(cells, func(a, b int) int { return cmp.Compare(t.flow.drained[b], t.flow.drained[a]) })
	var found []point
	for _, cell := range cells {
		isNear := func(other point) bool { return other.to(t.places[cell]) < lakesApartMeters }
		if len(found) < lakeCount && !slices.ContainsFunc(found, isNear) {
			found = append(found, t.places[cell])
		}
	}
	return found
}
