package geo

import (
	"math"

	"tileserver/geo/internal/gridshift"
)

// datumGrids holds the grids of a datum, the best one first.
type datumGrids struct{ shifts []gridShift }

type gridShift struct {
	area Bounds // of use, in degrees
	grid *gridshift.Grid
}

// toWGS84 moves radians on the datum to WGS 84. It returns false outside all grids.
func (d *datumGrids) toWGS84(longitude, latitude float64) (movedLongitude, movedLatitude float64, ok bool) {
	if d == nil {
		return 0, 0, false
	}
	for i := range d.shifts {
		s := &d.shifts[i]
		if !s.covers(longitude, latitude) {
			continue
		}
		if east, north, ok := s.grid.At(longitude, latitude); ok {
			return longitude + east, latitude + north, true
		}
	}
	return 0, 0, false
}

// fromWGS84 is the inverse of toWGS84.
func (d *datumGrids) fromWGS84(longitude, latitude float64) (movedLongitude, movedLatitude float64, ok bool) {
	if d == nil {
		return 0, 0, false
	}
	for i := range d.shifts {
		s := &d.shifts[i]
		if east, north, ok := s.grid.Inverse(longitude, latitude); ok && s.covers(east, north) {
			return east, north, true
		}
	}
	return 0, 0, false
}

// covers reports whether a place is in the area of use, on any turn of the globe.
func (s *gridShift) covers(longitude, latitude float64) bool {
	x, y := longitude/degreesToRadians, latitude/degreesToRadians
	if !(y >= s.area.MinY && y <= s.area.MaxY) {
		return false
	}
	return math.Mod(math.Mod(x-s.area.MinX, 360)+360, 360) <= s.area.Width()
}
