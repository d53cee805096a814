package terrain

import "math"

// MultidirectionalHillshade shades by four suns, in the southwest, west, northwest and north. A pixel takes of each as
// much as it is turned along it: the weight is the square of the cosine between the sun's azimuth and the direction that
// the pixel faces. Values are those of Hillshade. The azimuth of the light is not looked at.
func MultidirectionalHillshade(dst []uint8, grid *Grid, light Light) error {
	if err := light.validate(false); err != nil {
		return err
	}
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	suns := fourLamps{up: 254 * sine(light.Altitude), flat: 254 * cosine(light.Altitude)}
	w := walk{grid: grid, rise: light.Exaggeration}
	for w.next() {
		suns.shade(dst[w.at:][:w.pixels], w.east[:w.pixels], w.south[:w.pixels])
	}
	eraseMissing(dst, grid, 0)
	return nil
}

// fourLamps are as high and as far, 254, all four.
type fourLamps struct{ up, flat float64 }

// shade finds how far the normal reaches in the direction of each sun: the squares of that are the weights, and their sum
// is twice the square of the gradient. It is computed in float64, where no square of a float32 gets lost.
func (l *fourLamps) shade(dst []uint8, east, south []float32) {
	east, south = east[:len(dst)], south[:len(dst)]
	for i := range dst {
		e, s := float64(east[i]), float64(south[i])
		square := float64(e*e) + float64(s*s)
		shade := l.up
		if square != 0 {
			southwest, northwest := (e-s)*(math.Sqrt2/2), (e+s)*(math.Sqrt2/2)
			sum := (l.part(southwest) + l.part(e)) + (l.part(northwest) + l.part(s))
			shade = sum / float64(2*float64(square*math.Sqrt(1+square)))
		}
		if !(shade > 0) {
			shade = 0
		}
		dst[i] = uint8(int32(shade + 1.5))
	}
}

// part is the light of one sun, times its weight.
func (l *fourLamps) part(reach float64) float64 {
	return float64(float64(reach*reach) * max(0, l.up+float64(l.flat*reach)))
}
