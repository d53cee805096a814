package projection

// meridian computes arcs of the meridian from the equator.
type meridian struct {
	radius         float64
	toRectifying   sineSeries
	fromRectifying sineSeries
}

func newMeridian(ellipsoid Ellipsoid) meridian {
	return meridian{ellipsoid.rectifyingRadius(), ellipsoid.rectifyingFromGeodetic(), ellipsoid.geodeticFromRectifying()}
}

func (m *meridian) arc(latitude float64) float64 { return m.radius * m.toRectifying.add(latitude) }

func (m *meridian) latitude(arc float64) float64 { return m.fromRectifying.add(arc / m.radius) }
