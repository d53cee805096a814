package terrain

import "math"

// Light is where the sun stands and how much higher the mountains are than they are.
type Light struct {
	Azimuth      float64 // of the sun, in degrees clockwise from north
	Altitude     float64 // of the sun, in degrees above the horizon
	Exaggeration float64 // of heights; 1 leaves them
}

// Hillshade shades each pixel by the angle between its normal and the sun: 1 + 254 cos, rounded to the nearest, and 1
// where the ground looks away from the sun. 0 is a pixel without height.
//
// It is computed in float32: the result differs from the exact one by less than a thousandth before it is rounded.
func Hillshade(dst []uint8, grid *Grid, light Light) error {
	if err := light.validate(true); err != nil {
		return err
	}
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	sun := newLamp(light)
	w := walk{grid: grid, rise: light.Exaggeration}
	for w.next() {
		sun.shade(dst[w.at:][:w.pixels], w.east[:w.pixels], w.south[:w.pixels])
	}
	eraseMissing(dst, grid, 0)
	return nil
}

// Level is how bright a hillshade is where the ground is level.
func (l Light) Level() uint8 {
	sun := newLamp(l)
	var shade [1]uint8
	sun.shadeInGo(shade[:], []float32{0}, []float32{0})
	return shade[0]
}

// lamp is the direction to the sun, 254 long.
type lamp struct{ east, north, up float32 }

func newLamp(light Light) lamp {
	flat := 254 * cosine(light.Altitude)
	return lamp{
		east:  float32(flat * sine(light.Azimuth)),
		north: float32(flat * cosine(light.Azimuth)),
		up:    float32(254 * sine(light.Altitude)),
	}
}

func (l *lamp) shade(dst []uint8, east, south []float32) {
	done := shadeVectors(l, dst, east, south)
	l.shadeInGo(dst[done:], east[done:], south[done:])
}

// shadeInGo takes the normal (-east, south, 1), whose axes point east, north and up. The comparison is one that takes
// what is no number for dark.
func (l *lamp) shadeInGo(dst []uint8, east, south []float32) {
	east, south = east[:len(dst)], south[:len(dst)]
	for i := range dst {
		e, s := east[i], south[i]
		length := float32(math.Sqrt(float64((1 + float32(e*e)) + float32(s*s))))
		towards := (l.up - float32(l.east*e)) + float32(l.north*s)
		shade := towards / length
		if !(shade > 0) {
			shade = 0
		}
		dst[i] = uint8(int32(shade + 1.5))
	}
}
