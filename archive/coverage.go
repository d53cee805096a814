package archive

import "math"

// Coverage is what tiles cover. Its zero value covers nothing.
type Coverage struct {
	Tiles            uint64
	MinZoom, MaxZoom uint8
	left, right      uint32 // columns of MaxZoom, the last one included
	top, bottom      uint32 // rows of MaxZoom, the last one included
}

// Add adds a tile.
func (c *Coverage) Add(p Position) {
	switch {
	case c.Tiles == 0:
		*c = Coverage{0, p.Zoom, p.Zoom, p.X, p.X, p.Y, p.Y}
	case p.Zoom > c.MaxZoom:
		*c = Coverage{c.Tiles, c.MinZoom, p.Zoom, p.X, p.X, p.Y, p.Y}
	case p.Zoom == c.MaxZoom:
		c.left, c.right = min(c.left, p.X), max(c.right, p.X)
		c.top, c.bottom = min(c.top, p.Y), max(c.bottom, p.Y)
	}
	c.MinZoom = min(c.MinZoom, p.Zoom)
	c.Tiles++
}

// Complete returns a description with what follows from the tiles: the zooms, and bounds and center if they
// are unknown. The zoom of a known center is moved into the range of the tiles.
func (c *Coverage) Complete(d Description) Description {
	d.MinZoom, d.MaxZoom = c.MinZoom, c.MaxZoom
	if d.Bounds == (Bounds{}) {
		d.Bounds = c.bounds()
	}
	if d.Center == (Center{}) {
		d.Center = d.Bounds.middle(c.MinZoom, c.MaxZoom)
	}
	d.Center.Zoom = min(max(d.Center.Zoom, c.MinZoom), c.MaxZoom)
	return d
}

// bounds returns the area of the tiles of the largest zoom, or the whole map if there are none.
func (c *Coverage) bounds() Bounds {
	if c.Tiles == 0 {
		return Bounds{-180, -MaxLatitude, 180, MaxLatitude}
	}
	across := math.Exp2(float64(c.MaxZoom))
	longitude := func(column uint32) float64 { return float64(column)/across*360 - 180 }
	latitude := func(row uint32) float64 {
		return math.Atan(math.Sinh(math.Pi*(1-2*float64(row)/across))) * 180 / math.Pi
	}
	return Bounds{
		West: longitude(c.left), South: latitude(c.bottom + 1), East: longitude(c.right + 1), North: latitude(c.top),
	}
}
