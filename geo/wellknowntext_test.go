package geo

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"
)

// TestFromWKT compares systems from side files with those of the registry at one
// point.
func TestFromWKT(t *testing.T) {
	const (
		utmWKT = `PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]]],AUTHORITY["EPSG","32633"]]`
		wgs84  = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
		nad83  = `GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
		meter  = `UNIT["Meter",1.0]`
	)
	for _, test := range []struct {
		name, text string
		code       int // 0: none
	}{
		{"a code", utmWKT, 32633},
		{"a code alone", "EPSG:32633", 32633},
		{"a code that is none", "EPSG:x", 0},
		{"a code of the second kind", `PROJCRS["WGS 84 / UTM zone 33N",BASEGEOGCRS["WGS 84",ID["EPSG",4326]],CONVERSION["UTM zone 33N",ID["EPSG",16033]],ID["EPSG",32633]]`, 32633},
		{"with heights", `COMPD_CS["a",` + utmWKT + `,VERT_CS["h",VERT_DATUM["h",2005],AUTHORITY["EPSG","5773"]],AUTHORITY["EPSG","99999"]]`, 32633},
		{"bound to another", `BOUNDCRS[SOURCECRS[` + utmWKT + `],TARGETCRS[GEOGCRS["x",ID["EPSG",4326]]]]`, 32633},
		{"degrees", wgs84, 4326},
		{"UTM", `PROJCS["WGS_1984_UTM_Zone_33N",` + wgs84 + `,PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],` + meter + `]`, 32633},
		{"Web Mercator", `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",` + wgs84 + `,PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],` + meter + `]`, 3857},
		{"Albers", `PROJCS["USA_Contiguous_Albers_Equal_Area_Conic",` + nad83 + `,PROJECTION["Albers"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["central_meridian",-96.0],PARAMETER["Standard_Parallel_1",29.5],PARAMETER["Standard_Parallel_2",45.5],PARAMETER["latitude_of_origin",23.0],` + meter + `]`, 5070},
		{"Lambert", `PROJCS["RGF_1993_Lambert_93",GEOGCS["GCS_RGF_1993",DATUM["D_RGF_1993",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",700000.0],PARAMETER["False_Northing",6600000.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Standard_Parallel_1",44.0],PARAMETER["Standard_Parallel_2",49.0],PARAMETER["Latitude_Of_Origin",46.5],` + meter + `]`, 2154},
		{"feet", `PROJCS["NAD_1983_StatePlane_California_III_FIPS_0403_Feet",` + nad83 + `,PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",6561666.666666666],PARAMETER["False_Northing",1640416.666666667],PARAMETER["Central_Meridian",-120.5],PARAMETER["Standard_Parallel_1",37.06666666666667],PARAMETER["Standard_Parallel_2",38.43333333333333],PARAMETER["Latitude_Of_Origin",36.5],UNIT["Foot_US",0.3048006096012192]]`, 2227},
		{"the north pole", `PROJCS["WGS_84_NSIDC_Sea_Ice_Polar_Stereographic_North",` + wgs84 + `,PROJECTION["Stereographic_North_Pole"],PARAMETER["false_easting",0],PARAMETER["false_northing",0],PARAMETER["central_meridian",-45],PARAMETER["standard_parallel_1",70],` + meter + `]`, 3413},
		{"an old datum by name", `GEOGCS["NAD27",DATUM["North_American_Datum_1927",SPHEROID["Clarke 1866",6378206.4,294.978698213898]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]`, 4267},
		{"GDAL's Web Mercator", `PROJCS["x",` + wgs84 + `,PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],` + meter + `,EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs"]]`, 3857},
		{"heights after it", `PROJCS["x",` + wgs84 + `,PROJECTION["Transverse_Mercator"],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],` + meter + `],VERTCS["h",VDATUM["h"]]`, 32633},
		{"heights inside", `PROJCS["x",` + wgs84 + `,PROJECTION["Transverse_Mercator"],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],` + meter + `,VERTCS["h",VDATUM["h"],UNIT["Meter",1.0]]]`, 32633},
		{"a shape of the earth", `PROJCS["x",GEOGCS["x",DATUM["x",SPHEROID["WGS 84",6378137,298.257223563],TOWGS84[0,0,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["false_easting",500000],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],` + meter + `]`, 32633},
		{"a code that nobody knows", `PROJCS["x",AUTHORITY["EPSG","1"]]`, 0},
		{"a projection that nobody knows", `PROJCS["x",` + wgs84 + `,PROJECTION["Peirce_Quincuncial"],` + meter + `]`, 0},
		{"a local system", `LOCAL_CS["x"]`, 0},
		{"an end that is cut off, perhaps with parameters", `PROJCS["x",` + wgs84 + `,PROJECTION["Transverse_Mercator"],PARAMETER["central_meridian",15],` + meter, 0},
		{"no unit", `PROJCS["x",` + wgs84 + `,PROJECTION["Transverse_Mercator"]]`, 0},
		{"an axis that is no number", `GEOGCS["x",DATUM["x",SPHEROID["x",long,1]]]`, 0},
		{"words", "these are words", 0},
	} {
		got, err := FromWKT(test.text)
		if test.code == 0 {
			if err == nil {
				t.Errorf("%s: got %v, want an error", test.name, got.Name())
			}
			continue
		}
		want, wantErr := ByCode(test.code)
		if err != nil || wantErr != nil {
			t.Errorf("%s: %v, %v", test.name, err, wantErr)
			continue
		}
		for _, p := range []Point{{X: 14.5, Y: 48.25}, {X: -97.5, Y: 40}, {X: -121, Y: 37.5}} {
			a, b := got.FromLonLat(p), want.FromLonLat(p)
			if math.IsNaN(a.X) && math.IsNaN(b.X) {
				continue
			}
			if !(math.Hypot(a.X-b.X, a.Y-b.Y)*want.MetersPerUnit() < 1e-3) {
				t.Errorf("%s: %v is at %v, want %v", test.name, p, a, b)
			}
		}
	}
}

func FuzzFromWKT(f *testing.F) {
	text, err := os.ReadFile("testdata/names.tsv")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f.Add(strings.SplitN(line, "\t", 3)[2])
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := FromWKT(text)
		if (c == nil) != (err != nil) || err != nil && !errors.Is(err, ErrUnknownCRS) {
			t.Fatalf("got %v and %v", c, err)
		}
		if err != nil {
			return
		}
		for _, p := range []Point{{X: 14.5, Y: 48.25}, {X: -180, Y: -90}, {X: 1e9, Y: -1e9}} {
			for _, got := range []Point{c.FromLonLat(p), c.ToLonLat(p)} {
				if math.IsInf(got.X, 0) || math.IsInf(got.Y, 0) {
					t.Errorf("of %v: got %v", p, got)
				}
			}
		}
	})
}
