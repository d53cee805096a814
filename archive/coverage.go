package archive

import "math"

// Coverage is what tiles cover. Its zero value covers nothing.
type Coverage struct {
	Tiles            uint64
	MinZoom, MaxZoom uint8
	area             area // of MaxZoom
}

// area is columns and rows of tiles, the last ones included.
type area struct{ left, top, right, bottom uint32 }

// Add adds a tile.
func (c *Coverage) Add(p Position) { c.add(p.Zoom, area{p.X, p.Y, p.X, p.Y}, 1) }

// AddRun adds count tiles, from that with a number on. It adds squares, the largest that begin
// where the rest does.
func (c *Coverage) AddRun(number, count uint64) error {
	for count > 0 {
		p, err := PositionOf(number)
		if err != nil {
			return err
		}
		within, level := number-FirstNumber(p.Zoom), 0
		for 4<<(2*level) <= count && within&(4<<(2*level)-1) == 0 && level < int(p.Zoom) {
			level++
		}
		left, top, side := p.X>>level<<level, p.Y>>level<<level, uint32(1)<<level
		c.add(p.Zoom, area{left, top, left + side - 1, top + side - 1}, 1<<(2*level))
		number, count = number+(1<<(2*level)), count-(1<<(2*level))
	}
	return nil
}

func (c *Coverage) add(zoom uint8, a area, tiles uint64) {
	switch {
	case c.Tiles == 0:
		c.MinZoom, c.MaxZoom, c.area = zoom, zoom, a
	case zoom > c.MaxZoom:
		c.MaxZoom, c.area = zoom, a
	case zoom == c.MaxZoom:
		c.area = area{min(c.area.left, a.left), min(c.area.top, a.top), max(c.area.right, a.right), max(c.area.bottom, a.bottom)}
	}
	c.MinZoom = min(c.MinZoom, zoom)
	c.Tiles += tiles
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
		West: longitude(c.area.left), South: latitude(c.area.bottom + 1), East: longitude(c.area.right + 1), North: latitude(c.area.top),
	}
}
