package geo

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/geo/internal/wkt"
)

// FromWKT returns the reference system that well-known text describes, in the first or second
// version, in the words of the OGC, GDAL or ESRI. Most texts contain its code. What others say of
// datums is translated to GeoTIFF keys, which are equally expressive.
func FromWKT(text string) (*CRS, error) {
	if code, ok := strings.CutPrefix(strings.TrimSpace(text), "EPSG:"); ok { // some files have a code in place of the text
		if number, err := strconv.Atoi(code); err == nil {
			return ByCode(number)
		}
	}
	n, err := wkt.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnknownCRS, err)
	}
	n = horizontal(n)
	if code, ok := epsgOf(n); ok {
		return ByCode(code)
	}
	if isWebMercator(n) {
		return ByCode(3857)
	}
	keys := GeoKeys{map[geoKey]int{}, map[geoKey][]float64{}, map[geoKey]string{}}
	switch n.Keyword {
	case "PROJCS", "PROJCRS", "PROJECTEDCRS":
		return keys.projectedOf(n)
	case "GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS":
		keys.shorts[modelTypeKey] = modelGeographic
		if err := keys.addGeographic(n); err != nil {
			return nil, err
		}
		return keys.CRS()
	}
	return nil, fmt.Errorf("%w: %s %q without a code", ErrUnknownCRS, n.Keyword, n.Value(0))
}

// horizontal returns the horizontal part of a system.
func horizontal(n *wkt.Node) *wkt.Node {
	for range 4 { // the depth of bound and compound systems is limited
		inner := n.Child("SOURCECRS", "PROJCS", "GEOGCS", "PROJCRS", "PROJECTEDCRS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS")
		if inner == nil || n.Keyword == "PROJCS" || n.Keyword == "PROJCRS" || n.Keyword == "PROJECTEDCRS" {
			return n
		}
		n = inner
	}
	return n
}

// epsgOf returns the EPSG code that a node itself contains.
func epsgOf(n *wkt.Node) (int, bool) {
	id := n.Child("AUTHORITY", "ID")
	if !strings.EqualFold(id.Value(0), "EPSG") {
		return 0, false
	}
	code, err := strconv.Atoi(id.Value(1))
	return code, err == nil
}

// isWebMercator recognizes Web Mercator by ESRI's name of its projection, if it has no offsets, or by
// the words of PROJ that GDAL adds to it.
func isWebMercator(n *wkt.Node) bool {
	if words := n.Child("EXTENSION").Value(1); strings.Contains(words, "+proj=merc +a=6378137 +b=6378137 ") && strings.Contains(words, "+lon_0=0 +x_0=0 +y_0=0 ") {
		return true
	}
	for _, child := range n.Children {
		if child.Keyword == "PARAMETER" {
			if v, err := numberAt(child, 1); err != nil || v != 0 {
				return false
			}
		}
	}
	return strings.EqualFold(n.Child("PROJECTION").Value(0), "Mercator_Auxiliary_Sphere") && strings.Contains(n.Child("GEOGCS").Child("DATUM").Value(0), "WGS_1984")
}

// addGeographic adds the datum: by the code of the system, or by its own code, or else by its
// numbers.
func (k GeoKeys) addGeographic(n *wkt.Node) error {
	unit, err := unitOf(n, degreesToRadians)
	if err != nil {
		return err
	}
	if math.Abs(unit/degreesToRadians-1) > 1e-9 {
		k.shorts[angularUnitsKey] = userDefined
		k.doubles[angularUnitSizeKey] = []float64{unit}
	}
	datum := n.Child("DATUM", "GEODETICDATUM", "TRF", "ENSEMBLE")
	if code, ok := epsgOf(n); ok {
		k.shorts[geographicTypeKey] = code
		return nil
	}
	if code, ok := epsgOf(datum); ok {
		k.shorts[datumKey] = code
	}
	if code, ok := wktDatums[strings.TrimPrefix(wktWord(datum.Value(0)), "d_")]; ok {
		k.shorts[geographicTypeKey] = code
		return nil
	}
	if err := k.addEllipsoid(datum.Child("SPHEROID", "ELLIPSOID")); err != nil {
		return err
	}
	if err := k.addPrimeMeridian(n, unit); err != nil {
		return err
	}
	return k.addShift(datum.Child("TOWGS84"))
}

// addPrimeMeridian adds the longitude of the prime meridian. In the first version of well-known text
// GDAL and ESRI write degrees, whatever the unit of the system.
func (k GeoKeys) addPrimeMeridian(n *wkt.Node, unit float64) error {
	meridian, usual := n.Child("PRIMEM", "PRIMEMERIDIAN"), unit
	if n.Keyword == "GEOGCS" {
		usual = degreesToRadians
	}
	longitude, err := numberAt(meridian, 1)
	if err != nil || longitude == 0 {
		return nil
	}
	own, err := unitOf(meridian, usual)
	if err != nil {
		return err
	}
	k.doubles[meridianLongitudeKey] = []float64{longitude * (own / unit)}
	return nil
}

func (k GeoKeys) addEllipsoid(n *wkt.Node) error {
	axis, err := numberAt(n, 1)
	if err != nil {
		return err
	}
	flattening, err := numberAt(n, 2)
	if err != nil {
		return err
	}
	unit, err := unitOf(n, 1)
	if err != nil {
		return err
	}
	k.doubles[semiMajorAxisKey] = []float64{axis * unit}
	k.doubles[inverseFlatteningKey] = []float64{flattening}
	return nil
}

// unitOf returns the size of the unit of a node in radians or meters, or the usual one if the node
// has none.
func unitOf(n *wkt.Node, usual float64) (float64, error) {
	unit := n.Child("UNIT", "ANGLEUNIT", "LENGTHUNIT", "SCALEUNIT")
	if unit == nil {
		return usual, nil
	}
	return numberAt(unit, 1)
}

func (k GeoKeys) addShift(n *wkt.Node) error {
	if n == nil {
		return nil
	}
	values := make([]float64, min(len(n.Values), 7))
	for i := range values {
		var err error
		if values[i], err = numberAt(n, i); err != nil {
			return err
		}
	}
	k.doubles[toWGS84Key] = values
	return nil
}

// numberAt returns the i-th value of a node as a finite number.
func numberAt(n *wkt.Node, i int) (float64, error) {
	v, err := strconv.ParseFloat(n.Value(i), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%w: %.40q is no number", ErrUnknownCRS, n.Value(i))
	}
	return v, nil
}
