package pyramid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/geo/sensor"
	"tileserver/raster"
)

// Positions on smooth ground are those under the heights of their own pixels within the tolerance.
// They do not depend on which pixels are needed.
func TestPathsOnSmoothGround(t *testing.T) {
	const size = 1 << cellShift
	random := rand.New(rand.NewPCG(3, 4))
	longest := 0
	for range 2000 {
		l := randomLine(random, size, math.Pow(2, -random.Float64()*4)/minStretch/math.Sqrt2)
		if !l.isSmooth() {
			t.Fatalf("%v is not smooth", l.under)
		}
		want := eachPosition(&l, 0, size)
		var got, part [size]position
		paths := l.paths(nil, 0, size)
		for i := range paths {
			paths[i].write(got[:])
			longest = max(longest, paths[i].end-paths[i].first)
		}
		rounding := float64(2*size) + float64(heightRounding*max(l.perMeterU.most(size), l.perMeterV.most(size)))
		for i := range want {
			if off := max(math.Abs(float64(got[i].u-want[i].u)), math.Abs(float64(got[i].v-want[i].v))); off > l.tolerance+rounding {
				t.Fatalf("%+v: position %d is %.4f pixel off", l, i, off/onePixel)
			}
		}
		first := random.IntN(size)
		end := first + 1 + random.IntN(size-first)
		paths = l.paths(nil, first, end)
		for i := range paths {
			paths[i].write(part[:end-first])
		}
		for i, p := range part[:end-first] {
			if p != got[first+i] {
				t.Fatalf("%+v: position %d is %v, but %v with others", l, first+i, p, got[first+i])
			}
		}
	}
	if longest < size/2 {
		t.Errorf("the longest path has only %d pixels", longest)
	}
}

// heightRounding is about the rounding error of heights of a kilometer that are interpolated as
// float32, in meters.
const heightRounding = 3e-4

// eachPosition returns the positions under the heights of pixels.
func eachPosition(l *reliefLine, first, end int) []position {
	heights, positions := make([]float64, end-first), make([]position, end-first)
	l.terrain.HeightsAlong(heights, l.under, first)
	for i, height := range heights {
		positions[i].u, positions[i].v = l.at(first+i, height)
	}
	return positions
}

// Rows inside of the image are placed at the same positions as those near its edge are, one by one.
func TestRowsOnHeightsInsideAndNearTheEdge(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	wide := span{pixels: 1 << 40, limit: 1 << 40}
	rows := 0
	for range 3000 {
		l := randomLine(random, 1<<cellShift, 0.1)
		first := random.IntN(100)
		heights := make([]float64, 1+random.IntN(1<<cellShift-first))
		if !l.terrain.HeightsAlong(heights, l.under, first) {
			continue
		}
		positions := eachPosition(&l, first, first+len(heights))
		for _, nearest := range []bool{true, false} {
			inside := geometry{across: wide, down: wide, nearest: nearest, rect: raster.Rect{X1: 10000, Y1: 10000}}
			inside.N = len(heights)
			edge := inside
			if slices.ContainsFunc(positions, func(p position) bool { return !inside.isPlain(p.u, p.v) }) {
				continue
			}
			rows++
			inside.placeOnHeights(&l, heights, first)
			edge.placeEach(positions)
			if inside.At != edge.At || inside.PhaseX != edge.PhaseX || inside.PhaseY != edge.PhaseY {
				t.Fatalf("%+v: pixels from %d on are at\n%v, want\n%v", l, first, inside.At[:inside.N], edge.At[:inside.N])
			}
		}
	}
	if rows < 500 {
		t.Errorf("only %d rows", rows)
	}
}

// randomLine returns a line over a bumpy terrain with holes. step is the distance of its points.
func randomLine(random *rand.Rand, size int, step float64) reliefLine {
	const columns, rows = 30, 20
	g := sensor.Grid{Columns: columns, Rows: rows}
	bumps := math.Pow(10, random.Float64()*4-1)
	for range columns * rows {
		height := 1000 + random.NormFloat64()*bumps
		if random.IntN(20) == 0 {
			height = math.NaN()
		}
		g.Heights = append(g.Heights, float32(height))
	}
	turn := random.Float64() * 2 * math.Pi
	somewhere := func(size float64) interpolated {
		return interpolated{random.NormFloat64() * size, random.NormFloat64() * size / 1000}
	}
	level := line{toFixed(5000), toFixed(3000), toFixed(random.Float64() * 2), toFixed(random.Float64() * 2)}
	return reliefLine{
		level: level, zero: line{level.u + toFixed(random.NormFloat64()*100), level.v, level.stepU + 5, level.stepV - 7},
		terrain: sensor.NewTerrain(g),
		under: sensor.Line{
			X: sensor.ToFixed(random.Float64() * columns), Y: sensor.ToFixed(random.Float64() * rows),
			StepX: sensor.ToFixed(math.Cos(turn) * step), StepY: sensor.ToFixed(math.Sin(turn) * step),
		},
		perMeterU: somewhere(onePixel), perMeterV: somewhere(onePixel),
		size: size, tolerance: onePixel / 32,
	}
}
