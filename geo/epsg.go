package geo

import (
	"fmt"
	"sync"

	"tileserver/geo/internal/epsg"
)

var wgs84 = sync.OnceValue(func() *CRS { return wellKnown(4326) })

var webMercator = sync.OnceValue(func() *CRS { return wellKnown(3857) })

func wellKnown(code int) *CRS {
	c, err := ByCode(code)
	if err != nil {
		panic(err) // the embedded extract is corrupt, which tests would have found
	}
	return c
}

// ByCode returns a reference system of the EPSG registry: a geographic or projected one, or the
// horizontal part of a geographic 3D or compound one. Datum shifts are those of the registry that
// need no grid file: the most accurate one for the area of use of the system.
func ByCode(code int) (*CRS, error) {
	system, found, err := epsg.Lookup(canonicalCode(code))
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("%w: EPSG:%d is not in the table of horizontal systems", ErrUnknownCRS, code)
	}
	definition, err := systemDefinition(system)
	if err != nil {
		return nil, &codedError{system.Code, fmt.Errorf("EPSG:%d (%s): %w", code, system.Name, err)}
	}
	c, err := FromDefinition(definition)
	if err != nil {
		return nil, &codedError{system.Code, fmt.Errorf("EPSG:%d: %w", code, err)}
	}
	c.datum.code = system.Datum
	c.code = fmt.Sprintf("EPSG:%d", system.Code)
	c.key = c.code
	c.axes = axes{abbreviations: system.Axes, northingFirst: system.NorthingFirst}
	if a := system.Area; a != nil {
		c.area, c.hasArea = Bounds{a.West, a.South, a.East, a.North}, true
	}
	return c, nil
}

// helmertOf returns nil for nil.
func helmertOf(s *epsg.Shift) *Helmert {
	if s == nil {
		return nil
	}
	v := s.Values
	return &Helmert{v[0], v[1], v[2], v[3], v[4], v[5], v[6]}
}

// canonicalCode maps unofficial and withdrawn codes of Web Mercator to the current one.
func canonicalCode(code int) int {
	switch code {
	case 900913, 3785, 102100, 102113, 41001:
		return 3857
	}
	return code
}

func systemDefinition(s epsg.System) (Definition, error) {
	d := Definition{
		Name:          s.Name,
		Ellipsoid:     Ellipsoid{SemiMajorAxis: s.SemiMajorAxis, InverseFlattening: s.InverseFlattening},
		PrimeMeridian: s.PrimeMeridian,
	}
	d.ToWGS84 = helmertOf(s.Shift)
	if !s.Projected {
		d.DegreesPerUnit = s.Unit
		return d, nil
	}
	d.MetersPerUnit = s.Unit
	d.Method = Method(s.Method)
	if err := d.Method.Validate(); err != nil {
		return d, fmt.Errorf("%w: %w", ErrUnknownCRS, err)
	}
	for _, parameter := range s.Parameters {
		if !setParameter(&d.Parameters, parameter.Code, parameter.Value) {
			return d, fmt.Errorf("%w: method %d has parameter %d", ErrUnknownCRS, s.Method, parameter.Code)
		}
	}
	return d, nil
}

// setParameter sets an EPSG parameter. It returns false if no supported method uses the parameter.
func setParameter(p *Parameters, code int, value float64) bool {
	switch code {
	case 8801, 8811, 8821:
		p.LatitudeOfOrigin = value
	case 8802, 8812, 8822, 8833:
		p.LongitudeOfOrigin = value
	case 8805, 8815, 8819:
		p.ScaleFactor = value
	case 8806, 8816, 8826:
		p.FalseEasting = value
	case 8807, 8817, 8827:
		p.FalseNorthing = value
	case 8823, 8818, 8832:
		p.StandardParallel1 = value
	case 8824:
		p.StandardParallel2 = value
	case 8813, 1036:
		p.Azimuth = value
	case 8814:
		p.RectifiedGridAngle = value
	case 1038:
		p.EllipsoidScale = value
	case 1039:
		p.OriginHeight = value
	default:
		return false
	}
	return true
}
