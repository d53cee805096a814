package ogcapi

import (
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
)

func crs(t testing.TB, name string) *geo.CRS {
	t.Helper()
	c, _, err := geo.ParseCRSName(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParseBBox(t *testing.T) {
	tests := []struct {
		name, text    string
		northingFirst bool
		want          geo.Bounds
		ok            bool
	}{
		{"four numbers", "10,47,12,48", false, geo.Bounds{MinX: 10, MinY: 47, MaxX: 12, MaxY: 48}, true},
		{"latitudes first", "47,10,48,12", true, geo.Bounds{MinX: 10, MinY: 47, MaxX: 12, MaxY: 48}, true},
		{"with heights", "10,47,0,12,48,900", false, geo.Bounds{MinX: 10, MinY: 47, MaxX: 12, MaxY: 48}, true},
		{"latitudes first, with heights", "47,10,-5,48,12,5", true, geo.Bounds{MinX: 10, MinY: 47, MaxX: 12, MaxY: 48}, true},
		{"blanks", " 10 , 47 ,12, 4.8e1", false, geo.Bounds{MinX: 10, MinY: 47, MaxX: 12, MaxY: 48}, true},
		{"reversed, which is for others to judge", "12,48,10,47", false, geo.Bounds{MinX: 12, MinY: 48, MaxX: 10, MaxY: 47}, true},
		{"three numbers", "1,2,3", false, geo.Bounds{}, false},
		{"five numbers", "1,2,3,4,5", false, geo.Bounds{}, false},
		{"seven numbers", "1,2,3,4,5,6,7", false, geo.Bounds{}, false},
		{"words", "a,b,c,d", false, geo.Bounds{}, false},
		{"NaN", "nan,1,2,3", false, geo.Bounds{}, false},
		{"infinity", "0,0,inf,3", false, geo.Bounds{}, false},
		{"too large a number", "0,0,1e999,3", false, geo.Bounds{}, false},
		{"nothing", "", false, geo.Bounds{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseBBox(test.text, test.northingFirst)
			if (err == nil) != test.ok || err != nil && !errors.Is(err, ErrQuery) || got != test.want {
				t.Errorf("got %v and the error %v, want %v", got, err, test.want)
			}
		})
	}
}

func TestParseSubset(t *testing.T) {
	want := geo.Bounds{MinX: 10, MinY: 47, MaxX: 12, MaxY: 48}
	tests := []struct {
		name, crs string
		texts     []string
		ok        bool
	}{
		{"in one", "CRS84", []string{"Lat(47:48),Lon(10:12)"}, true},
		{"in two", "CRS84", []string{"Lon(10:12)", "Lat(47:48)"}, true},
		{"by name, whatever the order of axes", "[EPSG:4326]", []string{"Lon(10:12),Lat(47:48)"}, true},
		{"in capitals", "CRS84", []string{"LON(10:12),LAT(47:48)"}, true},
		{"eastings", "[EPSG:32633]", []string{"E(10:12),N(47:48)"}, true},
		{"x and y", "[EPSG:3857]", []string{"X(10:12),Y(47:48)"}, true},
		{"eastings of degrees", "CRS84", []string{"E(10:12),N(47:48)"}, false},
		{"degrees of eastings", "[EPSG:3857]", []string{"Lon(10:12),Lat(47:48)"}, false},
		{"one axis", "CRS84", []string{"Lat(47:48)"}, false},
		{"an axis twice", "CRS84", []string{"Lat(47:48),Lat(47:48)"}, false},
		{"a third axis", "CRS84", []string{"Lat(47:48),Lon(10:12),h(1:2)"}, false},
		{"single values", "CRS84", []string{"Lat(47),Lon(10)"}, false},
		{"words", "CRS84", []string{"Lat(a:b),Lon(10:12)"}, false},
		{"an open end", "CRS84", []string{"Lat(47:*),Lon(10:12)"}, false},
		{"not closed", "CRS84", []string{"Lat(47:48,Lon(10:12"}, false},
		{"many", "CRS84", []string{strings.Repeat("Lat(1:2),", 1000)}, false},
		{"nothing", "CRS84", []string{""}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseSubset(test.texts, crs(t, test.crs))
			if (err == nil) != test.ok || err != nil && !errors.Is(err, ErrQuery) || test.ok && got != want {
				t.Errorf("got %v and the error %v, want %v", got, err, want)
			}
		})
	}
}

func TestFormatBBox(t *testing.T) {
	b := geo.Bounds{MinX: -10.25, MinY: 1e-7, MaxX: 12, MaxY: 2e7}
	for name, want := range map[string]string{
		"CRS84":       "-10.25,0.0000001,12,20000000",
		"[EPSG:4326]": "0.0000001,-10.25,20000000,12",
		"[EPSG:3857]": "-10.25,0.0000001,12,20000000",
	} {
		if got := FormatBBox(b, crs(t, name)); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestParseColor(t *testing.T) {
	for text, want := range map[string]string{
		"0xFF8000": "#ff8000", "0Xff8000": "#ff8000", "FF8000": "#ff8000", "Navy": "navy", "RebeccaPurple": "rebeccapurple", "decade": "#decade",
		"": "", "0x": "", "0xFF80": "", "0xGG0000": "", "#fff": "", "red;": "", "url(x)": "", "12": "", strings.Repeat("a", 33): "",
	} {
		got, err := ParseColor(text)
		if got != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, ErrQuery) {
			t.Errorf("%q: got %q and the error %v, want %q", text, got, err, want)
		}
	}
}

func TestParseSelection(t *testing.T) {
	site := Site{Root: "https://maps.example/base/ogc"}
	tests := []struct {
		text string
		want string // separated by blanks
	}{
		{"a", "a"},
		{"b,a,b", "b a"},
		{" b , a ", "b a"},
		{"https://maps.example/base/ogc/collections/a.b,c", "a.b c"},
		{"https://maps.example/base/ogc/collections/a?f=json", "a"},
		{"https://elsewhere.example/ogc/collections/a", "https://elsewhere.example/ogc/collections/a"}, // an id that no layer has
		{"", ""},
		{"a,,b", ""},
		{"https://maps.example/base/ogc/collections/%zz", ""},
		{"x" + strings.Repeat(",x1", 2), "x x1"},
	}
	for _, test := range tests {
		got, err := site.ParseSelection(test.text)
		if strings.Join(got, " ") != test.want || (err == nil) != (test.want != "") || err != nil && !errors.Is(err, ErrQuery) {
			t.Errorf("%q: got %q and the error %v, want %q", test.text, got, err, test.want)
		}
	}
}

func FuzzExtent(f *testing.F) {
	f.Add("10,47,12,48", "Lat(47:48),Lon(10:12)", "CRS84", true)
	f.Add("47,10,-5,48,12,5", "E(0:1),N(2:3)", "http://www.opengis.net/def/crs/EPSG/0/32633", false)
	f.Add("170,-10,-170,10", "Lon(170:-170),Lat(-1e308:1e308)", "[EPSG:4326]", false)
	f.Fuzz(func(t *testing.T, bbox, subset, name string, northingFirst bool) {
		system, _, err := geo.ParseCRSName(name)
		if err != nil {
			system = geo.CRS84()
		}
		check := func(b geo.Bounds, err error) {
			if err != nil {
				if !errors.Is(err, ErrQuery) && !errors.Is(err, ErrOutside) {
					t.Errorf("an error of another package: %v", err)
				}
				return
			}
			if b, err = request.Normalize(b, system); err != nil {
				if answer.FailureOf(err).Status >= http.StatusInternalServerError {
					t.Errorf("%v is an internal error: %v", b, err)
				}
				return
			}
			if b.Empty() || math.IsInf(b.Width(), 0) || strings.Count(FormatBBox(b, system), ",") != 3 {
				t.Errorf("%v is normalized", b)
			}
			if transformed, err := request.TransformBounds(b, system, geo.WebMercatorQuad().CRS); err == nil && transformed.Empty() {
				t.Errorf("%v is transformed to an empty box", b)
			}
		}
		check(ParseBBox(bbox, northingFirst))
		check(ParseSubset([]string{subset}, system))
	})
}

func FuzzWords(f *testing.F) {
	f.Add("0xFF8000", "a,b")
	f.Add("navy", "https://maps.example/ogc/collections/a%20b")
	f.Fuzz(func(t *testing.T, color, selection string) {
		if css, err := ParseColor(color); err == nil && strings.ContainsAny(css, "<>\"' ;(") {
			t.Errorf("%q is a color", css)
		}
		ids, err := Site{Root: "https://maps.example/ogc"}.ParseSelection(selection)
		if err == nil && (len(ids) == 0 || len(ids) > maxSelected) {
			t.Errorf("%q selects %d collections", selection, len(ids))
		}
	})
}
