package geo

import (
	"errors"
	"strings"
	"testing"
)

// The axes are those that PROJ's projinfo prints.
func TestAxesOfTheRegistry(t *testing.T) {
	for _, test := range []struct {
		name          string
		code          int
		first, second string
		northingFirst bool
	}{
		{"latitude and longitude", 4326, "Lat", "Lon", true},
		{"the same with heights", 4979, "Lat", "Lon", true},
		{"longitude first", 7035, "Lon", "Lat", false},
		{"Web Mercator", 3857, "X", "Y", false},
		{"UTM north", 32633, "E", "N", false},
		{"UTM south", 32733, "E", "N", false},
		{"Europe, northing first", 3035, "Y", "X", true},
		{"Europe, UTM", 25832, "E", "N", false},
		{"UTM, northing first", 3044, "N", "E", true},
		{"Germany, X is the northing", 31467, "X", "Y", true},
		{"New Zealand", 2193, "N", "E", true},
		{"the north pole, easting first", 5041, "E", "N", false},
		{"the south pole, easting first", 5042, "E", "N", false},
		{"the north pole, northing first", 32661, "N", "E", true},
		{"the south pole, northing first", 32761, "N", "E", true},
		{"Antarctica, both axes point north", 3031, "E", "N", false},
		{"the Arctic, both axes point south", 3995, "X", "Y", false},
		{"South Africa counts westings first", 2048, "Y", "X", false},
		{"Krovak counts southings first", 5513, "X", "Y", false},
		{"Krovak with east and north", 5514, "X", "Y", false},
		{"a compound system has those of its horizontal part", 7415, "X", "Y", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := system(t, test.code)
			if first, second := c.AxisAbbreviations(); first != test.first || second != test.second || c.NorthingFirst() != test.northingFirst {
				t.Errorf("got %s, %s, northing first %v", first, second, c.NorthingFirst())
			}
			first, second := c.Ordered(Point{1, 2})
			if wrote := first == 2; wrote != test.northingFirst || c.FromOrdered(first, second) != (Point{1, 2}) {
				t.Errorf("a point is written as %v, %v and read as %v", first, second, c.FromOrdered(first, second))
			}
		})
	}
}

func TestNamesOfSystems(t *testing.T) {
	feet, err := system(t, 32633).withUnit(0.3048)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		crs      *CRS
		urn, uri string
	}{
		{"projected", system(t, 3857), "urn:ogc:def:crs:EPSG::3857", "http://www.opengis.net/def/crs/EPSG/0/3857"},
		{"by another number", system(t, 900913), "urn:ogc:def:crs:EPSG::3857", "http://www.opengis.net/def/crs/EPSG/0/3857"},
		{"geographic", system(t, 4326), "urn:ogc:def:crs:EPSG::4326", "http://www.opengis.net/def/crs/EPSG/0/4326"},
		{"longitude first", CRS84(), "urn:ogc:def:crs:OGC:1.3:CRS84", "http://www.opengis.net/def/crs/OGC/1.3/CRS84"},
		{"of the world's grid", WorldCRS84Quad().CRS, "urn:ogc:def:crs:OGC:1.3:CRS84", "http://www.opengis.net/def/crs/OGC/1.3/CRS84"},
		{"in another unit", feet, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.crs.URN() != test.urn || test.crs.URI() != test.uri {
				t.Errorf("got %q and %q", test.crs.URN(), test.crs.URI())
			}
		})
	}
}

// TestCRS84IsWGS84: CRS84 equals WGS 84 except for its name and the axis order in documents.
func TestCRS84IsWGS84(t *testing.T) {
	a, b := CRS84(), system(t, 4326)
	if a.Key() != b.Key() || a.Code() != b.Code() || !NewTransform(a, b).IsIdentity() || !NewTransform(b, a).IsIdentity() {
		t.Errorf("%s and %s differ", a.Key(), b.Key())
	}
	if a.NorthingFirst() || !b.NorthingFirst() {
		t.Errorf("northing first: %v and %v", a.NorthingFirst(), b.NorthingFirst())
	}
}

func TestParseCRSName(t *testing.T) {
	for _, test := range []struct {
		name, text    string
		urn           string // "": unknown
		northingFirst bool
	}{
		{"short", "EPSG:4326", "urn:ogc:def:crs:EPSG::4326", false},
		{"short and small", " epsg:3035 ", "urn:ogc:def:crs:EPSG::3035", false},
		{"by an old number", "EPSG:900913", "urn:ogc:def:crs:EPSG::3857", false},
		{"a safe CURIE", "[EPSG:4326]", "urn:ogc:def:crs:EPSG::4326", true},
		{"a safe CURIE of an easting", "[EPSG:32633]", "urn:ogc:def:crs:EPSG::32633", false},
		{"a safe CURIE of CRS84", "[OGC:CRS84]", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"a URN", "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:EPSG::4326", true},
		{"a URN as the standard of WMTS has it", "urn:ogc:def:crs:EPSG:6.18:3:3857", "urn:ogc:def:crs:EPSG::3857", false},
		{"a URN with a version of the register", "urn:ogc:def:crs:EPSG:6.9:3857", "urn:ogc:def:crs:EPSG::3857", false},
		{"a URN without room for one", "urn:ogc:def:crs:EPSG:3035", "urn:ogc:def:crs:EPSG::3035", true},
		{"an experimental URN", "urn:x-ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:EPSG::4326", true},
		{"a URN of CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"a URN of CRS84 without a version", "urn:ogc:def:crs:OGC::CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"an address", "http://www.opengis.net/def/crs/EPSG/0/3035", "urn:ogc:def:crs:EPSG::3035", true},
		{"a safe address", "https://www.opengis.net/def/crs/EPSG/0/3857", "urn:ogc:def:crs:EPSG::3857", false},
		{"an address with a version", "http://www.opengis.net/def/crs/EPSG/9.9.1/4258", "urn:ogc:def:crs:EPSG::4258", true},
		{"an address of CRS84", "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"an address of CRS84 as of now", "http://www.opengis.net/def/crs/OGC/0/CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"an address of GML 2", "http://www.opengis.net/gml/srs/epsg.xml#4326", "urn:ogc:def:crs:EPSG::4326", false},
		{"CRS84", "CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"CRS84 of the OGC", "OGC:CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"CRS84 as WMS has it", "CRS:84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"a URN of CRS84 as WMTS 1.0 had it", "urn:ogc:def:crs:OGC:2:84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"a URN of CRS84 as WMS has it", "urn:ogc:def:crs:CRS::84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"CRS84 with a version", "OGC:1.3:CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"CRS84 with room for one", "OGC::CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"a safe CURIE of CRS84 with a version", "[OGC:1.3:CRS84]", "urn:ogc:def:crs:OGC:1.3:CRS84", false},
		{"NAD 83 with a version", "OGC:1.3:CRS83", "", false},
		{"too much of a version", "OGC:1:2:3:CRS84", "", false},
		{"nothing", "", "", false},
		{"a number", "4326", "", false},
		{"a number of nobody", "EPSG:1", "", false},
		{"a number with a sign", "EPSG:+4326", "", false},
		{"a number below zero", "EPSG:-4326", "", false},
		{"no number", "EPSG:", "", false},
		{"a number that is too large", "EPSG:99999999999999999999", "", false},
		{"half a CURIE", "[EPSG:4326", "", false},
		{"another authority", "ESRI:54009", "", false},
		{"another host", "http://example.com/def/crs/EPSG/0/4326", "", false},
		{"another register", "http://www.opengis.net/def/uom/EPSG/0/9001", "", false},
		{"NAD 83 of the OGC", "urn:ogc:def:crs:OGC:1.3:CRS83", "", false},
		{"a system and more", "urn:ogc:def:crs,crs:EPSG::4326,crs:EPSG::5773", "", false},
		{"a long name", "EPSG:" + strings.Repeat("0", 200) + "4326", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			crs, northingFirst, err := ParseCRSName(test.text)
			if test.urn == "" {
				if !errors.Is(err, ErrUnknownCRS) || crs != nil {
					t.Errorf("got %v, %v", crs, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if crs.URN() != test.urn || northingFirst != test.northingFirst {
				t.Errorf("got %s, northing first %v", crs.URN(), northingFirst)
			}
		})
	}
}

func FuzzParseCRSName(f *testing.F) {
	for _, text := range []string{
		"EPSG:4326", "[EPSG:3035]", "urn:ogc:def:crs:EPSG::3857", "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "CRS:84", "[:]", "urn:ogc:def:crs::",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		crs, northingFirst, err := ParseCRSName(text)
		if err != nil {
			if !errors.Is(err, ErrUnknownCRS) {
				t.Fatalf("%v does not wrap ErrUnknownCRS", err)
			}
			return
		}
		if northingFirst && !crs.NorthingFirst() {
			t.Fatalf("%q has the northing first, %s has not", text, crs.URN())
		}
		for _, name := range []string{crs.URN(), crs.URI()} {
			again, order, err := ParseCRSName(name)
			if err != nil || again.URN() != crs.URN() || order != crs.NorthingFirst() {
				t.Fatalf("%s is read as %v, %v, %v", name, again, order, err)
			}
		}
	})
}
