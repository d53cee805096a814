package gmljp2

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// version1 returns a coverage of version 1 with the given parts.
func version1(around, grid string) string {
	return `<?xml version="1.0" encoding="ISO-8859-1"?>
<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml">` + around + `
  <gml:featureMember><gml:RectifiedGridCoverage dimension="2"><gml:rectifiedGridDomain>
    <gml:RectifiedGrid dimension="2">` + grid + `</gml:RectifiedGrid>
  </gml:rectifiedGridDomain></gml:RectifiedGridCoverage></gml:featureMember>
</gml:FeatureCollection>`
}

const (
	limits  = `<gml:limits><gml:GridEnvelope><gml:low>1 2</gml:low><gml:high>30 41</gml:high></gml:GridEnvelope></gml:limits>`
	origin  = `<gml:origin><gml:Point gml:id="P1" srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos> 48.5  9.25 </gml:pos></gml:Point></gml:origin>`
	offsets = `<gml:offsetVector srsName="x">0 0.5</gml:offsetVector><gml:offsetVector>-0.25 0</gml:offsetVector>`
)

const version2 = `<gmljp2:GMLJP2CoverageCollection xmlns:gmljp2="http://www.opengis.net/gmljp2/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="ID">
  <gml:domainSet nilReason="inapplicable"/>
  <gmljp2:featureMember><gmljp2:GMLJP2RectifiedGridCoverage gml:id="RGC">
    <gml:boundedBy><gml:Envelope><gml:lowerCorner>1 2</gml:lowerCorner></gml:Envelope></gml:boundedBy>
    <gml:domainSet>
      <gml:RectifiedGrid gml:id="RG" dimension="2" srsName="http://www.opengis.net/def/crs/EPSG/0/32633">
        <gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>19 9</gml:high></gml:GridEnvelope></gml:limits>
        <gml:axisLabels>E N</gml:axisLabels>
        <gml:origin><gml:Point gml:id="P"><gml:pos>500000 4000000</gml:pos></gml:Point></gml:origin>
        <gml:offsetVector>10 0</gml:offsetVector><gml:offsetVector>0 -20</gml:offsetVector>
      </gml:RectifiedGrid>
    </gml:domainSet>
    <gml:rangeSet><gml:File><gml:rangeParameters/></gml:File></gml:rangeSet>
  </gmljp2:GMLJP2RectifiedGridCoverage></gmljp2:featureMember>
  <gml:RectifiedGrid srsName="another"><gml:origin><gml:Point><gml:pos>1 1</gml:pos></gml:Point></gml:origin></gml:RectifiedGrid>
</gmljp2:GMLJP2CoverageCollection>`

func TestParse(t *testing.T) {
	geographic := Grid{
		Low: [2]int{1, 2}, High: [2]int{30, 41}, Origin: [2]float64{48.5, 9.25}, Offsets: [2][2]float64{{0, 0.5}, {-0.25, 0}},
		CRSName: "urn:ogc:def:crs:EPSG::4326",
	}
	changed := func(change func(*Grid)) Grid { g := geographic; change(&g); return g }
	around := `<gml:boundedBy><gml:Envelope srsName="around"/></gml:boundedBy>`
	nameless := strings.Replace(origin, ` srsName="urn:ogc:def:crs:EPSG::4326"`, "", 1)
	for _, test := range []struct {
		name, text string
		want       Grid
	}{
		{"version 1", version1("", limits+origin+offsets), geographic},
		{"version 2", version2, Grid{High: [2]int{19, 9}, Axes: []string{"E", "N"}, Origin: [2]float64{500000, 4000000}, Offsets: [2][2]float64{{10, 0}, {0, -20}}, CRSName: "http://www.opengis.net/def/crs/EPSG/0/32633"}},
		{"another prefix", strings.ReplaceAll(version1("", limits+origin+offsets), "gml:", "g:"), geographic},
		{"no prefix", strings.ReplaceAll(version1("", limits+origin+offsets), "gml:", ""), geographic},
		{"zeros behind it, and in the place of the ends of lines", strings.ReplaceAll(version1("", limits+origin+offsets), "\n", "\x00") + "\x00\x00", geographic},
		{"Latin-1", version1("<gml:description>M\xfcnchen</gml:description>", limits+origin+offsets), geographic},
		{"names of axes", version1("", "<gml:axisName>Easting</gml:axisName><gml:axisName>Northing</gml:axisName>"+limits+origin+offsets), changed(func(g *Grid) { g.Axes = []string{"Easting", "Northing"} })},
		{"the name of the envelope", version1(around, limits+nameless+offsets), changed(func(g *Grid) { g.CRSName = "around" })},
		{"the name of the point before that", version1(around, limits+origin+offsets), geographic},
		{"no name", version1("", limits+nameless+offsets), changed(func(g *Grid) { g.CRSName = "" })},
		{"coordinates with a comma", version1("", limits+strings.NewReplacer("gml:pos", "gml:coordinates", "48.5  9.25", "48.5,9.25").Replace(origin)+offsets), geographic},
		{"a third dimension", version1("", limits+strings.Replace(origin, "9.25", "9.25 100", 1)+offsets), geographic},
		{"no limits", version1("", origin+offsets), changed(func(g *Grid) { g.Low, g.High = [2]int{}, [2]int{} })},
		{"limits that are no numbers", version1("", strings.Replace(limits, "30 41", "30 *", 1)+origin+offsets), changed(func(g *Grid) { g.High = [2]int{} })},
		{"the comment of GDAL", version1("<!-- GDAL_JP2K_ALT_OFFSETVECTOR_ORDER=TRUE -->", limits+origin+offsets), changed(func(g *Grid) { g.RowsFirst = true })},
		{"the rest after the grid is ignored", strings.Split(version1("", limits+origin+offsets), "</gml:rectifiedGridDomain>")[0] + "</not closed", geographic},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Parse([]byte(test.text), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprintf("%+v", *got) != fmt.Sprintf("%+v", test.want) {
				t.Errorf("got %+v, want %+v", *got, test.want)
			}
		})
	}
}

func TestParseRejects(t *testing.T) {
	whole := version1("", limits+origin+offsets)
	for _, test := range []struct {
		name, text string
		limits     Limits
		want       error
	}{
		{"nothing", "", Limits{}, ErrNoGrid},
		{"something else", "<gml:FeatureCollection/>", Limits{}, ErrNoGrid},
		{"no XML", "this < that", Limits{}, ErrCorrupt},
		{"an end without a beginning", "</a>", Limits{}, ErrCorrupt},
		{"elements that cross", "<a><b></a></b>", Limits{}, ErrCorrupt},
		{"a text that ends too soon", whole[:len(whole)/2], Limits{}, ErrCorrupt},
		{"no origin", version1("", limits+offsets), Limits{}, ErrCorrupt},
		{"an origin of words", version1("", strings.Replace(origin, "9.25", "east", 1)+offsets), Limits{}, ErrCorrupt},
		{"an origin without end", version1("", strings.Replace(origin, "9.25", "1e999", 1)+offsets), Limits{}, ErrCorrupt},
		{"an origin of one number", version1("", strings.Replace(origin, "9.25", "", 1)+offsets), Limits{}, ErrCorrupt},
		{"one offset", version1("", origin+`<gml:offsetVector>1 0</gml:offsetVector>`), Limits{}, ErrCorrupt},
		{"an offset of one number", version1("", origin+`<gml:offsetVector>1</gml:offsetVector><gml:offsetVector>1</gml:offsetVector>`), Limits{}, ErrCorrupt},
		{"entities", `<!DOCTYPE a [<!ENTITY b "c">]>` + whole, Limits{}, ErrCorrupt},
		{"an unknown entity", "<a>&b;</a>", Limits{}, ErrCorrupt},
		{"too many bytes", whole, Limits{Bytes: 300}, ErrLimit},
		{"too many elements", whole, Limits{Elements: 5}, ErrLimit},
		{"too deep", strings.Repeat("<a>", 70), Limits{}, ErrLimit},
	} {
		t.Run(test.name, func(t *testing.T) {
			if g, err := Parse([]byte(test.text), test.limits); !errors.Is(err, test.want) {
				t.Errorf("got %+v, %v, want %v", g, err, test.want)
			}
		})
	}
}

func TestWorldFile(t *testing.T) {
	g := Grid{Origin: [2]float64{1, 2}, Offsets: [2][2]float64{{3, 4}, {5, 6}}}
	alternate := g
	alternate.RowsFirst = true
	for _, test := range []struct {
		name          string
		grid          Grid
		northingFirst bool
		want          [6]float64
	}{
		{"easting first", g, false, [6]float64{3, 4, 5, 6, 1, 2}},
		{"northing first", g, true, [6]float64{4, 3, 6, 5, 2, 1}},
		{"rows first", alternate, true, [6]float64{6, 5, 4, 3, 2, 1}},
		{"rows first is about northings", alternate, false, [6]float64{3, 4, 5, 6, 1, 2}},
	} {
		if got := test.grid.WorldFile(test.northingFirst); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestEastingFirst(t *testing.T) {
	for axes, want := range map[string]bool{
		"": false, "Easting": false, "x y": false, "Easting Northing": true, "LONGITUDE LATITUDE": true, "Lon Lat": true,
		"Lat Long": false, "Northing Easting": false, "Long Easting": false, "E N": false,
	} {
		if got := (&Grid{Axes: strings.Fields(axes)}).EastingFirst(); got != want {
			t.Errorf("%q: got %v", axes, got)
		}
	}
}

const dictionary = `<gml:Dictionary xmlns:gml="http://www.opengis.net/gml"><gml:dictionaryEntry>
  <gml:ProjectedCRS gml:id="crs1">
    <gml:srsName>WGS 84 / UTM zone 33N</gml:srsName>
    <gml:baseCRS><gml:GeographicCRS gml:id="inner"><gml:srsID><gml:name codeSpace="urn:ogc:def:crs:EPSG::">4326</gml:name></gml:srsID></gml:GeographicCRS></gml:baseCRS>
    <gml:srsID><gml:name codeSpace="mine">7</gml:name></gml:srsID>
    <gml:srsID><gml:name gml:codeSpace="urn:ogc:def:crs:EPSG::"> 32633 </gml:name></gml:srsID>
  </gml:ProjectedCRS>
  <gml:ProjectedCRS gml:id="crs2"><gml:identifier codeSpace="EPSG">urn:ogc:def:crs:EPSG::3035</gml:identifier></gml:ProjectedCRS>
  <gml:ProjectedCRS gml:id="crs3"><gml:srsName>mine</gml:srsName></gml:ProjectedCRS>
  <gml:ProjectedCRS gml:id="crs4"><gml:identifier codeSpace="EPSG">many</gml:identifier></gml:ProjectedCRS>
</gml:dictionaryEntry></gml:Dictionary>`

func TestCodeInDictionary(t *testing.T) {
	for id, want := range map[string]int{"crs1": 32633, "inner": 4326, "crs2": 3035, "crs3": 0, "crs4": 0, "crs5": 0} {
		if got, ok := CodeInDictionary([]byte(dictionary), id, Limits{}); got != want || ok != (want > 0) {
			t.Errorf("%s: got %d, %v, want %d", id, got, ok, want)
		}
	}
	if _, ok := CodeInDictionary([]byte("<a"), "crs1", Limits{}); ok {
		t.Error("a code was found without XML")
	}
}

func TestParseReference(t *testing.T) {
	for name, want := range map[string]Reference{
		"urn:jp2k:xml:CRSDictionary.xml#crs1": {"CRSDictionary.xml", "crs1"},
		"urn:ogc:tc:gmljp2:xml:a.gml#b":       {"a.gml", "b"},
		"gmljp2://xml/a.gml#b":                {"a.gml", "b"},
		"#b":                                  {"", "b"},
		"urn:ogc:def:crs:EPSG::4326":          {},
		"http://example.org/a.gml#b":          {},
		"a.gml#":                              {},
	} {
		if got, ok := ParseReference(name); ok != (want != Reference{}) || ok && got != want {
			t.Errorf("%s: got %+v, %v", name, got, ok)
		}
	}
}

// FuzzGML parses arbitrary bytes as a grid and as a dictionary.
func FuzzGML(f *testing.F) {
	for _, text := range []string{version1("", limits+origin+offsets), version2, dictionary, "<a b='c'/>", "<!-- " + rowsFirstComment + " -->"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := slices.Clone(text)
		g, err := Parse(text, Limits{})
		if (g == nil) != (err != nil) {
			t.Fatalf("got %+v and %v", g, err)
		}
		if g != nil {
			g.EastingFirst()
			for _, v := range g.WorldFile(true) {
				if v-v != 0 {
					t.Fatalf("the grid is %+v", g)
				}
			}
		}
		CodeInDictionary(text, "crs1", Limits{})
		if !slices.Equal(text, before) {
			t.Fatal("the text was modified")
		}
	})
}
