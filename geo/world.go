package geo

import "math"

// OnEarth returns bounds in degrees within those of the world, and their center. Documents such as
// TileJSON have no bounds across the antimeridian: they become the whole range of longitudes, but
// the center stays.
func (b Bounds) OnEarth() (bounds Bounds, center Point) {
	world := Bounds{MinX: -180, MinY: -90, MaxX: 180, MaxY: 90}
	b.MinY, b.MaxY = max(b.MinY, world.MinY), min(b.MaxY, world.MaxY)
	center = b.Center()
	center.X = math.Remainder(center.X, 360)
	if b.MinX < world.MinX || b.MaxX > world.MaxX {
		b.MinX, b.MaxX = world.MinX, world.MaxX
	}
	return b, center
}
