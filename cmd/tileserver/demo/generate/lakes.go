package main

import (
	"cmp"
	"slices"
)

// Lakes lie where glaciers that have gone dug the floors of valleys too deep.
const (
	lakeCount        = 8
	lakeRadiusMetres = 950
	lakesApartMetres = 3600
	lakeDepthMetres  = 130
)

// digLakes lowers the ground where lakes are to be.
func (t *terrain) digLakes() {
	for _, centre := range t.valleys() {
		bottom := t.height.linear(centre) - lakeDepthMetres
		parallelRows(t.height.height, func(y int) {
			for x := range t.height.width {
				cell := y*t.height.width + x
				if t.sea[cell] || t.places[cell].to(centre) > 3*lakeRadiusMetres {
					continue
				}
				away := warped(t.height.centre(x, y), 1900, 1500, 91).to(centre) / lakeRadiusMetres
				bowl := max(bottom+2*lakeDepthMetres*away*away, 5)
				t.height.values[cell] = float32(min(float64(t.height.values[cell]), bowl))
			}
		})
	}
}

// valleys finds places in the mountains where rivers are well on their way, the largest first, not near each other.
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
		isNear := func(other point) bool { return other.to(t.places[cell]) < lakesApartMetres }
		if len(found) < lakeCount && !slices.ContainsFunc(found, isNear) {
			found = append(found, t.places[cell])
		}
	}
	return found
}
