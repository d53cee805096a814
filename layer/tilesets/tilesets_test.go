package tilesets_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/layer/tilesets"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// placed returns the sets of the layer "l", a georeferenced image.
func placed(t *testing.T, source raster.Provider, code int, place geo.Affine, custom ...*geo.TileMatrixSet) []tilesets.TileSet {
	t.Helper()
	crs, err := geo.ByCode(code)
	if err != nil {
		t.Fatal(err)
	}
	return placedIn(t, source, crs, place, custom...)
}

func placedIn(t *testing.T, source raster.Provider, crs *geo.CRS, place geo.Affine, custom ...*geo.TileMatrixSet) []tilesets.TileSet {
	t.Helper()
	placement, err := geo.NewAffinePlacement(place)
	if err != nil {
		t.Fatal(err)
	}
	p, image := pyramid.NewGeoreferenced(source, crs, placement), source.Info()
	footprint := geo.NewFootprint(crs, placement.Bounds(image.Levels[0].Width, image.Levels[0].Height))
	sets := tilesets.Fitting(p, footprint, footprint.LonLat(), custom)
	if native, ok := tilesets.Native("l", p); ok {
		sets = append(sets, native)
	}
	return append(sets, tilesets.Image(image))
}

// tileSet returns the set of an id.
func tileSet(t *testing.T, sets []tilesets.TileSet, id string) tilesets.TileSet {
	t.Helper()
	at := slices.IndexFunc(sets, func(s tilesets.TileSet) bool { return s.Set.ID == id })
	if at < 0 {
		t.Fatalf("the image is not served in %s", id)
	}
	return sets[at]
}

// northUp returns the placement of an image of square pixels.
func northUp(x, y, resolution float64) geo.Affine {
	return geo.Affine{A: resolution, C: x, E: -resolution, F: y}
}

func blankImage(width, height int) *rastertest.Synthetic {
	return &rastertest.Synthetic{Name: "blank@1", Has: rastertest.Flat(raster.Uint8, width, height, 1, 256, 256)}
}

// unevenSet returns a custom set at the center of zone 33. Its scales are not powers of two, its
// tiles are not square, and its levels have different origins.
func unevenSet(tb testing.TB) *geo.TileMatrixSet {
	tb.Helper()
	set, err := geo.ParseTileMatrixSet([]byte(`{"id": "uneven", "crs": "http://www.opengis.net/def/crs/EPSG/0/32633", "tileMatrices": [
		{"id": "c", "cellSize": 70, "pointOfOrigin": [495000, 5305000], "tileWidth": 300, "tileHeight": 211, "matrixWidth": 2, "matrixHeight": 3},
		{"id": "b", "cellSize": 25, "pointOfOrigin": [499000, 5300100], "tileWidth": 200, "tileHeight": 333, "matrixWidth": 7, "matrixHeight": 4},
		{"id": "a", "cellSize": 9.7, "pointOfOrigin": [498503.7, 5300001], "tileWidth": 512, "tileHeight": 100, "matrixWidth": 7, "matrixHeight": 31}
	]}`))
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// The place of a layer decides in which sets it is served. Their order is stable.
func TestTileSetsOfALayer(t *testing.T) {
	const world = "WebMercatorQuad WorldCRS84Quad WorldMercatorWGS84Quad "
	for _, test := range []struct {
		name          string
		width, height int
		code          int
		place         geo.Affine
		want          string
	}{
		{"in Europe", 3001, 2001, 32633, northUp(500000, 5300000, 10), world + "UTM33WGS84Quad EuropeanETRS89_LAEAQuad uneven native-l image"},
		{"beside its zone, on another datum", 301, 201, 25833, northUp(900000, 5300000, 10), world + "UTM33WGS84Quad UTM34WGS84Quad EuropeanETRS89_LAEAQuad native-l image"},
		{"in two zones", 301, 201, 4326, northUp(11.7, 48, 0.001), world + "UTM32WGS84Quad UTM33WGS84Quad EuropeanETRS89_LAEAQuad native-l image"},
		{"in the south", 301, 201, 32733, northUp(500000, 8300000, 10), world + "UTM33WGS84Quad native-l image"},
		{"in Canada", 301, 201, 32614, northUp(500000, 5500000, 10), world + "UTM14WGS84Quad CanadianNAD83_LCC native-l image"},
		{"in the Arctic", 301, 201, 3413, northUp(-1500000, 1000000, 10000), world + "UPSArcticWGS84Quad native-l image"},
		{"around the south pole", 301, 201, 3031, northUp(-1500000, 1000000, 10000), world + "UPSAntarcticWGS84Quad native-l image"},
		{"at the south pole only", 301, 201, 3031, northUp(-15000, 10000, 100), "WorldCRS84Quad UPSAntarcticWGS84Quad native-l image"},
		{"the world", 3600, 1800, 4326, northUp(-180, 90, 0.1), world + "uneven native-l image"},
		{"half the world from the Pacific", 1800, 900, 4326, northUp(90, 45, 0.1), world + "native-l image"},
		{"across the antimeridian", 701, 301, 32660, northUp(800000, 200000, 100), world + "UTM01WGS84Quad UTM60WGS84Quad native-l image"},
		{"turned", 301, 201, 32633, geo.Affine{A: 8, B: 6, C: 500000, D: 6, E: -8, F: 5300000}, world + "UTM33WGS84Quad EuropeanETRS89_LAEAQuad uneven image"},
		{"of pixels that are no squares", 301, 201, 32633, geo.Affine{A: 10, C: 500000, E: -11, F: 5300000}, world + "UTM33WGS84Quad EuropeanETRS89_LAEAQuad uneven native-l image"},
		{"of pixels that are stripes", 301, 201, 32633, geo.Affine{A: 10, C: 500000, E: -170, F: 5300000}, world + "UTM33WGS84Quad EuropeanETRS89_LAEAQuad uneven image"},
		{"upside down", 301, 201, 32633, geo.Affine{A: 10, C: 500000, E: 10, F: 5297000}, world + "UTM33WGS84Quad EuropeanETRS89_LAEAQuad uneven image"},
	} {
		t.Run(test.name, func(t *testing.T) {
			sets := placed(t, blankImage(test.width, test.height), test.code, test.place, unevenSet(t))
			var got []string
			for _, s := range sets {
				got = append(got, s.Set.ID)
				if s.Set.CRS != nil && (s.Bounds.Empty() || s.Bounds.Intersect(s.Set.Extent()) != s.Bounds) {
					t.Errorf("in %s it lies at %v", s.Set.ID, s.Bounds)
				}
				for z := range s.Set.Matrices {
					if _, _, _, _, ok := s.Limits(z); !ok && s.Set.ID != "uneven" {
						t.Errorf("%s has no tiles of level %d", s.Set.ID, z)
					}
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), test.want)
			}
		})
	}
}

func TestZoomRangeOfALayer(t *testing.T) {
	sets := placed(t, blankImage(3000, 2000), 32633, northUp(500000, 5300000, 10), unevenSet(t))
	// 30 km of 10 m pixels at 48 degrees north, where Mercator stretches by a factor of 1.5.
	want := map[string][2]int{
		"WebMercatorQuad": {9, 14}, "WorldCRS84Quad": {8, 13}, "WorldMercatorWGS84Quad": {9, 14}, "UTM33WGS84Quad": {9, 13},
		"EuropeanETRS89_LAEAQuad": {7, 11}, "uneven": {0, 2}, "native-l": {0, 4}, "image": {0, 4},
	}
	for _, s := range sets {
		if got := [2]int{s.MinZoom, s.MaxZoom}; got != want[s.Set.ID] {
			t.Errorf("%s has the useful levels %d to %d, want %v", s.Set.ID, s.MinZoom, s.MaxZoom, want[s.Set.ID])
		}
	}
}

// A CRS without a URI cannot be described to clients, so it has no native set.
func TestCRSWithoutURIHasNoNativeSet(t *testing.T) {
	crs, err := geo.FromWKT(`PROJCS["mine",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],` +
		`UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",14.3],` +
		`PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]`)
	if err != nil {
		t.Fatal(err)
	}
	sets := placedIn(t, blankImage(300, 200), crs, northUp(500000, 5300000, 10))
	if len(sets) < 4 {
		t.Errorf("there are %d sets, want those of the world, at least", len(sets))
	}
	for _, s := range sets {
		if s.Set.CRS != nil && s.Set.CRS.URI() == "" {
			t.Errorf("there is the set %q", s.Set.ID)
		}
	}
}

// An image and the tiles of a set may lie on both sides of the antimeridian, with longitudes that
// differ by 360 degrees.
func TestCustomSetsAtTheAntimeridian(t *testing.T) {
	for _, test := range []struct {
		name string
		code int
		want bool
	}{{"before it", 32760, true}, {"behind it", 32701, true}, {"on the other side of the globe", 32731, false}} {
		crs, err := geo.ByCode(test.code)
		if err != nil {
			t.Fatal(err)
		}
		set := &geo.TileMatrixSet{ID: "own", CRS: crs, Matrices: []geo.TileMatrix{{ID: "0", OriginX: 244000, OriginY: 9156000, Resolution: 1000, TileWidth: 256, TileHeight: 256, Columns: 2, Rows: 2}}}
		for _, west := range []float64{172, -188} {
			sets := placed(t, blankImage(32, 20), 4326, northUp(west, -5, 0.5), set)
			got := slices.ContainsFunc(sets, func(s tilesets.TileSet) bool { return s.Set == set })
			if got != test.want {
				t.Errorf("%s, from %v: served %v", test.name, west, got)
			}
		}
	}
}

func TestLayersShareSets(t *testing.T) {
	a := placed(t, blankImage(300, 200), 32633, northUp(500000, 5300000, 10))
	b := placed(t, blankImage(300, 200), 32633, northUp(500000, 5200000, 10))
	same := func(a, b tilesets.TileSet) bool {
		return a.Set == b.Set || strings.HasPrefix(a.Set.ID, "native-") || a.Set.CRS == nil
	}
	if !slices.EqualFunc(a, b, same) {
		t.Error("layers do not share sets")
	}
}

func TestLimitsOfOwnSets(t *testing.T) {
	sets := placed(t, blankImage(1025, 300), 4326, northUp(10.1, 50.3, 0.001))
	for _, id := range []string{"image", "native-l"} {
		s := tileSet(t, sets, id)
		for z, want := range [][2]int{{0, 0}, {1, 0}, {2, 0}, {4, 1}} {
			column0, row0, column1, row1, ok := s.Limits(z)
			if !ok || column0 != 0 || row0 != 0 || column1 != want[0] || row1 != want[1] {
				t.Errorf("%s, level %d: got %d to %d, %d to %d, %v", id, z, column0, column1, row0, row1, ok)
			}
		}
		for _, z := range []int{-1, 4} {
			if _, _, _, _, ok := s.Limits(z); ok {
				t.Errorf("%s has a level %d", id, z)
			}
		}
	}
}

// Longitudes of a file may exceed 180 degrees; those of maps do not.
func TestBoundsInWorldMaps(t *testing.T) {
	for _, test := range []struct {
		name     string
		west     float64
		columns  int
		min, max float64
	}{
		{"on the map", 170, 50, 170, 175},
		{"a turn away", 190, 50, -170, -165},
		{"up to the edge", 175, 50, 175, 180},
		{"across the edge", 178, 50, -180, 180},
		{"all around from Greenwich", 0, 3600, -180, 180},
	} {
		sets := placed(t, blankImage(test.columns, 30), 4326, northUp(test.west, 50, 0.1))
		got := tileSet(t, sets, "WorldCRS84Quad").Bounds
		if math.Abs(got.MinX-test.min) > 1e-9 || math.Abs(got.MaxX-test.max) > 1e-9 || math.Abs(got.MinY-47) > 1e-9 {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}
