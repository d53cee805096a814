package terrain

import (
	"hash/fnv"
	"math"
	"testing"
)

// Results are compared with the same formulas in float64 and the functions of package math.
func TestExactValues(t *testing.T) {
	grid := randomGrid(611, 97, false)
	light := Light{Azimuth: 207.5, Altitude: 33, Exaggeration: 2.5}
	shades := grays(t, grid, func(dst []uint8) error { return Hillshade(dst, grid, light) })
	multi := grays(t, grid, func(dst []uint8) error { return MultidirectionalHillshade(dst, grid, light) })
	slopes := values(t, grid, func(dst []float32) error { return Slope(dst, grid, Steepness{Degrees, 1}) })
	aspects := values(t, grid, func(dst []float32) error { return Aspect(dst, grid) })
	width, _ := grid.inner()
	for i := range shades {
		east, south := exactGradient(grid, i%width+1, i/width+1)
		assertRounded(t, "hillshade", shades[i], exactShade(light, light.Azimuth, east, south))
		assertRounded(t, "multidirectional hillshade", multi[i], exactMultiShade(light, east, south))
		assertNear(t, "slope", slopes[i], math.Atan(math.Hypot(east, south))*180/math.Pi, 1.2e-5)
		aspect := math.Mod(math.Atan2(-east, south)*180/math.Pi+360, 360)
		assertNear(t, "aspect", aspects[i], aspect, 1e-2) // large, for ground that is nearly flat
	}
}

// assertRounded allows an error of a thousandth before rounding.
func assertRounded(t *testing.T, what string, got uint8, exact float64) {
	t.Helper()
	if math.Abs(float64(got)-exact) > 0.501 {
		t.Fatalf("%s is %d, want %g", what, got, exact)
	}
}

func exactGradient(g *Grid, x, y int) (east, south float64) {
	at := func(dx, dy int) float64 { return float64(g.Heights[(y+dy)*g.Width+x+dx]) }
	east = (at(1, -1) + 2*at(1, 0) + at(1, 1) - at(-1, -1) - 2*at(-1, 0) - at(-1, 1)) / (8 * g.StepX[y])
	south = (at(-1, 1) + 2*at(0, 1) + at(1, 1) - at(-1, -1) - 2*at(0, -1) - at(1, -1)) / (8 * g.StepY[y])
	return east, south
}

func exactShade(light Light, azimuth, east, south float64) float64 {
	return 1 + 254*max(0, exactCosine(light, azimuth, east, south))
}

func exactCosine(light Light, azimuth, east, south float64) float64 {
	azimuth, altitude := azimuth*math.Pi/180, light.Altitude*math.Pi/180
	east, south = east*light.Exaggeration, south*light.Exaggeration
	normal := [3]float64{-east, south, 1}
	sun := [3]float64{math.Sin(azimuth) * math.Cos(altitude), math.Cos(azimuth) * math.Cos(altitude), math.Sin(altitude)}
	return (normal[0]*sun[0] + normal[1]*sun[1] + normal[2]*sun[2]) / math.Sqrt(1+east*east+south*south)
}

func exactMultiShade(light Light, east, south float64) float64 {
	facing, sum := math.Atan2(-east, south), 0.
	for _, azimuth := range []float64{225, 270, 315, 360} {
		along := math.Cos(facing - azimuth*math.Pi/180)
		sum += along * along * max(0, exactCosine(light, azimuth, east, south)) / 2
	}
	return 1 + 254*sum
}

func TestAngles(t *testing.T) {
	for tenth := range 3601 {
		degrees := float64(tenth) / 10
		wantSine, wantCosine := math.Sincos(degrees * math.Pi / 180)
		if got := sine(degrees); math.Abs(got-wantSine) > 2e-15 {
			t.Errorf("sine of %g is %g, want %g", degrees, got, wantSine)
		}
		if got := cosine(degrees); math.Abs(got-wantCosine) > 2e-15 {
			t.Errorf("cosine of %g is %g, want %g", degrees, got, wantCosine)
		}
	}
	for i := range 90001 {
		degrees := float64(i) / 1000
		s, c := math.Sincos(degrees * math.Pi / 180)
		if got := angle(s, max(c, 0)); math.Abs(got-degrees) > 1e-7 {
			t.Errorf("angle of %g degrees is %g", degrees, got)
		}
	}
	if got := angle(math.Inf(1), 1); got != 90 {
		t.Errorf("angle of a wall is %g", got)
	}
}

// Right angles are exact: a sun in the zenith has no azimuth.
func TestRightAngles(t *testing.T) {
	for quarter, want := range []float64{0, 1, 0, -1, 0} {
		if got := sine(90 * float64(quarter)); got != want {
			t.Errorf("sine of %d degrees is %g", 90*quarter, got)
		}
	}
	if got := cosine(90); got != 0 {
		t.Errorf("cosine of 90 degrees is %g", got)
	}
}

// The bits are the same on every machine.
func TestDigest(t *testing.T) {
	grid := newGrid(301, 47, func(x, y float64) float64 { return float64((int(x)*7919+int(y)*104729)%1009)/8 + x*x/64 })
	for y := range grid.Height {
		grid.StepX[y], grid.StepY[y] = 10+float64(y)/7, 12-float64(y)/9
	}
	want := map[Mode]uint64{
		ModeHillshade:      0x246db8b70e4bb897,
		ModeMultiHillshade: 0x9252ce4f63d239df,
		ModeSlope:          0xd8514a3dfdffbff1,
		ModeAspect:         0x2ccde12a3913f770,
		ModeContours:       0x131598e8d7eeda93,
	}
	for mode, want := range want {
		p := DefaultParameters(mode)
		p.Light.Azimuth, p.Lines.IndexEvery = 123.4, 5
		digest := fnv.New64a()
		for _, bits := range render(t, &p, grid) {
			digest.Write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
		}
		if got := digest.Sum64(); got != want {
			t.Errorf("%s has digest %#x, want %#x", mode, got, want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	grid := randomGrid(50, 40, true)
	gray, value := make([]uint8, 48*38), make([]float32, 48*38)
	colors := make([]uint8, 4*50*40)
	for mode := ModeHillshade; mode <= ModeTerrarium; mode++ {
		p := DefaultParameters(mode)
		got := testing.AllocsPerRun(10, func() {
			var err error
			switch mode.Output() {
			case OutputGray:
				err = p.Gray(gray, grid)
			case OutputValues:
				err = p.Values(value, grid)
			case OutputColor:
				err = p.Encoding.Encode(colors, 4, grid.Heights, grid.Coverage)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		if got != 0 {
			t.Errorf("%s allocates %g times", mode, got)
		}
	}
}
