package main

import "math"

// hash mixes a lattice point and a seed into 64 well-spread bits.
func hash(x, y int, seed uint64) uint64 {
	h := seed*0x9E3779B97F4A7C15 + uint64(int64(x))*0xBF58476D1CE4E5B9 + uint64(int64(y))*0x94D049BB133111EB
	h ^= h >> 31
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 29
	h *= 0xA0761D6478BD642F
	return h ^ h>>32
}

// random is a number in [0, 1) that belongs to a lattice point.
func random(x, y int, seed uint64) float64 {
	return float64(hash(x, y, seed)>>11) / (1 << 53)
}

// gradients are sixteen directions, so that hills do not line up with the lattice.
var gradients = func() (directions [16][2]float64) {
	for i := range directions {
		sin, cos := math.Sincos((float64(i) + 0.5) * math.Pi / 8)
		directions[i] = [2]float64{cos, sin}
	}
	return directions
}()

// gradientNoise is smooth noise of wavelength 1, about -1 to 1.
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

// fractal sums octaves of noise; the first has the given wavelength, each next one half of it and half the height.
func fractal(p point, wavelength float64, octaves int, seed uint64) float64 {
	sum, amplitude := 0.0, 0.5
	for octave := range octaves {
		sum += amplitude * gradientNoise(p.x/wavelength, p.y/wavelength, seed+uint64(octave))
		// Turning each octave hides the common lattice.
		p = point{0.8*p.x - 0.6*p.y, 0.6*p.x + 0.8*p.y}
		wavelength /= 2
		amplitude /= 2
	}
	return sum
}

// warped moves a point by noise, which turns straight features into grown ones.
func warped(p point, wavelength, distance float64, seed uint64) point {
	return point{
		p.x + distance*fractal(p, wavelength, 3, seed),
		p.y + distance*fractal(p, wavelength, 3, seed+101),
	}
}

// patch is the cell of an irregular mosaic: a number of its own, and the distance to its border in cell widths.
func patch(x, y float64, seed uint64) (identity uint64, toBorder float64) {
	column, row := int(math.Floor(x)), int(math.Floor(y))
	nearest, second := math.Inf(1), math.Inf(1)
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			cx, cy := column+dx, row+dy
			centreX := float64(cx) + 0.5 + 0.7*(random(cx, cy, seed)-0.5)
			centreY := float64(cy) + 0.5 + 0.7*(random(cx, cy, seed+1)-0.5)
			// Distance along the axes gives four-sided patches.
			distance := math.Max(math.Abs(x-centreX), math.Abs(y-centreY))
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

// step rises smoothly from 0 at the edge from to 1 at the edge to, which may be the lower one.
func step(from, to, value float64) float64 {
	t := min(max((value-from)/(to-from), 0), 1)
	return t * t * (3 - 2*t)
}
