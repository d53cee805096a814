package sensor

import (
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/geo"
)

// Heights along a line are those of its points, wherever the writing begins.
func TestHeightsAlongLines(t *testing.T) {
	g := Grid{Columns: 9, Rows: 7}
	for i := range g.Columns * g.Rows {
		g.Heights = append(g.Heights, float32(i*37%101))
	}
	unknown := float32(math.NaN())
	g.Heights[3*g.Columns+4], g.Heights[0] = unknown, unknown
	terrain := NewTerrain(g)
	for _, line := range []struct{ start, step geo.Point }{
		{geo.Point{X: -1, Y: 3.2}, geo.Point{X: 0.1}},
		{geo.Point{X: 10, Y: 0.4}, geo.Point{X: -0.17, Y: 0.09}},
		{geo.Point{X: 4.5, Y: 8}, geo.Point{Y: -0.125}},
		{geo.Point{X: 0.5, Y: 0.5}, geo.Point{X: 2.5, Y: 1.5}},
		{geo.Point{X: 2.25, Y: 2.75}, geo.Point{}},
		{geo.Point{X: math.NaN(), Y: 2}, geo.Point{X: 1}},
	} {
		l := Line{ToFixed(line.start.X), ToFixed(line.start.Y), ToFixed(line.step.X), ToFixed(line.step.Y)}
		const count = 128
		var whole, parts [count]float64
		terrain.HeightsAlong(whole[:], l, 0)
		for from := 0; from < count; from += 5 {
			terrain.HeightsAlong(parts[from:min(from+5, count)], l, from)
		}
		for i, got := range whole {
			at := geo.Point{X: (l.X + l.StepX*Fixed(i)).number(), Y: (l.Y + l.StepY*Fixed(i)).number()}
			want, ok := terrain.HeightAt(at)
			if isKnown := got == got; isKnown != ok || ok && got != want {
				t.Errorf("%+v: height %d is %v, want %v, %v", line, i, got, want, ok)
			}
			if math.Float64bits(got) != math.Float64bits(parts[i]) {
				t.Errorf("%+v: height %d is %v, and %v in parts", line, i, got, parts[i])
			}
		}
	}
}

// Stretches have the heights of their points, on lines in all directions over heights with holes.
func TestHeightsOfStretches(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		terrain := bumpy(random, 40, 30)
		length := math.Pow(2, random.Float64()*8-6)
		l := Line{
			ToFixed(random.Float64()*44 - 2), ToFixed(random.Float64()*34 - 2),
			ToFixed(random.NormFloat64() * length), ToFixed(random.NormFloat64() * length),
		}
		const count = 128
		var want [count]float64
		terrain.HeightsAlong(want[:], l, 0)
		for at := 0; at < count; {
			s := terrain.StretchAt(l, at, count-at)
			if s.Points < 1 || at+s.Points > count {
				t.Fatalf("a stretch of %d points, where %d are left", s.Points, count-at)
			}
			for i := range s.Points {
				n := float64(i)
				got := s.Height + n*(s.Slope+n*s.Bend)
				if i == 0 {
					got = s.Height
				}
				if isKnown := got == got; isKnown != (want[at+i] == want[at+i]) || isKnown && math.Abs(got-want[at+i]) > 1e-3 {
					t.Errorf("the height of point %d is %v, want %v", at+i, got, want[at+i])
				}
			}
			at += s.Points
		}
	}
}

// Lines far from the grid, and those that are not numbers, have no heights.
func TestHeightsFarFromTheGrid(t *testing.T) {
	terrain := bumpy(rand.New(rand.NewPCG(5, 6)), 40, 30)
	far := []float64{-1e300, -1e9, 1e9, 1e300, math.Inf(1), math.NaN()}
	for _, start := range far {
		for _, step := range append(far, 0) {
			l := Line{ToFixed(start), ToFixed(start), ToFixed(step), ToFixed(step)}
			var heights [128]float64
			if terrain.HeightsAlong(heights[:], l, 0) || heights[0] == heights[0] {
				t.Errorf("a line from %v by %v has heights", start, step)
			}
			terrain.StretchAt(l, 100, 20)
		}
	}
}

// bumpy returns a terrain of random heights with holes.
func bumpy(random *rand.Rand, columns, rows int) *Terrain {
	g := Grid{Columns: columns, Rows: rows}
	for range columns * rows {
		g.Heights = append(g.Heights, float32(random.Float64()*300))
	}
	for range 4 {
		left, top := random.IntN(columns-6), random.IntN(rows-6)
		for y := range 1 + random.IntN(6) {
			for x := range 1 + random.IntN(6) {
				g.Heights[(top+y)*columns+left+x] = float32(math.NaN())
			}
		}
	}
	return NewTerrain(g)
}
