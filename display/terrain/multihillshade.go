package terrain

import "math"

// MultidirectionalHillshade shades by four suns in the southwest, west, northwest and north. The
// weight of a sun is the squared cosine between its azimuth and the direction that the pixel faces.
// Values are those of Hillshade. The azimuth of the light is ignored.
func MultidirectionalHillshade(dst []uint8, grid *Grid, light Light) error {
	if err := light.validate(false); err != nil {
		return err
	}
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	suns := fourSuns{up: 254 * sine(light.Altitude), flat: 254 * cosine(light.Altitude)}
	w := spanIterator{grid: grid, exaggeration: light.Exaggeration}
	for w.next() {
		suns.shade(dst[w.at:][:w.pixels], w.east[:w.pixels], w.south[:w.pixels])
	}
	eraseMissing(dst, grid, 0)
	return nil
}

// fourSuns holds the vertical and horizontal parts of the directions to the suns, which have length
// 254.
type fourSuns struct{ up, flat float64 }

// shade projects the normal onto the direction of each sun. The squares are the weights, and their
// sum is twice the square of the gradient. It computes in float64, where the square of a float32
// cannot underflow.
func (l *fourSuns) shade(dst []uint8, east, south []float32) {
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

// part returns the light of one sun times its weight.
func (l *fourSuns) part(reach float64) float64 {
	return float64(float64(reach*reach) * max(0, l.up+float64(l.flat*reach)))
}
