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
		const count = 128
		var whole, parts [count]float64
		terrain.HeightsAlong(whole[:], line.start, line.step, 0)
		for from := 0; from < count; from += 5 {
			terrain.HeightsAlong(parts[from:min(from+5, count)], line.start, line.step, from)
		}
		for i, got := range whole {
			at := geo.Point{X: line.start.X + line.step.X*float64(i), Y: line.start.Y + line.step.Y*float64(i)}
			want, ok := terrain.HeightAt(at)
			if isKnown := got == got; isKnown != ok || ok && math.Abs(got-want) > 1e-9 {
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
		start := geo.Point{X: random.Float64()*44 - 2, Y: random.Float64()*34 - 2}
		length := math.Pow(2, random.Float64()*8-6)
		step := geo.Point{X: random.NormFloat64() * length, Y: random.NormFloat64() * length}
		const count = 128
		for at := 0; at < count; {
			s := terrain.StretchAt(start, step, at, count-at)
			if s.Points < 1 || at+s.Points > count {
				t.Fatalf("a stretch of %d points, where %d are left", s.Points, count-at)
			}
			for i := range s.Points {
				n := float64(i)
				got := s.Height + n*(s.Slope+n*s.Bend)
				if i == 0 {
					got = s.Height
				}
				point := geo.Point{X: start.X + step.X*float64(at+i), Y: start.Y + step.Y*float64(at+i)}
				want, ok := terrain.HeightAt(point)
				if isKnown := got == got; isKnown != ok || ok && math.Abs(got-want) > 1e-6 {
					t.Errorf("the height at %v is %v, want %v, %v", point, got, want, ok)
				}
			}
			at += s.Points
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
