package main

import "math"

// coverage is how much of each pixel something covers: 0 to 255.
type coverage struct {
	width, height int
	pixelMetres   float64
	values        []uint8
}

func newCoverage(width int, ground extent) *coverage {
	pixel := ground.width / float64(width)
	height := int(math.Round(ground.height / pixel))
	return &coverage{width, height, pixel, make([]uint8, width*height)}
}

// at is the covered share of a pixel.
func (c *coverage) at(x, y int) float64 { return float64(c.values[y*c.width+x]) / 255 }

// draw adds a line whose width goes from one end's to the other's, with soft edges one pixel wide.
func (c *coverage) draw(from, to point, fromMetres, toMetres float64) {
	reach := max(fromMetres, toMetres)/2 + c.pixelMetres
	left, right := c.span(min(from.x, to.x)-reach, max(from.x, to.x)+reach, c.width)
	top, bottom := c.span(min(from.y, to.y)-reach, max(from.y, to.y)+reach, c.height)
	length := from.to(to)
	for y := top; y <= bottom; y++ {
		for x := left; x <= right; x++ {
			p := point{(float64(x) + 0.5) * c.pixelMetres, (float64(y) + 0.5) * c.pixelMetres}
			along := 0.0
			if length > 0 {
				along = min(max(((p.x-from.x)*(to.x-from.x)+(p.y-from.y)*(to.y-from.y))/(length*length), 0), 1)
			}
			half := lerp(fromMetres, toMetres, along) / 2
			axis := point{lerp(from.x, to.x, along), lerp(from.y, to.y, along)}
			// A line thinner than a pixel covers a part of it at most.
			most := min(2*half/c.pixelMetres, 1)
			share := most * min(max((half-p.to(axis))/c.pixelMetres+0.5, 0), 1)
			if half < c.pixelMetres/2 {
				share = most * max(1-p.to(axis)/c.pixelMetres, 0)
			}
			at := y*c.width + x
			c.values[at] = max(c.values[at], uint8(math.Round(255*share)))
		}
	}
}

// span is the pixels from one coordinate to another, as far as there are any.
func (c *coverage) span(from, to float64, count int) (first, last int) {
	return max(int(from/c.pixelMetres), 0), min(int(to/c.pixelMetres), count-1)
}
