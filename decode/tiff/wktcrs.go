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

// transforms are the projections by the names that GDAL and ESRI have for them.
var transforms = map[string]int{
	"transverse_mercator": 1, "gauss_kruger": 1,
	"mercator": 7, "mercator_1sp": 7, "mercator_2sp": 7,
	"lambert_conformal_conic_2sp": 8, "lambert_conformal_conic_1sp": 9,
	"lambert_azimuthal_equal_area": 10,
	"albers":                       11, "albers_conic_equal_area": 11,
	"polar_stereographic": 15, "stereographic_north_pole": 15, "stereographic_south_pole": 15,
	"oblique_stereographic": 16, "double_stereographic": 16,
	"equirectangular": 17, "equidistant_cylindrical": 17, "plate_carree": 17,
	"cassini_soldner": 18, "cassini": 18,
	"polyconic": 22, "sinusoidal": 24, "new_zealand_map_grid": 26,
	"transverse_mercator_south_orientated": 27,
	"cylindrical_equal_area":               28,
}

// parameterKeys are the keys of parameters by the names in well-known text. Origin and
// centre are the same to who reads the keys.
var parameterKeys = map[string]int{
	"standard_parallel_1": 3078, "standard_parallel_2": 3079,
	"central_meridian": 3080, "longitude_of_center": 3080, "longitude_of_origin": 3080,
	"latitude_of_origin": 3081, "latitude_of_center": 3081,
	"false_easting": 3082, "false_northing": 3083, "scale_factor": 3092,
}

// datumNames are the systems of datums that are often named without a code.
var datumNames = map[string]int{
	"wgs_1984": 4326, "north_american_1983": 4269, "north_american_1927": 4267, "etrs_1989": 4258,
	"european_terrestrial_reference_system_1989": 4258, "european_1950": 4230, "nad_1983_2011": 6318,
	"gda_1994": 4283, "gda2020": 7844, "osgb_1936": 4277, "rgf_1993": 4171, "jgd_2000": 4612, "jgd_2011": 6668, "nzgd_2000": 4167,
}

// numberAt is the i-th value of a node as a finite number.
func numberAt(n *wkt.Node, i int) (float64, error) {
	v, err := strconv.ParseFloat(n.Value(i), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%w: %.40q is no number", geo.ErrUnknownCRS, n.Value(i))
	}
	return v, nil
}
