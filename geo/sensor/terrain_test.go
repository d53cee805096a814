package sensor

import (
	"math"
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
