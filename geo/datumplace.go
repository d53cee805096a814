package geo

import (
	"math"

	"tileserver/geo/internal/epsg"
)

// WithShiftFor returns the same system with the datum shift of the registry for a place, given in
// coordinates of the system. Where the registry has none, the datum counts as WGS 84 there. So
// images on one datum agree about a place, whether their system is registered or not. The key is the
// same.
func (c *CRS) WithShiftFor(place Bounds) *CRS {
	if c.datum.code == 0 {
		return c
	}
	area, ok := c.areaOn(place)
	if !ok {
		return c
	}
	found, err := epsg.ShiftFor(c.datum.code, area)
	if err != nil {
		return c // a broken extract, which tests would have found
	}
	shifted := c.datum.shiftedBy(helmertOf(found))
	if shifted == c.datum {
		return c
	}
	other := *c
	other.datum, other.shift = shifted, newShift(&shifted)
	return &other
}

// areaOn returns the area of a rectangle on the datum, as far as it is in the domain. It returns
// false if nothing of it is.
func (c *CRS) areaOn(place Bounds) (epsg.Area, bool) {
	const steps = 4
	center := place.Center()
	middle, _ := c.geodetic(center)
	if middle = wrap(middle); math.IsNaN(middle) {
		middle = 0
	}
	around := newExtremes()
	for i := range (steps + 1) * (steps + 1) {
		column, row := float64(i%(steps+1))/steps-0.5, float64(i/(steps+1))/steps-0.5
		longitude, latitude := c.geodetic(Point{center.X + column*place.Width(), center.Y + row*place.Height()})
		around.add(Point{middle + math.Remainder(longitude-middle, 2*math.Pi), latitude})
	}
	b := around.bounds
	return epsg.Area{
		West: b.MinX / degreesToRadians, South: b.MinY / degreesToRadians,
		East: b.MaxX / degreesToRadians, North: b.MaxY / degreesToRadians,
	}, !b.Empty()
}
