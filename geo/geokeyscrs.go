package geo

import (
	"fmt"
	"math"
	"strings"
)

// CRS returns the horizontal reference system that the keys describe. For an unknown system it
// returns an error that wraps ErrUnknownCRS; it never guesses.
func (k GeoKeys) CRS() (*CRS, error) {
	_, hasProjected := k.shorts[projectedTypeKey]
	_, hasTransform := k.shorts[coordinateTransformKey]
	_, hasGeographic := k.shorts[geographicTypeKey]
	_, hasCitation := k.texts[projectedCitationKey]
	hasProjected = hasProjected || hasTransform || hasCitation
	switch model := k.shorts[modelTypeKey]; {
	case model == modelGeocentric:
		return nil, fmt.Errorf("%w: the file has geocentric coordinates", ErrUnknownCRS)
	case model == modelProjected, model != modelGeographic && hasProjected, hasProjected && !hasGeographic:
		return k.projected()
	case model == modelGeographic, hasGeographic:
		return k.geographic()
	}
	if k.Citation() == "" {
		return nil, fmt.Errorf("%w: the file names none", ErrUnknownCRS)
	}
	return nil, fmt.Errorf("%w: the file names none but %q", ErrUnknownCRS, k.Citation())
}

func (k GeoKeys) projected() (*CRS, error) {
	if code, ok := k.code(projectedTypeKey); ok {
		return k.registered(code)
	}
	if k.isWebMercator() {
		return ByCode(3857)
	}
	if text, ok := k.wellKnownText(); ok {
		return FromWKT(text)
	}
	definition, err := k.datumDefinition()
	if err != nil {
		return nil, err
	}
	angularUnit, err := k.angularUnit()
	if err != nil {
		return nil, err
	}
	if definition.MetersPerUnit, _, err = k.coordinateUnit(); err != nil {
		return nil, err
	}
	if err := k.readProjection(&definition, angularUnit); err != nil {
		return nil, err
	}
	return fromNamedDatum(k.withTitle(definition))
}

// wellKnownText returns the text that GDAL and ESRI write in a citation if the keys lack the map
// projection.
func (k GeoKeys) wellKnownText() (string, bool) {
	_, hasProjection := k.code(projectionKey)
	_, hasTransform := k.code(coordinateTransformKey)
	if hasProjection || hasTransform {
		return "", false
	}
	for _, key := range []geoKey{projectedCitationKey, citationKey} {
		if text, ok := strings.CutPrefix(k.texts[key], "ESRI PE String = "); ok {
			return text, true
		}
	}
	return "", false
}

// registered returns a system of the registry. If the file specifies another unit of length, that
// takes precedence, because its coordinates use it.
func (k GeoKeys) registered(code int) (*CRS, error) {
	c, err := ByCode(code)
	if err != nil {
		return nil, err
	}
	if c.IsGeographic() {
		return nil, fmt.Errorf("%w: EPSG:%d (%s) is not projected, as the file says", ErrUnknownCRS, code, c.Name())
	}
	unit, given, err := k.coordinateUnit()
	if err != nil {
		return nil, err
	}
	if !given {
		return c, nil
	}
	return c.withUnit(unit)
}

// coordinateUnit returns the length of a unit of projected coordinates in meters, 1 if the file does
// not give it. IMAGINE gives it in words.
func (k GeoKeys) coordinateUnit() (meters float64, given bool, err error) {
	_, hasCode := k.code(linearUnitsKey)
	_, hasSize := k.number(linearUnitSizeKey)
	if hasCode || hasSize {
		meters, err = k.linearUnit(linearUnitsKey, linearUnitSizeKey)
		return meters, true, err
	}
	if strings.HasPrefix(k.texts[citationKey], "IMAGINE GeoTIFF Support") {
		_, unit, _ := strings.Cut(k.texts[citationKey], "\nUnits = ")
		unit, _, _ = strings.Cut(unit, "\n")
		meters, given = map[string]float64{"meters": 1, "international_feet": 0.3048, "us_survey_feet": 1200. / 3937}[strings.ToLower(unit)]
	}
	if !given {
		meters = 1
	}
	return meters, given, nil
}

// isWebMercator recognizes Web Mercator by names that writers use instead of the code. ESRI's name
// for it is an auxiliary sphere.
func (k GeoKeys) isWebMercator() bool {
	for _, text := range k.texts {
		text = strings.ToLower(strings.ReplaceAll(text, "_", " "))
		for _, name := range []string{"web mercator", "pseudo-mercator", "pseudo mercator", "google maps global mercator"} {
			if strings.Contains(text, name) {
				return true
			}
		}
	}
	return false
}

func (k GeoKeys) withTitle(definition namedDatum) namedDatum {
	if citation := k.Citation(); citation != "" {
		definition.Name = citation
	}
	return definition
}

func (k GeoKeys) geographic() (*CRS, error) {
	definition, err := k.datumDefinition()
	if err != nil {
		return nil, err
	}
	unit, err := k.angularUnit()
	if err != nil {
		return nil, err
	}
	if code, ok := k.code(geographicTypeKey); ok {
		c, err := ByCode(code)
		_, says := k.shorts[angularUnitsKey]
		if err != nil || !says || math.Abs(c.unit-unit*degreesToRadians) <= 1e-12 {
			return c, err
		}
	}
	definition.DegreesPerUnit = unit
	return fromNamedDatum(k.withTitle(definition))
}
