package terrain

import (
	"math"
	"testing"
)

func TestPlanes(t *testing.T) {
	tests := []struct {
		name           string
		east, north    float64 // rise from one pixel to the next
		stepX, stepY   float64
		slope, percent float64
		aspect         float64
		hillshade      uint8 // for a sun in the northwest at 45 degrees
	}{
		{"flat", 0, 0, 1, 1, 0, 0, FlatAspect, 181},
		{"faces west", 1, 0, 1, 1, 45, 100, 270, 218},
		{"faces east", -1, 0, 1, 1, 45, 100, 90, 38},
		{"faces south", 0, 1, 1, 1, 45, 100, 180, 38},
		{"faces north", 0, -1, 1, 1, 45, 100, 0, 218},
		{"faces northwest", 1, -1, math.Sqrt2, math.Sqrt2, 45, 100, 315, 255},
		{"faces southeast", -1, 1, math.Sqrt2, math.Sqrt2, 45, 100, 135, 1},
		{"long pixels", 3, 0, 10, 1, math.Atan(0.3) * 180 / math.Pi, 30, 270, 210},
		{"high pixels", 0, -3, 1, 10, math.Atan(0.3) * 180 / math.Pi, 30, 0, 210},
		{"faces the north-northwest", 0.5, -math.Sqrt(0.75), 1, 1, 45, 100, 330, 251},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			grid := newGrid(7, 5, func(x, y float64) float64 { return 100 + test.east*x - test.north*y })
			for y := range grid.Height {
				grid.StepX[y], grid.StepY[y] = test.stepX, test.stepY
			}
			for _, slope := range values(t, grid, func(dst []float32) error { return Slope(dst, grid, Steepness{Degrees, 1}) }) {
				assertNear(t, "slope", slope, test.slope, 1e-4)
			}
			for _, slope := range values(t, grid, func(dst []float32) error { return Slope(dst, grid, Steepness{Percent, 1}) }) {
				assertNear(t, "percent", slope, test.percent, 1e-3)
			}
			for _, aspect := range values(t, grid, func(dst []float32) error { return Aspect(dst, grid) }) {
				assertNear(t, "aspect", aspect, test.aspect, 1e-4)
			}
			for _, shade := range grays(t, grid, func(dst []uint8) error { return Hillshade(dst, grid, Light{315, 45, 1}) }) {
				if shade != test.hillshade {
					t.Fatalf("hillshade %d, want %d", shade, test.hillshade)
				}
			}
		})
	}
}

func TestExaggeration(t *testing.T) {
	low := newGrid(6, 5, func(x, y float64) float64 { return 0.25*x + 0.125*y })
	high := newGrid(6, 5, func(x, y float64) float64 { return 1*x + 0.5*y })
	for _, mode := range []Mode{ModeHillshade, ModeMultiHillshade} {
		p := DefaultParameters(mode)
		want := grays(t, high, func(dst []uint8) error { return p.Gray(dst, high) })
		p.Light.Exaggeration = 4
		got := grays(t, low, func(dst []uint8) error { return p.Gray(dst, low) })
		if got[0] != want[0] {
			t.Errorf("%s: %d, want %d", mode, got[0], want[0])
		}
	}
	slopes := values(t, low, func(dst []float32) error { return Slope(dst, low, Steepness{Percent, 4}) })
	assertNear(t, "slope", slopes[0], 100*math.Sqrt(1.25), 1e-4)
}

// A cone faces away from its tip everywhere and has the same slope everywhere.
func TestCone(t *testing.T) {
	const size, tip = 41, 20
	grid := newGrid(size, size, func(x, y float64) float64 { return 1000 - math.Hypot(x-tip, y-tip) })
	aspects := values(t, grid, func(dst []float32) error { return Aspect(dst, grid) })
	slopes := values(t, grid, func(dst []float32) error { return Slope(dst, grid, Steepness{Degrees, 1}) })
	for i := range aspects {
		x, y := float64(i%(size-2)+1-tip), float64(i/(size-2)+1-tip)
		if math.Hypot(x, y) < 5 {
			continue // near the tip
		}
		want := math.Mod(math.Atan2(x, -y)*180/math.Pi+360, 360)
		turned := math.Abs(float64(aspects[i]) - want)
		assertNear(t, "aspect", float32(min(turned, 360-turned)), 0, 0.5)
		assertNear(t, "slope", slopes[i], 45, 0.5)
	}
}

// A ridge from west to east is light on the north side, dark on the south side, and neither on top.
func TestRidge(t *testing.T) {
	grid := newGrid(5, 9, func(_, y float64) float64 { return 50 - math.Abs(y-4) })
	shades := grays(t, grid, func(dst []uint8) error { return Hillshade(dst, grid, Light{0, 45, 1}) })
	want := []uint8{255, 255, 255, 181, 1, 1, 1}
	for i, shade := range shades {
		if shade != want[i/3] {
			t.Errorf("pixel %d is %d, want %d", i, shade, want[i/3])
		}
	}
}

// The expected values weigh four suns on slopes that face one of them, face between two, and face
// away.
func TestMultidirectionalHillshade(t *testing.T) {
	half := math.Sqrt(0.5)
	tests := []struct {
		name        string
		east, north float64
		want        float64 // cosine
	}{
		{"flat", 0, 0, half},
		// West: full light with weight 1, half of it twice at 45 degrees, and none from north.
		{"faces west", 1, 0, (1 + 2*0.5*(half+half*half)*half) / 2},
		{"faces north", 0, -1, (1 + 0.5*(half+half*half)*half + 0.5*(half-half*half)*half) / 2},
		{"faces east", -1, 0, 2 * 0.5 * (half - half*half) * half / 2},
		{"faces northwest", half, -half, (1 + 2*0.5*(half+half*half)*half) / 2},
	}
	for _, test := range tests {
		grid := newGrid(5, 4, func(x, y float64) float64 { return 10 + test.east*x - test.north*y })
		want := uint8(1 + 254*test.want + 0.5)
		for _, shade := range grays(t, grid, func(dst []uint8) error {
			return MultidirectionalHillshade(dst, grid, Light{Altitude: 45, Exaggeration: 1})
		}) {
			if shade != want {
				t.Errorf("%s: %d, want %d", test.name, shade, want)
			}
		}
	}
}

// A plane has the same slope beside holes as elsewhere, if one of two opposite neighbors exists.
func TestHolesInPlanes(t *testing.T) {
	const width, height = 9, 8
	for hole := range width * height {
		grid := newGrid(width, height, func(x, y float64) float64 { return 2*x - 3*y })
		grid.Coverage = make([]uint8, width*height)
		for i := range grid.Coverage {
			grid.Coverage[i] = 1
		}
		grid.Coverage[hole], grid.Heights[hole] = 0, float32(math.NaN())
		slopes := values(t, grid, func(dst []float32) error { return Slope(dst, grid, Steepness{Percent, 1}) })
		shades := grays(t, grid, func(dst []uint8) error { return Hillshade(dst, grid, Light{90, 30, 1}) })
		for i, slope := range slopes {
			isHole := (i/(width-2)+1)*width+i%(width-2)+1 == hole
			if isHole != (slope != slope) || isHole != (shades[i] == 0) {
				t.Fatalf("hole at %d: pixel %d has slope %g and shade %d", hole, i, slope, shades[i])
			}
			if !isHole {
				assertNear(t, "slope", slope, 100*math.Sqrt(13), 1e-3)
			}
		}
	}
}

// An isolated height has no slope.
func TestIsolatedHeight(t *testing.T) {
	grid := newGrid(3, 3, func(x, y float64) float64 { return x * y })
	grid.Coverage = []uint8{0, 0, 0, 0, 7, 0, 0, 0, 0}
	if got := grays(t, grid, func(dst []uint8) error { return Hillshade(dst, grid, Light{315, 45, 1}) }); got[0] != 181 {
		t.Errorf("hillshade %d, want 181", got[0])
	}
	if got := values(t, grid, func(dst []float32) error { return Aspect(dst, grid) }); got[0] != FlatAspect {
		t.Errorf("aspect %g, want %d", got[0], FlatAspect)
	}
}

func grays(t *testing.T, grid *Grid, render func([]uint8) error) []uint8 {
	t.Helper()
	dst := make([]uint8, (grid.Width-2)*(grid.Height-2))
	if err := render(dst); err != nil {
		t.Fatal(err)
	}
	return dst
}

func values(t *testing.T, grid *Grid, render func([]float32) error) []float32 {
	t.Helper()
	dst := make([]float32, (grid.Width-2)*(grid.Height-2))
	if err := render(dst); err != nil {
		t.Fatal(err)
	}
	return dst
}

func assertNear(t *testing.T, what string, got float32, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance) {
		t.Fatalf("%s is %g, want %g", what, got, want)
	}
}
