package terrain

import "math"

// Light is the position of the sun and the exaggeration of heights.
type Light struct {
	Azimuth      float64 // of the sun, in degrees clockwise from north
	Altitude     float64 // of the sun, in degrees above the horizon
	Exaggeration float64 // factor of heights; 1 is none
}

// Hillshade shades each pixel by the angle between its normal and the sun: 1 + 254 cos, rounded.
// Ground that faces away from the sun is 1. Pixels without height are 0.
//
// It computes in float32. The error before rounding is below a thousandth.
func Hillshade(dst []uint8, grid *Grid, light Light) error {
	if err := light.validate(true); err != nil {
		return err
	}
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	sun := newSunDirection(light)
	w := spanIterator{grid: grid, exaggeration: light.Exaggeration}
	for w.next() {
		sun.shade(dst[w.at:][:w.pixels], w.east[:w.pixels], w.south[:w.pixels])
	}
	eraseMissing(dst, grid, 0)
	return nil
}

// Level returns the hillshade of level ground.
func (l Light) Level() uint8 {
	sun := newSunDirection(l)
	var shade [1]uint8
	sun.shadeGeneric(shade[:], []float32{0}, []float32{0})
	return shade[0]
}

// A sunDirection points to the sun and has length 254.
type sunDirection struct{ east, north, up float32 }

func newSunDirection(light Light) sunDirection {
	flat := 254 * cosine(light.Altitude)
	return sunDirection{
		east:  float32(flat * sine(light.Azimuth)),
		north: float32(flat * cosine(light.Azimuth)),
		up:    float32(254 * sine(light.Altitude)),
	}
}

func (l *sunDirection) shade(dst []uint8, east, south []float32) {
	done := shadeVectors(l, dst, east, south)
	l.shadeGeneric(dst[done:], east[done:], south[done:])
}

// shadeGeneric uses the normal (-east, south, 1), whose axes point east, north and up. The
// comparison makes NaN dark.
func (l *sunDirection) shadeGeneric(dst []uint8, east, south []float32) {
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
