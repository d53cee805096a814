package geo

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestSetsSurviveJSON(t *testing.T) {
	for _, s := range RegisteredTileMatrixSets() {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseTileMatrixSet(text)
		if err != nil {
			t.Fatalf("%s: %v", s.ID, err)
		}
		got.suitable = s.suitable // only registered sets have it
		for z := range s.Matrices {
			scale := s.Matrices[z].ScaleDenominator
			if math.Abs(got.Matrices[z].ScaleDenominator/scale-1) > 1e-15 {
				t.Errorf("%s, level %d: got 1:%v, want 1:%v", s.ID, z, got.Matrices[z].ScaleDenominator, scale)
			}
			got.Matrices[z].ScaleDenominator = scale
		}
		if got.CRS.URI() != s.CRS.URI() {
			t.Errorf("%s comes back in %s", s.ID, got.CRS.URI())
		}
		got.CRS = s.CRS
		if !reflect.DeepEqual(got, s) {
			t.Errorf("%s comes back as %+v", s.ID, got)
		}
	}
}

// TestDocumentOfASet: Europe counts the northing first, and the document says so.
func TestDocumentOfASet(t *testing.T) {
	s := *mustSet(t, "EuropeanETRS89_LAEAQuad")
	s.Matrices = s.Matrices[1:2]
	got, err := json.Marshal(&s)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"EuropeanETRS89_LAEAQuad","title":"Lambert Azimuthal Equal Area ETRS89 for Europe",` +
		`"uri":"http://www.opengis.net/def/tilematrixset/OGC/1.0/EuropeanETRS89_LAEAQuad",` +
		`"crs":"http://www.opengis.net/def/crs/EPSG/0/3035","orderedAxes":["Y","X"],` +
		`"tileMatrices":[{"id":"1","scaleDenominator":31389508.928571433,"cellSize":8789.0625,"cornerOfOrigin":"topLeft",` +
		`"pointOfOrigin":[5500000,2000000],"tileWidth":256,"tileHeight":256,"matrixWidth":2,"matrixHeight":2}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func mustSet(t testing.TB, id string) *TileMatrixSet {
	t.Helper()
	s, ok := TileMatrixSetByID(id)
	if !ok {
		t.Fatalf("%s is not registered", id)
	}
	return s
}

func TestNamelessSystemsHaveNoDocument(t *testing.T) {
	feet, err := system(t, 32633).withUnit(0.3048)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*TileMatrixSet{{ID: "image"}, {ID: "feet", CRS: feet}} {
		if text, err := json.Marshal(s); !errors.Is(err, ErrTileMatrixSet) {
			t.Errorf("%s: got %s, %v", s.ID, text, err)
		}
	}
}

// lisbon is a set with non-square tiles, scales that are not powers of two, and levels with
// different origins, written from the finest to the coarsest.
const lisbon = `{
	"id": "Lisbon-3", "title": "City grid", "description": "is not kept", "keywords": ["a", "b"],
	"crs": {"uri": "http://www.opengis.net/def/crs/EPSG/0/3763"}, "orderedAxes": ["X", "Y"],
	"tileMatrices": [
		{"id": "fine", "scaleDenominator": 7142.857142857143, "cellSize": 2, "pointOfOrigin": [-95000, -90000],
			"tileWidth": 512, "tileHeight": 300, "matrixWidth": 30, "matrixHeight": 50, "variableMatrixWidths": []},
		{"id": "20m", "cellSize": 20, "cornerOfOrigin": "topLeft", "pointOfOrigin": [-100000, -85000],
			"tileWidth": 256, "tileHeight": 128, "matrixWidth": 7, "matrixHeight": 15},
		{"id": "EPSG:3763:7", "scaleDenominator": 25000, "pointOfOrigin": [-95000, -90000],
			"tileWidth": 512, "tileHeight": 300, "matrixWidth": 9, "matrixHeight": 15}
	]
}`

func TestParseTileMatrixSet(t *testing.T) {
	s, err := ParseTileMatrixSet([]byte(lisbon))
	if err != nil {
		t.Fatal(err)
	}
	scale := 25000.0 // a variable, because constant arithmetic would be exact
	want := &TileMatrixSet{ID: "Lisbon-3", Title: "City grid", CRS: s.CRS, Matrices: []TileMatrix{
		{ID: "20m", OriginX: -100000, OriginY: -85000, Resolution: 20, TileWidth: 256, TileHeight: 128, Columns: 7, Rows: 15, ScaleDenominator: 20 / 0.00028},
		{ID: "EPSG:3763:7", OriginX: -95000, OriginY: -90000, Resolution: scale * metersPerOGCPixel, TileWidth: 512, TileHeight: 300, Columns: 9, Rows: 15, ScaleDenominator: 25000},
		{ID: "fine", OriginX: -95000, OriginY: -90000, Resolution: 2, TileWidth: 512, TileHeight: 300, Columns: 30, Rows: 50, ScaleDenominator: 2 / 0.00028},
	}}
	if s.CRS.Code() != "EPSG:3763" {
		t.Errorf("got %s", s.CRS.Code())
	}
	for z := range s.Matrices {
		got, want := &s.Matrices[z].ScaleDenominator, want.Matrices[z].ScaleDenominator
		if math.Abs(*got/want-1) > 1e-15 {
			t.Errorf("level %d: got 1:%v, want 1:%v", z, *got, want)
		}
		*got = want
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, want %+v", s, want)
	}
}

// The matrix is one of the register, with the origin in the order of the system. The system is the
// same in every form of its name.
func TestOrderOfTheOrigin(t *testing.T) {
	for _, test := range []struct {
		name, crs, axes, origin string
		want                    Point
	}{
		{"easting first", "http://www.opengis.net/def/crs/EPSG/0/32631", `["E","N"]`, "[-9501965.72931276,20003931.4586255]", Point{-9501965.72931276, 20003931.4586255}},
		{"northing first", "http://www.opengis.net/def/crs/EPSG/0/3035", `["Y","X"]`, "[5500000.0,2000000.0]", Point{2000000, 5500000}},
		{"northing first, with a URN", "urn:ogc:def:crs:EPSG::2193", `["Y","X"]`, "[10438190.1652,-3260586.7284]", Point{-3260586.7284, 10438190.1652}},
		{"latitude first", "http://www.opengis.net/def/crs/EPSG/0/4326", `["Lat","Lon"]`, "[90,-180]", Point{-180, 90}},
		{"latitude first, with a short name", "EPSG:4326", `[]`, "[90,-180]", Point{-180, 90}},
		{"longitude first", "http://www.opengis.net/def/crs/OGC/1.3/CRS84", `["Lon","Lat"]`, "[-180,90]", Point{-180, 90}},
		{"the pole", "http://www.opengis.net/def/crs/EPSG/0/5041", `["E","N"]`, "[-14440759.350252,18440759.350252]", Point{-14440759.350252, 18440759.350252}},
		{"X is the northing", "EPSG:31467", `["X","Y"]`, "[6000000,3000000]", Point{3000000, 6000000}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := ParseTileMatrixSet([]byte(`{"id":"a","crs":"` + test.crs + `","orderedAxes":` + test.axes + `,"tileMatrices":[{"id":"0","cellSize":0.1,
				"pointOfOrigin":` + test.origin + `,"tileWidth":256,"tileHeight":256,"matrixWidth":1,"matrixHeight":1}]}`))
			if err != nil {
				t.Fatal(err)
			}
			if m := s.Matrices[0]; m.OriginX != test.want.X || m.OriginY != test.want.Y {
				t.Errorf("got %v, %v", m.OriginX, m.OriginY)
			}
		})
	}
}

func TestUnusableSets(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"no JSON", "{", "<", "invalid character"},
		{"no id", `"id": "Lisbon-3", `, "", "the id must be"},
		{"an id with a slash", "Lisbon-3", "a/b", "the id must be"},
		{"an id that means a folder", "Lisbon-3", "..", "the id must be"},
		{"a long id", "Lisbon-3", strings.Repeat("a", 101), "the id must be"},
		{"no system", `"crs": {"uri": "http://www.opengis.net/def/crs/EPSG/0/3763"}, `, "", "crs must be"},
		{"a system in words", `{"uri": "http://www.opengis.net/def/crs/EPSG/0/3763"}`, `{"wkt": {"type": "ProjectedCRS"}}`, "crs must be"},
		{"an unknown system", "EPSG/0/3763", "EPSG/0/1", "EPSG:1"},
		{"the wrong order", `["X", "Y"]`, `["Lat", "Lon"]`, "orderedAxes"},
		{"no matrices", `"tileMatrices"`, `"matrices"`, "no tileMatrices"},
		{"matrices that are no list", `"tileMatrices": [`, `"tileMatrices": 5, "matrices": [`, "no list"},
		{"two of a name", `"20m"`, `"fine"`, "two tile matrices"},
		{"a matrix without a name", `"20m"`, `""`, "tile matrix 1"},
		{"a matrix with a slash in its name", `"20m"`, `"20/m"`, "tile matrix 1"},
		{"rows from the bottom", `"topLeft"`, `"bottomLeft"`, "bottomLeft"},
		{"rows of different widths", `"variableMatrixWidths": []`, `"variableMatrixWidths": [{"coalesce": 2, "minTileRow": 0, "maxTileRow": 0}]`, "variableMatrixWidths"},
		{"an origin of one number", `[-100000, -85000]`, `[-100000]`, "pointOfOrigin"},
		{"an origin of three numbers", `[-100000, -85000]`, `[-100000, -85000, 1]`, "pointOfOrigin"},
		{"an origin beyond numbers", `[-100000, -85000]`, `[1e999, 0]`, "is not allowed as"},
		{"an origin in space", `[-100000, -85000]`, `[1e13, 0]`, "near the earth"},
		{"no cells", `"cellSize": 20`, `"cellSize": 0`, "a cellSize of 0"},
		{"cells below nothing", `"cellSize": 20`, `"cellSize": -20`, "a cellSize of -20"},
		{"cells that are too small", `"cellSize": 20`, `"cellSize": 1e-300`, "a cellSize of 1e-300"},
		{"cells larger than all", `"cellSize": 20`, `"cellSize": 1e300`, "near the earth"},
		{"no width", `"tileWidth": 256`, `"tileWidth": 0`, "tiles of 0 × 128"},
		{"a height below nothing", `"tileHeight": 128`, `"tileHeight": -128`, "tiles of 256 × -128"},
		{"tiles that are too large", `"tileWidth": 256`, `"tileWidth": 4097`, "tiles of 4097 × 128"},
		{"a width of half a pixel", `"tileWidth": 256`, `"tileWidth": 0.5`, "is not allowed as"},
		{"no columns", `"matrixWidth": 7`, `"matrixWidth": 0`, "a matrix of 0 × 15"},
		{"columns that cannot be counted", `"matrixWidth": 7`, `"matrixWidth": 9223372036854775807`, "a matrix of"},
		{"rows that cannot be counted", `"matrixWidth": 7, "matrixHeight": 15`, `"matrixWidth": 7, "matrixHeight": 1099511627776`, "a matrix of"},
		{"too many levels", `"tileMatrices": [`, `"tileMatrices": [` + strings.Repeat(`{"id": "x"},`, 65), "more than 64"},
		{"too much text", `"City grid"`, `"` + strings.Repeat("x", 1<<20) + `"`, "bytes of text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(lisbon, test.old, test.new, 1)
			if text == lisbon {
				t.Fatal("the test changes nothing")
			}
			s, err := ParseTileMatrixSet([]byte(text))
			if !errors.Is(err, ErrTileMatrixSet) || s != nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v, want something of %q", s, err, test.want)
			}
		})
	}
}

func FuzzParseTileMatrixSet(f *testing.F) {
	f.Add([]byte(lisbon))
	for _, id := range []string{"WorldCRS84Quad", "EuropeanETRS89_LAEAQuad", "UTM31WGS84Quad"} {
		text, err := json.Marshal(mustSet(f, id))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseTileMatrixSet(text)
		if err != nil {
			if !errors.Is(err, ErrTileMatrixSet) {
				t.Fatalf("%v does not wrap ErrTileMatrixSet", err)
			}
			return
		}
		extent := s.Extent()
		if extent.Empty() || math.IsInf(extent.Width(), 0) || math.IsInf(extent.Height(), 0) {
			t.Fatalf("the extent is %v", extent)
		}
		for z, m := range s.Matrices {
			if _, _, _, _, ok := s.Limits(z, m.Extent()); !ok && !m.Extent().Empty() {
				t.Fatalf("level %d has no tiles: %+v", z, m)
			}
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseTileMatrixSet(again); err != nil && len(again) <= maxSetBytes {
			t.Fatalf("%s is written as %s: %v", text, again, err)
		}
	})
}
