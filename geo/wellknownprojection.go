package geo

import (
	"fmt"
	"math"
	"strings"

	"tileserver/geo/internal/projection"
	"tileserver/geo/internal/wkt"
)

// projectedOf returns a projected system of well-known text.
func (k GeoKeys) projectedOf(n *wkt.Node) (*CRS, error) {
	if err := k.addGeographic(n.Child("GEOGCS", "BASEGEOGCRS", "BASEGEODCRS")); err != nil {
		return nil, err
	}
	definition, err := k.datumDefinition()
	if err != nil {
		return nil, err
	}
	if title := n.Value(0); title != "" {
		definition.Name = title
	}
	if definition.MetersPerUnit, err = lengthUnitOf(n); err != nil {
		return nil, err
	}
	angularUnit, err := k.angularUnit()
	if err != nil {
		return nil, err
	}
	if err := definition.addConversion(n, angularUnit); err != nil {
		return nil, err
	}
	return fromNamedDatum(definition)
}

// lengthUnitOf returns the unit of coordinates: of the system, or else of its first axis.
func lengthUnitOf(n *wkt.Node) (float64, error) {
	if n.Child("UNIT", "LENGTHUNIT") == nil {
		n = n.Child("AXIS")
	}
	unit, err := unitOf(n, 0)
	if err == nil && unit == 0 {
		err = fmt.Errorf("%w: coordinates without a unit", ErrUnknownCRS)
	}
	return unit, err
}

// addConversion adds the map projection. The second version of well-known text has it in a node of
// its own, and a name for each method; names of the first version may need to be settled.
func (d *namedDatum) addConversion(n *wkt.Node, angularUnit float64) error {
	extension, conversion := n.Child("EXTENSION"), n.Child("CONVERSION")
	if conversion == nil {
		conversion = n
	}
	given := given{}
	for _, parameter := range conversion.Children {
		if parameter.Keyword == "PARAMETER" {
			if err := d.addParameter(parameter, angularUnit, given); err != nil {
				return err
			}
		}
	}
	if method := conversion.Child("METHOD"); method != nil {
		return d.setMethod(method)
	}
	if err := d.setMethod(conversion.Child("PROJECTION")); err != nil {
		return err
	}
	given[sweepOption] = given[sweepOption] || strings.Contains(extension.Value(1), "+sweep=x") // ESRI's way to say it, and GDAL's
	d.Method = settleMethod(d.Method, &d.Parameters, given)
	isTurned := d.Parameters.RectifiedGridAngle == 90 // ESRI's way to say it; GDAL's is an axis
	if d.Method == projection.Krovak && (isTurned || strings.EqualFold(conversion.Child("AXIS").Value(1), "EAST")) {
		d.Method = projection.KrovakNorthOriented
	}
	return nil
}

// setMethod sets the method by its code or name.
func (d *namedDatum) setMethod(n *wkt.Node) error {
	if code, ok := epsgOf(n); ok {
		d.Method = Method(code)
		return nil
	}
	name, ok := wktWord(n.Value(0)), false
	if d.Method, ok = wktMethods()[name]; !ok {
		return fmt.Errorf("%w: projection %q", ErrUnknownCRS, name)
	}
	switch name { // names that imply parameters
	case "swiss_oblique_cylindrical", "swiss_oblique_mercator":
		d.Parameters.Azimuth, d.Parameters.RectifiedGridAngle = 90, 90
	case "behrmann":
		d.Parameters.StandardParallel1 = 30
	}
	return nil
}

// addParameter sets a parameter, whose unit is its own or else that of the system.
func (d *namedDatum) addParameter(n *wkt.Node, angularUnit float64, given given) error {
	value, err := numberAt(n, 1)
	if err != nil {
		return err
	}
	code, ok := epsgOf(n)
	if !ok {
		code, ok = wktParameters()[wktWord(n.Value(0))]
	}
	if !ok {
		return nil // such as the kind of sphere, which the ellipsoid says again
	}
	if code == sweepOption {
		given[sweepOption] = value == 1
		return nil
	}
	unit, err := d.parameterUnit(n, code, angularUnit)
	if err != nil {
		return err
	}
	given[code] = true
	setParameter(&d.Parameters, code, value*unit)
	return nil
}

// parameterUnit returns the unit of a parameter in degrees, meters or unity.
func (d *namedDatum) parameterUnit(n *wkt.Node, code int, angularUnit float64) (float64, error) {
	switch parameterKind(code) {
	case ofLength:
		return unitOf(n, d.MetersPerUnit)
	case ofRatio:
		return unitOf(n, 1)
	}
	unit, err := unitOf(n, angularUnit*degreesToRadians)
	if unit /= degreesToRadians; math.Abs(unit-1) < 1e-12 {
		unit = 1 // so that 90 degrees is a pole
	}
	return unit, err
}

// given holds the codes of the parameters that a text or file gives. Some methods mean another one
// if it does.
type given map[int]bool

// Codes of parameters that tell methods apart, and the option of ESRI that tells how a satellite
// scans, which has no code.
const (
	standardParallel    = 8823
	secondParallel      = 8824
	rectifiedAngle      = 8814
	satelliteHeight     = 1039 // the height of a projection plane, which the registry has
	sweepOption         = -1
	scaleFactorAtOrigin = 8805
)

// settleMethod returns the method that writers mean by one of several methods with the same name,
// and moves parameters that they name differently.
func settleMethod(m Method, p *Parameters, given given) Method {
	switch m {
	case projection.MercatorA:
		if given[standardParallel] {
			return projection.MercatorB
		}
	case projection.LambertConic1SP:
		if given[secondParallel] && p.ScaleFactor != 0 && p.ScaleFactor != 1 { // of the ellipsoid, as ESRI writes for Michigan
			p.EllipsoidScale = p.ScaleFactor
			return projection.LambertConicMichigan
		}
		if given[secondParallel] {
			return projection.LambertConic2SP
		}
	case projection.Bonne:
		p.LatitudeOfOrigin, p.StandardParallel1 = p.StandardParallel1, 0
	case projection.PolarStereographicA, projection.PolarStereographicB:
		return settlePolarStereographic(p, given)
	case projection.HotineObliqueMercatorA, projection.HotineObliqueMercatorB:
		if !given[rectifiedAngle] && p.RectifiedGridAngle == 0 {
			p.RectifiedGridAngle = p.Azimuth
		}
	case projection.GeostationarySweepY:
		if given[sweepOption] {
			return projection.GeostationarySweepX
		}
	}
	return m
}

// settlePolarStereographic tells variant A from B. The standard parallel of variant B may be in the
// place of the latitude of origin.
func settlePolarStereographic(p *Parameters, given given) Method {
	if given[standardParallel] {
		p.LatitudeOfOrigin, p.StandardParallel1 = p.StandardParallel1, 0
	}
	if math.Abs(p.LatitudeOfOrigin) > 90-1e-8 {
		return projection.PolarStereographicA
	}
	p.StandardParallel1 = p.LatitudeOfOrigin
	return projection.PolarStereographicB
}
