package main

import "math"

// coverage is the covered share of each pixel, 0 to 255.
type coverage struct {
	width, height  int
	metersPerPixel float64
	values         []uint8
}

func newCoverage(width int, ground extent) *coverage {
	pixel := ground.width / float64(width)
	height := int(math.Round(ground.height / pixel))
	return &coverage{width, height, pixel, make([]uint8, width*height)}
}

// at returns the covered share of a pixel, 0 to 1.
func (c *coverage) at(x, y int) float64 { return float64(c.values[y*c.width+x]) / 255 }

// draw adds a line whose width changes linearly between its ends. Its soft edges are one pixel
// wide.
func (c *coverage) draw(from, to point, fromMeters, toMeters float64) {
	reach := max(fromMeters, toMeters)/2 + c.metersPerPixel
	left, right := c.span(min(from.x, to.x)-reach, max(from.x, to.x)+reach, c.width)
	top, bottom := c.span(min(from.y, to.y)-reach, max(from.y, to.y)+reach, c.height)
	length := from.to(to)
	for y := top; y <= bottom; y++ {
		for x := left; x <= right; x++ {
			p := point{(float64(x) + 0.5) * c.metersPerPixel, (float64(y) + 0.5) * c.metersPerPixel}
			along := 0.0
			if length > 0 {
				along = min(max(((p.x-from.x)*(to.x-from.x)+(p.y-from.y)*(to.y-from.y))/(length*length), 0), 1)
			}
			half := lerp(fromMeters, toMeters, along) / 2
			axis := point{lerp(from.x, to.x, along), lerp(from.y, to.y, along)}
			// A line thinner than a pixel covers a part of it at most.
			most := min(2*half/c.metersPerPixel, 1)
			share := most * min(max((half-p.to(axis))/c.metersPerPixel+0.5, 0), 1)
			if half < c.metersPerPixel/2 {
				share = most * max(1-p.to(axis)/c.metersPerPixel, 0)
			}
			at := y*c.width + x
			c.values[at] = max(c.values[at], uint8(math.Round(255*share)))
		}
	}
}

// span returns the range of pixels between two coordinates, clipped to the grid.
func (c *coverage) span(from, to float64, count int) (first, last int) {
	return max(int(from/c.metersPerPixel), 0), min(int(to/c.metersPerPixel), count-1)
}
