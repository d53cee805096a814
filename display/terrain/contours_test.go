package terrain

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestContours(t *testing.T) {
	tests := []struct {
		name    string
		surface func(x, y float64) float64
		lines   Lines
		want    []uint8 // the inner pixels of a row
	}{
		{"on pixels", func(x, _ float64) float64 { return 10 * (x - 3) }, Lines{Interval: 1000, Thickness: 1}, []uint8{0, 0, 255, 0, 0, 0, 0}},
		{"between pixels", func(x, _ float64) float64 { return 10 * (x - 3.5) }, Lines{Interval: 1000, Thickness: 1}, []uint8{0, 0, 128, 128, 0, 0, 0}},
		{"at a quarter", func(x, _ float64) float64 { return 10 * (x - 3.25) }, Lines{Interval: 1000, Thickness: 1}, []uint8{0, 0, 191, 64, 0, 0, 0}},
		{"thick", func(x, _ float64) float64 { return 10 * (x - 4) }, Lines{Interval: 1000, Thickness: 3}, []uint8{0, 0, 255, 255, 255, 0, 0}},
		{"thin", func(x, _ float64) float64 { return 10 * (x - 4) }, Lines{Interval: 1000, Thickness: 0.5}, []uint8{0, 0, 0, 191, 0, 0, 0}},
		{"many", func(x, _ float64) float64 { return 5 * x }, Lines{Interval: 15, Thickness: 1}, []uint8{0, 0, 255, 0, 0, 255, 0}},
		{"below zero", func(x, _ float64) float64 { return 5*x - 30 }, Lines{Interval: 15, Thickness: 1}, []uint8{0, 0, 255, 0, 0, 255, 0}},
		{"index", func(x, _ float64) float64 { return 5 * x }, Lines{15, 1, 2, 2}, []uint8{128, 0, 255, 0, 128, 255, 128}},
		{"flat on a line", func(_, _ float64) float64 { return 15 }, Lines{Interval: 15, Thickness: 1}, []uint8{0, 0, 0, 0, 0, 0, 0}},
	}
	for _, test := range tests {
		grid := newGrid(9, 4, test.surface)
		got := grays(t, grid, func(dst []uint8) error { return Contours(dst, grid, test.lines) })
		for y := range 2 {
			if row := got[7*y:][:7]; !slices.Equal(row, test.want) {
				t.Errorf("%s: %v, want %v", test.name, row, test.want)
			}
		}
	}
}

// Contours are drawn in pixels, so ground distances do not matter.
func TestContoursIgnoreDistances(t *testing.T) {
	grid := randomGrid(90, 40, true)
	lines := Lines{Interval: 35, Thickness: 1.5}
	want := grays(t, grid, func(dst []uint8) error { return Contours(dst, grid, lines) })
	grid.StepX, grid.StepY = ones(grid.Height), ones(grid.Height)
	if got := grays(t, grid, func(dst []uint8) error { return Contours(dst, grid, lines) }); !slices.Equal(got, want) {
		t.Error("contours depend on ground distances")
	}
}

// The line on a slanted plane has the right width: its coverage adds up to its area, except for the
// sampling error along a diagonal.
func TestContourArea(t *testing.T) {
	const size = 202
	for _, direction := range []float64{0, 10, 30, 45, 77} {
		s, c := math.Sincos(direction * math.Pi / 180)
		grid := newGrid(size, size, func(x, y float64) float64 { return c*(x-size/2) + s*(y-size/2) })
		for _, thickness := range []float64{1, 2, 3.5} {
			sum := 0.
			lines := Lines{Interval: 1000, Thickness: thickness}
			for _, gray := range grays(t, grid, func(dst []uint8) error { return Contours(dst, grid, lines) }) {
				sum += float64(gray) / 255
			}
			length := (size - 2) / max(math.Abs(s), math.Abs(c))
			if math.Abs(sum/length/thickness-1) > 0.13 {
				t.Errorf("at %g degrees a line of %g pixels is %g wide", direction, thickness, sum/length)
			}
		}
	}
}

func TestGridErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Grid)
	}{
		{"no width", func(g *Grid) { g.Width = 0 }},
		{"negative height", func(g *Grid) { g.Height = -6 }},
		{"only a halo", func(g *Grid) { g.Width, g.Height = 2, g.Width*g.Height/2 }},
		{"too large to multiply", func(g *Grid) { g.Width, g.Height = math.MaxInt/2, 3 }},
		{"too few heights", func(g *Grid) { g.Heights = g.Heights[1:] }},
		{"too little coverage", func(g *Grid) { g.Coverage = g.Coverage[1:] }},
		{"another size", func(g *Grid) { g.Width, g.Height = g.Height, g.Width }},
		{"too few distances", func(g *Grid) { g.StepX = g.StepX[1:] }},
		{"no distances", func(g *Grid) { g.StepY = nil }},
		{"distance 0", func(g *Grid) { g.StepX[2] = 0 }},
		{"negative distance", func(g *Grid) { g.StepY[2] = -1 }},
		{"infinite distance", func(g *Grid) { g.StepY[3] = math.Inf(1) }},
		{"NaN distance", func(g *Grid) { g.StepX[3] = math.NaN() }},
	}
	for _, test := range tests {
		grid := randomGrid(9, 6, true)
		gray, value := make([]uint8, 7*4), make([]float32, 7*4)
		test.change(grid)
		for mode := ModeHillshade; mode <= ModeContours; mode++ {
			p := DefaultParameters(mode)
			err := error(nil)
			if mode.Output() == OutputGray {
				err = p.Gray(gray, grid)
			} else {
				err = p.Values(value, grid)
			}
			if !errors.Is(err, ErrGrid) {
				t.Errorf("%s: %s says %v", test.name, mode, err)
			}
		}
	}
	grid := randomGrid(9, 6, false)
	if err := Hillshade(make([]uint8, 27), grid, Light{315, 45, 1}); !errors.Is(err, ErrGrid) {
		t.Errorf("too small: %v", err)
	}
}

// Distances in the rows of the halo are ignored.
func TestHaloDistancesAreIgnored(t *testing.T) {
	grid := randomGrid(9, 6, false)
	want := grays(t, grid, func(dst []uint8) error { return Hillshade(dst, grid, Light{315, 45, 1}) })
	grid.StepX[0], grid.StepY[5] = 0, math.NaN()
	if got := grays(t, grid, func(dst []uint8) error { return Hillshade(dst, grid, Light{315, 45, 1}) }); !slices.Equal(got, want) {
		t.Error("distances of the halo are used")
	}
}
