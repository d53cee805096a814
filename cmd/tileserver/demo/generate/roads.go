package main

import (
	"cmp"
	"math"
	"slices"
)

// road is a line on the ground.
type road []point

// build connects each town to the two nearest of the earlier towns on its island, by the cheapest
// path over land. Paths follow existing roads where possible.
func build(t *terrain, towns []town) []road {
	b := builder{terrain: t, surface: t.height.blurred(60), coast: t.shoreCloseness(160), island: islands(t), laid: make(map[int]point)}
	var roads []road
	for i := 1; i < len(towns); i++ {
		earlier := slices.Clone(towns[:i])
		slices.SortStableFunc(earlier, func(a, c town) int {
			return cmp.Compare(a.center.to(towns[i].center), c.center.to(towns[i].center))
		})
		for _, other := range earlier[:min(2, len(earlier))] {
			way := b.way(t.height.nearest(towns[i].center), t.height.nearest(other.center))
			roads = append(roads, b.lay(way)...)
		}
	}
	return roads
}

// builder searches paths over the terrain.
type builder struct {
	terrain *terrain
	surface *grid
	coast   *grid
	island  []int32       // by cell; see islands
	laid    map[int]point // points of existing roads, by cell
}

// way returns the cheapest chain of cells (Dijkstra's algorithm), or nil if water is between. It
// reuses the flood queue, with cost as height.
func (b *builder) way(from, to int) []int {
	if b.island[from] != b.island[to] {
		return nil
	}
	cost := make([]float32, len(b.island))
	came := make([]int32, len(b.island))
	var open floodQueue
	cost[from] = 1
	open.push(flooded{1, int32(from)})
	for len(open) > 0 {
		nearest := open.pop()
		cell := int(nearest.cell)
		if cell == to {
			return chain(came, from, to)
		}
		if nearest.height > cost[cell] {
			continue
		}
		b.terrain.height.neighbors(cell, func(next int) {
			if b.island[next] != b.island[from] {
				return
			}
			total := nearest.height + float32(b.effort(cell, next))
			if cost[next] == 0 || total < cost[next] {
				cost[next], came[next] = total, int32(cell)
				open.push(flooded{total, int32(next)})
			}
		})
	}
	return nil
}

// islands numbers the connected areas of land from 1; water is 0.
func islands(t *terrain) []int32 {
	island := make([]int32, len(t.sea))
	count := int32(0)
	for start := range island {
		if island[start] != 0 || t.sea[start] || t.isLake(start) {
			continue
		}
		count++
		island[start] = count
		for open := []int{start}; len(open) > 0; {
			cell := open[len(open)-1]
			open = open[:len(open)-1]
			t.height.neighbors(cell, func(next int) {
				if island[next] == 0 && !t.sea[next] && !t.isLake(next) {
					island[next] = count
					open = append(open, next)
				}
			})
		}
	}
	return island
}

// effort returns the cost of building from one cell to the next. The climb dominates.
func (b *builder) effort(from, to int) float64 {
	meters := b.terrain.places[from].to(b.terrain.places[to])
	slope := math.Abs(float64(b.surface.values[to]-b.surface.values[from])) / meters
	effort := meters * (1 + 250*slope*slope + 6*slope)
	if b.terrain.flow.drained[to] > riverSquareMeters {
		effort += 4 * meters // a bridge
	}
	effort += 8 * meters * float64(b.coast.values[to])
	if _, isRoad := b.laid[to]; isRoad {
		effort *= 0.25
	}
	return effort
}

func chain(came []int32, from, to int) []int {
	way := []int{to}
	for cell := to; cell != from; {
		cell = int(came[cell])
		way = append(way, cell)
	}
	return way
}

// lay turns the parts of a path that are not roads yet into roads.
func (b *builder) lay(way []int) []road {
	var roads []road
	for start := 0; start < len(way)-1; {
		end := start + 1
		for end < len(way)-1 {
			if _, isRoad := b.laid[way[end]]; isRoad {
				break
			}
			end++
		}
		if part := way[start : end+1]; len(part) > 2 || start == 0 && end == len(way)-1 {
			roads = append(roads, b.smoothed(part))
		}
		start = end
	}
	return roads
}

// smoothed smooths a chain of cells. It keeps the ends, where the chain joins other roads.
func (b *builder) smoothed(part []int) road {
	const turns = 60
	line := make(road, len(part))
	for i, cell := range part {
		line[i] = b.terrain.places[cell]
		if joint, isRoad := b.laid[cell]; isRoad {
			line[i] = joint
		}
	}
	for range turns {
		before := slices.Clone(line)
		for i := 1; i < len(line)-1; i++ {
			line[i] = point{
				before[i].x/2 + (before[i-1].x+before[i+1].x)/4,
				before[i].y/2 + (before[i-1].y+before[i+1].y)/4,
			}
		}
	}
	for i, cell := range part {
		b.laid[cell] = line[i]
	}
	return line
}

// drawRoads draws roads of a width in meters.
func drawRoads(roads []road, onto *coverage, meters float64) {
	for _, line := range roads {
		for i := range len(line) - 1 {
			onto.draw(line[i], line[i+1], meters, meters)
		}
	}
}
