package geo

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/geo/internal/wkt"
)

// FromWKT returns the reference system that well-known text describes. Most texts contain its code.
// The words of others are translated to GeoTIFF keys, which are equally expressive.
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
	case "PROJCS":
		err = keys.addProjected(n)
	case "GEOGCS":
		keys.shorts[modelTypeKey] = modelGeographic
		err = keys.addGeographic(n)
	default:
		err = fmt.Errorf("%w: %s %q without a code", ErrUnknownCRS, n.Keyword, n.Value(0))
	}
	if err != nil {
		return nil, err
	}
	return keys.CRS()
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

// isWebMercator recognizes Web Mercator by ESRI's name of its projection, if it has no offsets.
func isWebMercator(n *wkt.Node) bool {
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
	unit := 1.0
	if size, err := numberAt(n.Child("UNIT"), 1); err == nil {
		unit = size * 180 / math.Pi
	}
	if math.Abs(unit-1) > 1e-9 {
		k.shorts[angularUnitsKey] = userDefined
		k.doubles[angularUnitSizeKey] = []float64{unit * math.Pi / 180}
	}
	datum := n.Child("DATUM")
	if code, ok := epsgOf(n); ok {
		k.shorts[geographicTypeKey] = code
		return nil
	}
	if code, ok := epsgOf(datum); ok {
		k.shorts[datumKey] = code
	}
	if code, ok := wktDatums[strings.TrimPrefix(strings.ToLower(datum.Value(0)), "d_")]; ok {
		k.shorts[geographicTypeKey] = code
		return nil
	}
	axis, err := numberAt(datum.Child("SPHEROID"), 1)
	if err != nil {
		return err
	}
	flattening, err := numberAt(datum.Child("SPHEROID"), 2)
	if err != nil {
		return err
	}
	k.doubles[semiMajorAxisKey] = []float64{axis}
	k.doubles[inverseFlatteningKey] = []float64{flattening}
	if longitude, err := numberAt(n.Child("PRIMEM"), 1); err == nil && longitude != 0 {
		k.doubles[meridianLongitudeKey] = []float64{longitude}
	}
	return k.addShift(datum.Child("TOWGS84"))
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

// addProjected adds the projection and its parameters.
func (k GeoKeys) addProjected(n *wkt.Node) error {
	k.shorts[modelTypeKey] = modelProjected
	k.texts[projectedCitationKey] = n.Value(0)
	if err := k.addGeographic(n.Child("GEOGCS")); err != nil {
		return err
	}
	unit, err := numberAt(n.Child("UNIT"), 1)
	if err != nil {
		return err
	}
	k.shorts[linearUnitsKey] = userDefined
	k.doubles[linearUnitSizeKey] = []float64{unit}
	name := strings.ToLower(n.Child("PROJECTION").Value(0))
	parameters := make(map[string]float64)
	for _, child := range n.Children {
		if child.Keyword == "PARAMETER" {
			if parameters[strings.ToLower(child.Value(0))], err = numberAt(child, 1); err != nil {
				return err
			}
		}
	}
	transform := transformOf(name, parameters)
	if transform == 0 {
		return fmt.Errorf("%w: projection %q", ErrUnknownCRS, name)
	}
	k.shorts[coordinateTransformKey] = transform
	for name, value := range parameters {
		if key, ok := wktParameterKeys[name]; ok {
			k.doubles[key] = []float64{value}
		}
	}
	return nil
}

// transformOf returns the GeoTIFF number of a projection. If a name is ambiguous, the parameters
// decide.
func transformOf(name string, parameters map[string]float64) int {
	const twoParallels, oneParallel, polarStereographic = 8, 9, 15
	_, second := parameters["standard_parallel_2"]
	latitude, first := parameters["standard_parallel_1"]
	switch transform := wktTransforms[name]; {
	case name == "lambert_conformal_conic" && !second:
		return oneParallel
	case name == "lambert_conformal_conic":
		return twoParallels
	case transform == polarStereographic && first:
		parameters["latitude_of_origin"] = latitude
		delete(parameters, "standard_parallel_1")
		return transform
	default:
		return transform
	}
}

// numberAt returns the i-th value of a node as a finite number.
func numberAt(n *wkt.Node, i int) (float64, error) {
	v, err := strconv.ParseFloat(n.Value(i), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%w: %.40q is no number", ErrUnknownCRS, n.Value(i))
	}
	return v, nil
}
