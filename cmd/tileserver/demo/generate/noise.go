package main

import "math"

// hash mixes a lattice point and a seed into 64 uniformly distributed bits.
func hash(x, y int, seed uint64) uint64 {
	h := seed*0x9E3779B97F4A7C15 + uint64(int64(x))*0xBF58476D1CE4E5B9 + uint64(int64(y))*0x94D049BB133111EB
	h ^= h >> 31
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 29
	h *= 0xA0761D6478BD642F
	return h ^ h>>32
}

// random returns the number in [0, 1) of a lattice point.
func random(x, y int, seed uint64) float64 {
	return float64(hash(x, y, seed)>>11) / (1 << 53)
}

// gradients holds sixteen directions. None is parallel to the lattice, so that hills do not align
// with it.
var gradients = func() (directions [16][2]float64) {
	for i := range directions {
		sin, cos := math.Sincos((float64(i) + 0.5) * math.Pi / 8)
		directions[i] = [2]float64{cos, sin}
	}
	return directions
}()

// gradientNoise returns smooth noise of wavelength 1, about -1 to 1.
func gradientNoise(x, y float64, seed uint64) float64 {
	left, top := math.Floor(x), math.Floor(y)
	column, row := int(left), int(top)
	dx, dy := x-left, y-top
	corner := func(right, down int) float64 {
		g := gradients[hash(column+right, row+down, seed)>>60]
		return g[0]*(dx-float64(right)) + g[1]*(dy-float64(down))
	}
	u, v := fade(dx), fade(dy)
	return 1.5 * lerp(lerp(corner(0, 0), corner(1, 0), u), lerp(corner(0, 1), corner(1, 1), u), v)
}

// fractal sums octaves of noise. The first has the given wavelength; each next one has half the
// wavelength and half the amplitude.
func fractal(p point, wavelength float64, octaves int, seed uint64) float64 {
	sum, amplitude := 0.0, 0.5
	for octave := range octaves {
		sum += amplitude * gradientNoise(p.x/wavelength, p.y/wavelength, seed+uint64(octave))
		// Rotating each octave hides the common lattice.
		p = point{0.8*p.x - 0.6*p.y, 0.6*p.x + 0.8*p.y}
		wavelength /= 2
		amplitude /= 2
	}
	return sum
}

// warped displaces a point by noise, which makes straight features look natural.
func warped(p point, wavelength, distance float64, seed uint64) point {
	return point{
		p.x + distance*fractal(p, wavelength, 3, seed),
		p.y + distance*fractal(p, wavelength, 3, seed+101),
	}
}

// patch returns the cell of an irregular mosaic at a point: its random number, and the distance to
// its border in cell widths.
func patch(x, y float64, seed uint64) (identity uint64, toBorder float64) {
	column, row := int(math.Floor(x)), int(math.Floor(y))
	nearest, second := math.Inf(1), math.Inf(1)
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			cx, cy := column+dx, row+dy
			centerX := float64(cx) + 0.5 + 0.7*(random(cx, cy, seed)-0.5)
			centerY := float64(cy) + 0.5 + 0.7*(random(cx, cy, seed+1)-0.5)
			// The maximum norm gives four-sided patches.
			distance := math.Max(math.Abs(x-centerX), math.Abs(y-centerY))
			if distance < nearest {
				nearest, second = distance, nearest
				identity = hash(cx, cy, seed+2)
			} else {
				second = min(second, distance)
			}
		}
	}
	return identity, second - nearest
}

func fade(t float64) float64 { return t * t * t * (t*(t*6-15) + 10) }

func lerp(a, b, t float64) float64 { return a + (b-a)*t }

// step rises smoothly from 0 at from to 1 at to. With from > to it falls.
func step(from, to, value float64) float64 {
	t := min(max((value-from)/(to-from), 0), 1)
	return t * t * (3 - 2*t)
}
