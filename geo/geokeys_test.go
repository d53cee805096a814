package geo

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// keyFile builds the three tags from keys and their values: int, float64, []float64 or string.
type keyFile struct {
	directory []uint16
	doubles   []float64
	ascii     string
}

func fileWith(keys map[geoKey]any) keyFile {
	f := keyFile{directory: []uint16{1, 1, 0, uint16(len(keys))}}
	order := make([]geoKey, 0, len(keys))
	for key := range keys {
		order = append(order, key)
	}
	slices.Sort(order)
	for _, key := range order {
		switch value := keys[key].(type) {
		case int:
			f.directory = append(f.directory, uint16(key), 0, 1, uint16(value))
		case float64:
			f.directory = append(f.directory, uint16(key), doublesTag, 1, uint16(len(f.doubles)))
			f.doubles = append(f.doubles, value)
		case []float64:
			f.directory = append(f.directory, uint16(key), doublesTag, uint16(len(value)), uint16(len(f.doubles)))
			f.doubles = append(f.doubles, value...)
		case string:
			f.directory = append(f.directory, uint16(key), asciiTag, uint16(len(value)+1), uint16(len(f.ascii)))
			f.ascii += value + "|"
		}
	}
	return f
}

func (f keyFile) parse(t *testing.T) GeoKeys {
	t.Helper()
	keys, err := ParseGeoKeys(f.directory, f.doubles, f.ascii)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// TestGeoKeysCRS compares the system that keys describe with a registered one, at one point in its
// area of use.
func TestGeoKeysCRS(t *testing.T) {
	const user = userDefined
	tests := []struct {
		name string
		keys map[geoKey]any
		want int
	}{
		{"a projected code", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: 32633}, 32633},
		{"a geographic code", map[geoKey]any{modelTypeKey: 2, geographicTypeKey: 4258}, 4258},
		{"no model type", map[geoKey]any{projectedTypeKey: 2056}, 2056},
		{"geographic model, projected code alone", map[geoKey]any{modelTypeKey: 2, projectedTypeKey: 2056}, 2056},
		{"projected beats geographic", map[geoKey]any{modelTypeKey: 1, geographicTypeKey: 4326, projectedTypeKey: 3857}, 3857},
		{"withdrawn Web Mercator", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: 3785}, 3857},
		{"Web Mercator in ESRI's words", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user,
			projectedCitationKey: "PCS Name = WGS_1984_Web_Mercator_Auxiliary_Sphere"}, 3857},
		{"Web Mercator by its name in a model of the user's", map[geoKey]any{modelTypeKey: 32767, geographicTypeKey: 4326,
			projectedCitationKey: "PCS Name = WGS_1984_Web_Mercator_Auxiliary_Sphere"}, 3857},
		{"a registered map projection on a datum", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4326,
			projectionKey: 16033, linearUnitsKey: 9001}, 32633},
		{"transverse Mercator", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4326,
			projectionKey: user, coordinateTransformKey: 1, naturalLongitudeKey: 15.0, naturalLatitudeKey: 0.0,
			scaleAtOriginKey: 0.9996, falseEastingKey: 500000.0, falseNorthingKey: 0.0}, 32633},
		{"a datum by its own number", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: user, datumKey: 6314,
			coordinateTransformKey: 1, naturalLongitudeKey: 9.0, scaleAtOriginKey: 1.0, falseEastingKey: 3500000.0}, 31467},
		{"an ellipsoid with a shift", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: user,
			ellipsoidKey: 7004, toWGS84Key: []float64{598.1, 73.7, 418.2, 0.202, 0.045, -2.455, 6.7},
			coordinateTransformKey: 1, naturalLongitudeKey: 9.0, scaleAtOriginKey: 1.0, falseEastingKey: 3500000.0}, 31467},
		{"axes and a three-parameter shift", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: user,
			semiMajorAxisKey: 6377397.155, semiMinorAxisKey: 6356078.962818189, toWGS84Key: []float64{674.374, 15.056, 405.346},
			coordinateTransformKey: 9815, centerLatitudeKey: 46.952405555555556, centerLongitudeKey: 7.439583333333333, azimuthKey: 90.0,
			rectifiedGridAngleKey: 90.0, scaleAtCenterKey: 1.0, falseEastingKey: 2600000.0, falseNorthingKey: 1200000.0}, 2056},
		{"Lambert conic with a false origin", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4171,
			coordinateTransformKey: 8, falseOriginLatitudeKey: 46.5, falseOriginLongitudeKey: 3.0, standardParallel1Key: 49.0,
			standardParallel2Key: 44.0, falseOriginEastingKey: 700000.0, falseOriginNorthingKey: 6600000.0}, 2154},
		{"Lambert conic in feet", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4269,
			coordinateTransformKey: 8, falseOriginLatitudeKey: 40 + 10./60, falseOriginLongitudeKey: -74.0, standardParallel1Key: 41 + 2./60,
			standardParallel2Key: 40 + 40./60, falseOriginEastingKey: 984250.0, falseOriginNorthingKey: 0.0, linearUnitsKey: 9003}, 2263},
		{"a unit by its size", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4269,
			coordinateTransformKey: 8, falseOriginLatitudeKey: 40 + 10./60, falseOriginLongitudeKey: -74.0, standardParallel1Key: 41 + 2./60,
			standardParallel2Key: 40 + 40./60, falseEastingKey: 984250.0, linearUnitsKey: user, linearUnitSizeKey: 12 / 39.37}, 2263},
		{"a unit of the user's without a size", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4326,
			projectionKey: 16033, linearUnitsKey: user}, 32633},
		{"a code in feet, and a unit of the user's without a size", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: 2263, linearUnitsKey: user}, 2263},
		{"a code in feet, and no unit", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: 2263, linearUnitsKey: 0}, 2263},
		{"IMAGINE's feet", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: 2838,
			citationKey: "IMAGINE GeoTIFF Support\nProjection Name = Oregon\nUnits = international_FeeT\nGeoTIFF Units = international_FeeT"}, 2913},
		{"IMAGINE's meters", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: 2838,
			citationKey: "IMAGINE GeoTIFF Support\nProjection Name = Oregon\nUnits = meters\nGeoTIFF Units = meters"}, 2838},
		{"Paris and grads", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: user, datumKey: 6807, angularUnitsKey: 9105,
			coordinateTransformKey: 9, naturalLatitudeKey: 52.0, naturalLongitudeKey: 0.0, scaleAtOriginKey: 0.99987742,
			falseEastingKey: 600000.0, falseNorthingKey: 2200000.0}, 27572},
		{"Albers", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4269, coordinateTransformKey: 11,
			standardParallel1Key: 29.5, standardParallel2Key: 45.5, naturalLatitudeKey: 23.0, naturalLongitudeKey: -96.0}, 5070},
		{"Lambert azimuthal", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4258, coordinateTransformKey: 10,
			centerLatitudeKey: 52.0, centerLongitudeKey: 10.0, falseEastingKey: 4321000.0, falseNorthingKey: 3210000.0}, 3035},
		{"polar stereographic by its parallel", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4326,
			coordinateTransformKey: 15, naturalLatitudeKey: -71.0, straightVerticalKey: 0.0}, 3031},
		{"polar stereographic by its scale", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4326,
			coordinateTransformKey: 15, naturalLatitudeKey: 90.0, straightVerticalKey: 0.0, scaleAtOriginKey: 0.994,
			falseEastingKey: 2000000.0, falseNorthingKey: 2000000.0}, 5041},
		{"oblique stereographic", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4289, coordinateTransformKey: 16,
			naturalLatitudeKey: 52.15616055555555, naturalLongitudeKey: 5.38763888888889, scaleAtOriginKey: 0.9999079,
			falseEastingKey: 155000.0, falseNorthingKey: 463000.0}, 28992},
		{"Mercator with a parallel", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4326, coordinateTransformKey: 7,
			standardParallel1Key: -41.0, naturalLongitudeKey: 100.0}, 3994},
		{"equal-area cylinder", map[geoKey]any{modelTypeKey: 1, projectedTypeKey: user, geographicTypeKey: 4326, coordinateTransformKey: 28,
			standardParallel1Key: 30.0, naturalLongitudeKey: 0.0}, 6933},
		{"longitude and latitude of a datum", map[geoKey]any{modelTypeKey: 2, geographicTypeKey: user, datumKey: 6258}, 4258},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := fileWith(test.keys).parse(t).CRS()
			if err != nil {
				t.Fatal(err)
			}
			want := system(t, test.want)
			area, _ := want.AreaOfUse()
			p := area.Center()
			if d := want.distance(got.FromLonLat(p), want.FromLonLat(p)); !(d < 0.001) {
				t.Errorf("%v: got %v, want %v", p, got.FromLonLat(p), want.FromLonLat(p))
			}
		})
	}
}

func TestGeoKeysUnitsComeFirst(t *testing.T) {
	c, err := fileWith(map[geoKey]any{modelTypeKey: 1, projectedTypeKey: 32618, linearUnitsKey: 9003}).parse(t).CRS()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.FromLonLat(Point{-75, 0}).X, 500000*39.37/12; math.Abs(got-want) > 1e-6 || c.Code() != "" {
		t.Errorf("got %v (%q), want %v", got, c.Code(), want)
	}
	c, err = fileWith(map[geoKey]any{modelTypeKey: 2, geographicTypeKey: 4326, angularUnitsKey: 9105}).parse(t).CRS()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.FromLonLat(Point{90, 45}); math.Hypot(got.X-100, got.Y-50) > 1e-9 {
		t.Errorf("got %v grads", got)
	}
}

func TestGeoKeysAngularUnits(t *testing.T) {
	for code, right := range map[int]float64{9102: 90, 9101: math.Pi / 2, 9103: 5400, 9105: 100, 9109: math.Pi / 2 * 1e6, 9112: 1e4, 9113: 1e6, 9114: 1600} {
		c, err := fileWith(map[geoKey]any{modelTypeKey: 2, geographicTypeKey: userDefined, datumKey: 6326, angularUnitsKey: code}).parse(t).CRS()
		if err != nil {
			t.Errorf("unit %d: %v", code, err)
			continue
		}
		if got := c.FromLonLat(Point{90, 45}); math.Hypot(got.X/right-1, got.Y/right-0.5) > 1e-12 {
			t.Errorf("unit %d: 90 and 45 degrees are %v", code, got)
		}
	}
}

// TestPolarStereographicWithoutAPole: GDAL takes one such file for the north, against its title, and
// another one for an oblique projection at the equator.
func TestPolarStereographicWithoutAPole(t *testing.T) {
	_, err := fileWith(map[geoKey]any{modelTypeKey: 1, projectedTypeKey: userDefined, geographicTypeKey: 4326,
		projectedCitationKey: "South Polar Stereographic", coordinateTransformKey: 15, straightVerticalKey: -90.0, scaleAtOriginKey: 1.0}).parse(t).CRS()
	if err == nil || !strings.Contains(err.Error(), "polar stereographic without a pole, its latitude is 0 or missing") {
		t.Errorf("got %v", err)
	}
}

func TestGeoKeysSinusoidal(t *testing.T) {
	c, err := fileWith(map[geoKey]any{modelTypeKey: 1, projectedTypeKey: userDefined, geographicTypeKey: userDefined,
		semiMajorAxisKey: 6371007.181, semiMinorAxisKey: 6371007.181, coordinateTransformKey: 24}).parse(t).CRS()
	if err != nil {
		t.Fatal(err)
	}
	const tile = 6371007.181 * math.Pi / 18 // of MODIS: ten degrees
	if got := c.FromLonLat(Point{10 / math.Cos(50*math.Pi/180), 50}); math.Hypot(got.X-tile, got.Y-5*tile) > 1e-6 {
		t.Errorf("got %v", got)
	}
}

func TestGeoKeysUnknownCRS(t *testing.T) {
	for name, keys := range map[string]map[geoKey]any{
		"none":                        {},
		"words only":                  {modelTypeKey: 1, citationKey: "a local grid"},
		"geocentric":                  {modelTypeKey: 3, geographicTypeKey: 4978},
		"unregistered":                {modelTypeKey: 1, projectedTypeKey: 12345},
		"geographic as projected":     {modelTypeKey: 1, projectedTypeKey: 4326},
		"projected as geographic":     {modelTypeKey: 2, geographicTypeKey: 32633},
		"no map projection":           {modelTypeKey: 1, projectedTypeKey: userDefined, geographicTypeKey: 4326},
		"no datum":                    {modelTypeKey: 1, projectedTypeKey: userDefined, coordinateTransformKey: 1},
		"an unsupported projection":   {modelTypeKey: 1, geographicTypeKey: 4326, coordinateTransformKey: 21},
		"an unknown unit":             {modelTypeKey: 1, projectedTypeKey: 32633, linearUnitsKey: 12},
		"a unit of zero":              {modelTypeKey: 1, projectedTypeKey: 32633, linearUnitsKey: userDefined, linearUnitSizeKey: 0.0},
		"a unit of nearly nothing":    {modelTypeKey: 1, projectedTypeKey: 32633, linearUnitsKey: userDefined, linearUnitSizeKey: 9e-308},
		"NaN":                         {modelTypeKey: 1, geographicTypeKey: 4326, coordinateTransformKey: 1, naturalLongitudeKey: math.NaN()},
		"an axis of nothing":          {modelTypeKey: 2, geographicTypeKey: userDefined, semiMajorAxisKey: 1.4e-76, inverseFlatteningKey: 300.0},
		"an ellipsoid with no second": {modelTypeKey: 2, geographicTypeKey: userDefined, semiMajorAxisKey: 6378137.0},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := fileWith(keys).parse(t).CRS()
			if !errors.Is(err, ErrUnknownCRS) {
				t.Errorf("got %v, %v", c, err)
			}
		})
	}
}

func TestParseGeoKeysRejects(t *testing.T) {
	for name, f := range map[string]keyFile{
		"short":               {directory: []uint16{1, 1}},
		"another version":     {directory: []uint16{2, 1, 0, 0}},
		"more keys than room": {directory: []uint16{1, 1, 0, 2, 1024, 0, 1, 1}},
		"doubles outside":     {directory: []uint16{1, 1, 0, 1, 2057, doublesTag, 2, 0}, doubles: []float64{1}},
		"no double":           {directory: []uint16{1, 1, 0, 1, 2057, doublesTag, 0, 0}, doubles: []float64{1}},
		"shorts outside":      {directory: []uint16{1, 1, 0, 1, 2057, directoryTag, 1, 8}},
	} {
		if _, err := ParseGeoKeys(f.directory, f.doubles, f.ascii); !errors.Is(err, ErrGeoKeys) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestGeoKeysTexts(t *testing.T) {
	f := fileWith(map[geoKey]any{rasterTypeKey: 2, citationKey: "first", projectedCitationKey: "second"})
	keys := f.parse(t)
	if !keys.PixelIsPoint() || keys.Citation() != "second" {
		t.Errorf("got %v, %q", keys.PixelIsPoint(), keys.Citation())
	}
	f.ascii = f.ascii[:8] // truncated
	if got := f.parse(t).Citation(); got != "se" {
		t.Errorf("got %q", got)
	}
}

func FuzzGeoKeys(f *testing.F) {
	add := func(keys map[geoKey]any) {
		file := fileWith(keys)
		var directory, doubles []byte
		for _, value := range file.directory {
			directory = binary.LittleEndian.AppendUint16(directory, value)
		}
		for _, value := range file.doubles {
			doubles = binary.LittleEndian.AppendUint64(doubles, math.Float64bits(value))
		}
		f.Add(directory, doubles, file.ascii)
	}
	add(map[geoKey]any{modelTypeKey: 1, projectedTypeKey: 32633, citationKey: "UTM"})
	add(map[geoKey]any{modelTypeKey: 2, geographicTypeKey: userDefined, semiMajorAxisKey: 6378137.0, inverseFlatteningKey: 298.257})
	for transform := range 29 {
		add(map[geoKey]any{modelTypeKey: 1, geographicTypeKey: 4326, coordinateTransformKey: transform, naturalLatitudeKey: 40.0,
			standardParallel1Key: 30.0, standardParallel2Key: 50.0, naturalLongitudeKey: 9.0, scaleAtOriginKey: 0.9996, azimuthKey: 30.0})
	}
	f.Fuzz(func(t *testing.T, directory, doubles []byte, ascii string) {
		var shorts []uint16
		for ; len(directory) >= 2; directory = directory[2:] {
			shorts = append(shorts, binary.LittleEndian.Uint16(directory))
		}
		var numbers []float64
		for ; len(doubles) >= 8; doubles = doubles[8:] {
			numbers = append(numbers, math.Float64frombits(binary.LittleEndian.Uint64(doubles)))
		}
		keys, err := ParseGeoKeys(shorts, numbers, ascii)
		if err != nil {
			return
		}
		c, err := keys.CRS()
		if err != nil {
			if !errors.Is(err, ErrUnknownCRS) {
				t.Fatalf("%v does not wrap ErrUnknownCRS", err)
			}
			return
		}
		for _, p := range []Point{{9, 40}, {0, 90}, {-180, -90}} {
			q := c.FromLonLat(p)
			if math.IsInf(q.X, 0) || math.IsInf(q.Y, 0) || math.IsNaN(q.X) != math.IsNaN(q.Y) {
				t.Fatalf("%s: %v of %v", c.Key(), q, p)
			}
			c.ToLonLat(Point{p.X * 1e5, p.Y * 1e5})
		}
		if strings.Contains(c.Key(), "NaN") {
			t.Fatalf("NaN in the key %s", c.Key())
		}
	})
}
