package pyramid

import (
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/geo"
	"tileserver/geo/sensor"
)

// Positions on smooth ground are those under the heights of their own pixels within the tolerance.
// They do not depend on which pixels are needed.
func TestPathsOnSmoothGround(t *testing.T) {
	const size = 1 << cellShift
	random := rand.New(rand.NewPCG(3, 4))
	longest := 0
	for range 2000 {
		l := randomLine(random, size)
		if !l.isSmooth() {
			t.Fatalf("%v is not smooth", l.step)
		}
		var want, got, part [size]position
		l.place(want[:], 0)
		paths, bounds := l.paths(nil, 0, size)
		for i := range paths {
			paths[i].write(got[:])
			longest = max(longest, paths[i].end-paths[i].first)
		}
		rounding := float64(size)
		for i := range want {
			if off := max(math.Abs(float64(got[i].u-want[i].u)), math.Abs(float64(got[i].v-want[i].v))); off > l.tolerance+rounding {
				t.Fatalf("%+v: position %d is %.4f pixel off", l, i, off/onePixel)
			}
		}
		if r := boundsOf(got[:]); r != bounds {
			t.Fatalf("bounds %v, want %v", bounds, r)
		}
		first := random.IntN(size)
		end := first + 1 + random.IntN(size-first)
		paths, bounds = l.paths(nil, first, end)
		for i := range paths {
			paths[i].write(part[:end-first])
		}
		for i, p := range part[:end-first] {
			if p != got[first+i] {
				t.Fatalf("%+v: position %d is %v, but %v with others", l, first+i, p, got[first+i])
			}
		}
		if r := boundsOf(part[:end-first]); r != bounds {
			t.Fatalf("bounds %v of a part, want %v", bounds, r)
		}
	}
	if longest < size/2 {
		t.Errorf("the longest path has only %d pixels", longest)
	}
}

// randomLine returns a line over a bumpy terrain with holes.
func randomLine(random *rand.Rand, size int) reliefLine {
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
	turn, step := random.Float64()*2*math.Pi, math.Pow(2, -random.Float64()*6)/minStretch/math.Sqrt2
	somewhere := func(size float64) interpolated {
		return interpolated{random.NormFloat64() * size, random.NormFloat64() * size / 1000}
	}
	l := reliefLine{
		line:    line{toFixed(5000), toFixed(3000), toFixed(random.Float64() * 2), toFixed(random.Float64() * 2)},
		size:    size,
		terrain: sensor.NewTerrain(g),
		start:   geo.Point{X: random.Float64() * columns, Y: random.Float64() * rows},
		step:    geo.Point{X: math.Cos(turn) * step, Y: math.Sin(turn) * step},
		zeroU:   somewhere(100 * onePixel), zeroV: somewhere(100 * onePixel),
		perMeterU: somewhere(onePixel), perMeterV: somewhere(onePixel),
		tolerance: onePixel / 32,
	}
	l.mostU, l.mostV = l.perMeterU.most(float64(size)), l.perMeterV.most(float64(size))
	return l
}

func boundsOf(positions []position) positionRange {
	r := newPositionRange()
	for _, p := range positions {
		r.add(p.u, p.v)
	}
	return r
}
