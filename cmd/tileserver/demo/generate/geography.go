package main

import "math"

// extent is a size on the ground in meters.
type extent struct{ width, height float64 }

// The size of the ground in the picture. Coordinates of the plan below are in kilometers.
const (
	groundWidthKilometers  = 55.296
	groundHeightKilometers = 36.864
)

var ground = extent{groundWidthKilometers * 1000, groundHeightKilometers * 1000}

// landform is a line with land around it. An island consists of one or more merged landforms.
type landform struct {
	line   []point // in kilometers
	radius float64 // of the land around the line, in kilometers
	ridge  float64 // how fast the ground rises along the line
	spread float64 // of the ridge to either side, in kilometers
}

// landforms is the plan of the archipelago. Everything else follows from it and from noise.
var landforms = []landform{
	// The main island: a bent range, a branch to the south, and hills in the east.
	{[]point{{11, 21}, {15, 15.5}, {20.5, 11.6}, {27, 11}, {33, 13.2}}, 5.6, 1.0, 3.2},
	{[]point{{22.5, 13}, {24.8, 17.5}, {24, 22.5}}, 4.7, 0.66, 2.4},
	{[]point{{33, 13.2}, {37.5, 16.5}, {38.5, 20.5}}, 4.2, 0.5, 2.2},
	{[]point{{11, 21}, {9.5, 25.5}}, 3.4, 0.4, 1.7},
	{[]point{{30, 8}, {35, 6.6}}, 2.6, 0.16, 1.4},
	// The southern island, lower, with plains.
	{[]point{{31.5, 31}, {37, 29.2}, {43, 30.6}}, 3.4, 0.36, 1.6},
	// The northern islands.
	{[]point{{43.2, 5.6}, {47, 8}}, 2.3, 0.42, 1.3},
	{[]point{{51, 11.6}, {51.6, 13.8}}, 1.2, 0.24, 0.8},
	// The western island and its skerries.
	{[]point{{4.2, 9.3}, {6.4, 5.8}}, 1.7, 0.32, 1.0},
	{[]point{{3.2, 14}, {3.5, 14.7}}, 0.6, 0.1, 0.5},
	// The southern chain.
	{[]point{{14.6, 31}, {18, 32.4}}, 1.6, 0.27, 0.9},
	{[]point{{22.4, 32.6}, {23.5, 31.8}}, 0.8, 0.15, 0.6},
	{[]point{{9.6, 33.4}, {10.3, 33.8}}, 0.6, 0.1, 0.5},
}

// crater is a drowned volcano: a ring of land, open on one side.
var crater = struct {
	center, gap       point
	radius, rim, door float64
}{point{48.6, 22.4}, point{46.5, 24.2}, 2.2, 0.85, 1.0}

// bays are circles cut out of the land.
var bays = []struct {
	center point
	radius float64
}{
	{point{18.2, 21.5}, 2.6},
	{point{31, 21.2}, 3.0},
	{point{36.3, 9.4}, 1.7},
	{point{12.6, 12.4}, 1.5},
	{point{40.4, 32.4}, 1.5},
	{point{24.6, 6.2}, 1.6},
	{point{37.6, 25}, 1.4},
}

// inland returns the distance from the coast in meters, positive on land. It is exact near the
// coast only.
func inland(p point) float64 {
	const kilometer = 1000
	bent := warped(p, 9*kilometer, 2.6*kilometer, 11)
	inside := kilometer * planned(point{bent.x / kilometer, bent.y / kilometer})
	ragged := 650 + 1500*step(-0.1, 0.3, fractal(p, 13*kilometer, 2, 21))
	return inside + 3000*fractal(p, 6400, 3, 31) + ragged*fractal(p, 1600, 5, 41)
}

// planned returns the distance from the coast of the plan without noise, in kilometers.
func planned(p point) float64 {
	land := -20.0
	for _, form := range landforms {
		land = smoothMax(land, form.radius-toLine(p, form.line), 1.2)
	}
	ring := crater.rim - math.Abs(p.to(crater.center)-crater.radius)
	land = smoothMax(land, min(ring, p.to(crater.gap)-crater.door), 0.3)
	for _, bay := range bays {
		land = -smoothMax(-land, bay.radius-p.to(bay.center), 0.8)
	}
	return land
}

// rise returns how fast the ground rises against erosion at a point; 1 in the high mountains.
func rise(p point) float64 {
	const kilometer = 1000
	bent := warped(p, 7*kilometer, 2.2*kilometer, 51)
	q := point{bent.x / kilometer, bent.y / kilometer}
	rise := 0.0
	for _, form := range landforms {
		across := toLine(q, form.line) / form.spread
		rise = smoothMax(rise, form.ridge*math.Exp(-across*across), 0.05)
	}
	across := (q.to(crater.center) - crater.radius) / 0.45
	rise = max(rise, 0.2*math.Exp(-across*across))
	hills := 0.07 * step(0.05, 0.4, fractal(p, 6*kilometer, 2, 71))
	return rise*(1+0.9*fractal(p, 5*kilometer, 3, 61)) + hills + 0.002
}

// smoothMax returns the maximum of two numbers, smoothed where they differ by less than within.
func smoothMax(a, b, within float64) float64 {
	near := max(within-math.Abs(a-b), 0) / within
	return max(a, b) + near*near*within/4
}

// toLine returns the distance to the nearest point of a line.
func toLine(p point, line []point) float64 {
	nearest := math.Inf(1)
	for i := range len(line) - 1 {
		nearest = min(nearest, toSegment(p, line[i], line[i+1]))
	}
	return nearest
}

func toSegment(p, from, to point) float64 {
	dx, dy := to.x-from.x, to.y-from.y
	along := 0.0
	if square := dx*dx + dy*dy; square > 0 {
		along = min(max(((p.x-from.x)*dx+(p.y-from.y)*dy)/square, 0), 1)
	}
	return p.to(point{from.x + along*dx, from.y + along*dy})
}
