package tiff

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/decode/wkt"
	"tileserver/geo"
)

// crsOfWKT is the reference system that side files write down in words. Most give its
// code. Of one that has none, the words are put in those of GeoTIFF.
func crsOfWKT(text string) (*geo.CRS, error) {
	n, err := wkt.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", geo.ErrUnknownCRS, err)
	}
	n = horizontal(n)
	if code, ok := epsgOf(n); ok {
		return geo.ByCode(code)
	}
	if isWebMercator(n) {
		return geo.ByCode(3857)
	}
	keys := geoKeyWriter{directory: []uint16{1, 1, 0, 0}}
	switch n.Keyword {
	case "PROJCS":
		err = keys.addProjected(n)
	case "GEOGCS":
		keys.short(keyModel, modelGeographic)
		err = keys.addGeographic(n)
	default:
		err = fmt.Errorf("%w: %s %q without a code", geo.ErrUnknownCRS, n.Keyword, n.Value(0))
	}
	if err != nil {
		return nil, err
	}
	parsed, err := geo.ParseGeoKeys(keys.directory, keys.doubles, keys.text)
	if err != nil {
		return nil, err
	}
	return parsed.CRS()
}

// horizontal is the part of a system that is about places on the map.
func horizontal(n *wkt.Node) *wkt.Node {
	for range 4 { // bound within compound and the like; no more makes sense
		inner := n.Child("SOURCECRS", "PROJCS", "GEOGCS", "PROJCRS", "PROJECTEDCRS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS")
		if inner == nil || n.Keyword == "PROJCS" || n.Keyword == "PROJCRS" || n.Keyword == "PROJECTEDCRS" {
			return n
		}
		n = inner
	}
	return n
}

// epsgOf is the code that the EPSG registry has for a node, by what it says itself.
func epsgOf(n *wkt.Node) (int, bool) {
	id := n.Child("AUTHORITY", "ID")
	if !strings.EqualFold(id.Value(0), "EPSG") {
		return 0, false
	}
	code, err := strconv.Atoi(id.Value(1))
	return code, err == nil
}

// isWebMercator recognizes the system of most web maps by ESRI's name for its
// projection, if nothing is moved.
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

// Keys of GeoTIFF, and values of theirs.
const (
	keyModel             = 1024
	keyGeographic        = 2048
	keyDatum             = 2050
	keyAngularUnit       = 2054
	keyAngularUnitSize   = 2055
	keySemiMajorAxis     = 2057
	keyInverseFlattening = 2059
	keyPrimeMeridian     = 2061
	keyToWGS84           = 2062
	keyProjectedCitation = 3073
	keyTransform         = 3075
	keyLinearUnit        = 3076
	keyLinearUnitSize    = 3077

	modelProjected  = 1
	modelGeographic = 2
	userDefined     = 32767
)

// geoKeyWriter collects keys as GeoTIFF stores them.
type geoKeyWriter struct {
	directory []uint16
	doubles   []float64
	text      string
}

func (w *geoKeyWriter) add(key, place, count, value int) {
	w.directory = append(w.directory, uint16(key), uint16(place), uint16(count), uint16(value))
	w.directory[3]++
}

func (w *geoKeyWriter) short(key, value int) { w.add(key, 0, 1, value) }

func (w *geoKeyWriter) double(key int, values ...float64) {
	w.add(key, int(tagGeoDoubles), len(values), len(w.doubles))
	w.doubles = append(w.doubles, values...)
}

// addGeographic writes the datum, by the code of the system or its own, or else by its
// figures.
func (w *geoKeyWriter) addGeographic(n *wkt.Node) error {
	unit := 1.0
	if size, err := numberAt(n.Child("UNIT"), 1); err == nil {
		unit = size * 180 / math.Pi
	}
	if math.Abs(unit-1) > 1e-9 {
		w.short(keyAngularUnit, userDefined)
		w.double(keyAngularUnitSize, unit*math.Pi/180)
	}
	datum := n.Child("DATUM")
	if code, ok := epsgOf(n); ok {
		w.short(keyGeographic, code)
		return nil
	}
	if code, ok := epsgOf(datum); ok {
		w.short(keyDatum, code)
	}
	if code, ok := datumNames[strings.TrimPrefix(strings.ToLower(datum.Value(0)), "d_")]; ok {
		w.short(keyGeographic, code)
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
	w.double(keySemiMajorAxis, axis)
	w.double(keyInverseFlattening, flattening)
	if longitude, err := numberAt(n.Child("PRIMEM"), 1); err == nil && longitude != 0 {
		w.double(keyPrimeMeridian, longitude)
	}
	return w.addShift(datum.Child("TOWGS84"))
}

func (w *geoKeyWriter) addShift(n *wkt.Node) error {
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
	w.double(keyToWGS84, values...)
	return nil
}

// addProjected writes the projection and its parameters.
func (w *geoKeyWriter) addProjected(n *wkt.Node) error {
	w.short(keyModel, modelProjected)
	w.text = n.Value(0) + "|"
	w.add(keyProjectedCitation, int(tagGeoASCII), len(w.text), 0)
	if err := w.addGeographic(n.Child("GEOGCS")); err != nil {
		return err
	}
	unit, err := numberAt(n.Child("UNIT"), 1)
	if err != nil {
		return err
	}
	w.short(keyLinearUnit, userDefined)
	w.double(keyLinearUnitSize, unit)
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
		return fmt.Errorf("%w: projection %q", geo.ErrUnknownCRS, name)
	}
	w.short(keyTransform, transform)
	for name, value := range parameters {
		if key := parameterKeys[name]; key != 0 {
			w.double(key, value)
		}
	}
	return nil
}

// transformOf is the number that GeoTIFF has for a projection. Where one name stands
// for two of them, the parameters tell which is meant.
func transformOf(name string, parameters map[string]float64) int {
	const twoParallels, oneParallel, polarStereographic = 8, 9, 15
	_, second := parameters["standard_parallel_2"]
	latitude, first := parameters["standard_parallel_1"]
	switch transform := transforms[name]; {
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

// numberAt is the i-th value of a node as a finite number.
func numberAt(n *wkt.Node, i int) (float64, error) {
	v, err := strconv.ParseFloat(n.Value(i), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%w: %.40q is no number", geo.ErrUnknownCRS, n.Value(i))
	}
	return v, nil
}
