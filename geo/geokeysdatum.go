package geo

import (
	"fmt"

	"tileserver/geo/internal/epsg"
)

// namedDatum is a Definition with the code of its datum, or 0.
type namedDatum struct {
	Definition
	datum int
}

// fromNamedDatum returns the system of a definition. Systems on the same registered datum agree,
// whichever shift they use.
func fromNamedDatum(definition namedDatum) (*CRS, error) {
	c, err := FromDefinition(definition.Definition)
	if err != nil {
		return nil, err
	}
	if definition.datum != 0 {
		c.datum.code = definition.datum
		c.key = fmt.Sprintf("%s,datum=%d", c.key, definition.datum)
	}
	return c, nil
}

// datumDefinition returns the geographic part of a geographic or projected system.
func (k GeoKeys) datumDefinition() (namedDatum, error) {
	if code, ok := k.code(geographicTypeKey); ok {
		return geographicByCode(code)
	}
	if code, ok := k.code(datumKey); ok {
		// The registry numbers most geographic systems 2000 below their datums.
		if twin, err := geographicByCode(code - 2000); err == nil && twin.datum == code {
			return twin, nil
		}
	}
	definition := namedDatum{Definition: Definition{Name: k.Citation()}}
	var err error
	if definition.Ellipsoid, err = k.ellipsoid(); err != nil {
		return definition, err
	}
	if definition.PrimeMeridian, err = k.primeMeridian(); err != nil {
		return definition, err
	}
	switch values := k.doubles[toWGS84Key]; {
	case len(values) >= 7:
		definition.ToWGS84 = &Helmert{values[0], values[1], values[2], values[3], values[4], values[5], values[6]}
	case len(values) >= 3:
		definition.ToWGS84 = &Helmert{TranslationX: values[0], TranslationY: values[1], TranslationZ: values[2]}
	default:
		definition.datum, _ = k.code(datumKey) // has a shift for the place of the image, if it is registered
	}
	return definition, nil
}

func geographicByCode(code int) (namedDatum, error) {
	system, found, err := epsg.Lookup(code)
	if err != nil {
		return namedDatum{}, err
	}
	if !found || system.Projected {
		return namedDatum{}, fmt.Errorf("%w: EPSG:%d is not a geographic system", ErrUnknownCRS, code)
	}
	definition, err := systemDefinition(system)
	return namedDatum{definition, system.Datum}, err
}

// ellipsoid uses the axes, or else the code, or else the datum.
func (k GeoKeys) ellipsoid() (Ellipsoid, error) {
	if semiMajor, ok := k.number(semiMajorAxisKey); ok {
		return k.ellipsoidOfAxes(semiMajor)
	}
	code, ok := k.code(ellipsoidKey)
	if datum, hasDatum := k.code(datumKey); !ok && hasDatum {
		var err error
		if code, _, ok, err = epsg.DatumParts(datum); err != nil {
			return Ellipsoid{}, err
		}
	}
	if !ok {
		return Ellipsoid{}, fmt.Errorf("%w: the file gives no datum and no ellipsoid (%q)", ErrUnknownCRS, k.Citation())
	}
	semiMajor, inverse, found, err := epsg.Ellipsoid(code)
	if err == nil && !found {
		err = fmt.Errorf("%w: ellipsoid EPSG:%d", ErrUnknownCRS, code)
	}
	return Ellipsoid{SemiMajorAxis: semiMajor, InverseFlattening: inverse}, err
}

func (k GeoKeys) ellipsoidOfAxes(semiMajor float64) (Ellipsoid, error) {
	unit, err := k.linearUnit(geogLinearUnitsKey, geogLinearSizeKey)
	if err != nil {
		return Ellipsoid{}, err
	}
	e := Ellipsoid{SemiMajorAxis: semiMajor * unit}
	if inverse, ok := k.number(inverseFlatteningKey); ok {
		e.InverseFlattening = inverse
		return e, nil
	}
	semiMinor, ok := k.number(semiMinorAxisKey)
	if !ok {
		return e, fmt.Errorf("%w: an ellipsoid of one axis (%q)", ErrUnknownCRS, k.Citation())
	}
	if semiMinor != semiMajor {
		e.InverseFlattening = semiMajor / (semiMajor - semiMinor)
	}
	return e, nil
}

// primeMeridian returns degrees east of Greenwich.
func (k GeoKeys) primeMeridian() (float64, error) {
	code, ok := k.code(primeMeridianKey)
	if longitude, given := k.number(meridianLongitudeKey); given && !ok {
		unit, err := k.angularUnit()
		return longitude * unit, err
	}
	if datum, hasDatum := k.code(datumKey); !ok && hasDatum {
		var err error
		if _, code, ok, err = epsg.DatumParts(datum); err != nil {
			return 0, err
		}
	}
	if !ok {
		return 0, nil
	}
	longitude, found, err := epsg.PrimeMeridian(code)
	if err == nil && !found {
		err = fmt.Errorf("%w: prime meridian EPSG:%d", ErrUnknownCRS, code)
	}
	return longitude, err
}

// linearUnit returns the length of a unit in meters.
func (k GeoKeys) linearUnit(codeKey, sizeKey geoKey) (float64, error) {
	code, ok := k.shorts[codeKey]
	if size, given := k.number(sizeKey); given && (!ok || code == userDefined) {
		return size, nil
	}
	if !ok || code == 0 || code == userDefined { // and of no size: some writers define the meter so
		return 1, nil
	}
	meters, found, err := epsg.LengthUnit(code)
	if err == nil && !found {
		err = fmt.Errorf("%w: unit of length EPSG:%d", ErrUnknownCRS, code)
	}
	return meters, err
}

// angularUnit returns the size of a unit in degrees.
func (k GeoKeys) angularUnit() (float64, error) {
	code, ok := k.shorts[angularUnitsKey]
	if size, given := k.number(angularUnitSizeKey); given && (!ok || code == userDefined) {
		return size / degreesToRadians, nil
	}
	if !ok {
		return 1, nil
	}
	switch code {
	case 0, 9102, 9107, 9108, 9122:
		return 1, nil
	case 9101:
		return 1 / degreesToRadians, nil
	case 9103:
		return 1. / 60, nil
	case 9104:
		return 1. / 3600, nil
	case 9105, 9106:
		return 0.9, nil
	case 9109:
		return 1e-6 / degreesToRadians, nil
	case 9112:
		return 0.9 / 100, nil
	case 9113:
		return 0.9 / 10000, nil
	case 9114:
		return 360. / 6400, nil
	}
	return 0, fmt.Errorf("%w: angular unit EPSG:%d", ErrUnknownCRS, code)
}
