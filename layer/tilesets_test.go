package layer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// newPlacedCatalog returns a catalog with one georeferenced layer "l" and custom sets.
func newPlacedCatalog(tb testing.TB, source raster.Provider, code int, place geo.Affine, custom ...*geo.TileMatrixSet) *layer.Catalog {
	tb.Helper()
	c, err := openPlaced(source, code, place, custom...)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func openPlaced(source raster.Provider, code int, place geo.Affine, custom ...*geo.TileMatrixSet) (*layer.Catalog, error) {
	crs, err := geo.ByCode(code)
	if err != nil {
		return nil, err
	}
	placement, err := geo.NewAffinePlacement(place)
	if err != nil {
		return nil, err
	}
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: layer.NewGate(1, 10), Encoder: new(picture.Encoder)})
	return c, c.Add(context.Background(), layer.Config{
		ID: "l", Style: style.Style{Resampling: resample.Bilinear}, TileSets: custom,
		Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: source, CRS: crs, Placement: placement, Close: func() error { return nil }}, nil
		},
	})
}

// northUp returns the placement of an image of square pixels.
func northUp(x, y, resolution float64) geo.Affine {
	return geo.Affine{A: resolution, C: x, E: -resolution, F: y}
}

func describe(tb testing.TB, c *layer.Catalog) layer.Description {
	tb.Helper()
	l, err := c.Layer("l")
	if err != nil {
		tb.Fatal(err)
	}
	return l.Describe()
}

// tileSet returns a set that the layer "l" is served in.
func tileSet(tb testing.TB, c *layer.Catalog, id string) layer.TileSet {
	tb.Helper()
	for _, s := range describe(tb, c).TileSets {
		if s.Set.ID == id {
			return s
		}
	}
	tb.Fatalf("the layer is not served in %s", id)
	return layer.TileSet{}
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
			c := newPlacedCatalog(t, blankImage(test.width, test.height), test.code, test.place, unevenSet(t))
			var got []string
			for _, s := range describe(t, c).TileSets {
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
	c := newPlacedCatalog(t, blankImage(3000, 2000), 32633, northUp(500000, 5300000, 10), unevenSet(t))
	// 30 km of 10 m pixels at 48 degrees north, where Mercator stretches by a factor of 1.5.
	want := map[string][2]int{
		"WebMercatorQuad": {9, 14}, "WorldCRS84Quad": {8, 13}, "WorldMercatorWGS84Quad": {9, 14}, "UTM33WGS84Quad": {9, 13},
		"EuropeanETRS89_LAEAQuad": {7, 11}, "uneven": {0, 2}, "native-l": {0, 4}, "image": {0, 4},
	}
	for _, s := range describe(t, c).TileSets {
		if got := [2]int{s.MinZoom, s.MaxZoom}; got != want[s.Set.ID] {
			t.Errorf("%s has the useful levels %d to %d, want %v", s.Set.ID, s.MinZoom, s.MaxZoom, want[s.Set.ID])
		}
	}
}

// A known set that the layer does not fit has blank tiles. An unknown set is an error.
func TestTilesOfOtherSets(t *testing.T) {
	c := newPlacedCatalog(t, blankImage(300, 200), 32633, northUp(500000, 5300000, 10), unevenSet(t))
	for _, test := range []struct {
		name, id string
		tile     geo.TileID
		want     layer.Code
	}{
		{"beside the layer", "UTM01WGS84Quad", geo.TileID{Z: 3, X: 1, Y: 1}, "none"},
		{"at the other pole", "UPSAntarcticWGS84Quad", geo.TileID{Z: 5, X: 3, Y: 1}, "none"},
		{"a level that is not there", "UTM33WGS84Quad", geo.TileID{Z: 24}, layer.NotFound},
		{"a row that is not there", "uneven", geo.TileID{Z: 0, Y: 3}, layer.NotFound},
		{"the grid of another layer", "native-m", geo.TileID{}, layer.NotFound},
		{"no set", "GNOSISGlobalGrid", geo.TileID{}, layer.NotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			j, err := prepare(c, layer.Request{Format: layer.PNG, Area: layer.TileArea{TileSet: test.id, Tile: test.tile}})
			if got := codeOf(err); got != test.want {
				t.Fatalf("got %v, %v", got, err)
			}
			if err != nil {
				return
			}
			if p, err := j.Picture(t.Context()); err != nil || p.From != layer.Empty {
				t.Errorf("got %v, %v", p.From, err)
			}
		})
	}
}

func TestTileSetIDsMustBeUnique(t *testing.T) {
	named := func(id string) *geo.TileMatrixSet {
		set := *unevenSet(t)
		set.ID = id
		return &set
	}
	for _, test := range []struct {
		name string
		sets []*geo.TileMatrixSet
		want string // in the error; "" for none
	}{
		{"two", []*geo.TileMatrixSet{named("a"), named("b")}, ""},
		{"a registered one", []*geo.TileMatrixSet{named("UTM33WGS84Quad")}, "duplicate tile matrix set id"},
		{"one that is there already", []*geo.TileMatrixSet{named("a"), named("a")}, "duplicate tile matrix set id"},
		{"one of an image", []*geo.TileMatrixSet{named("image")}, "duplicate tile matrix set id"},
		{"one of a layer", []*geo.TileMatrixSet{named("native-x")}, "duplicate tile matrix set id"},
		{"one that is no part of an address", []*geo.TileMatrixSet{named("a b")}, "needs a valid id, a CRS and matrices"},
		{"one without levels", []*geo.TileMatrixSet{{ID: "a", CRS: geo.CRS84()}}, "needs a valid id, a CRS and matrices"},
		{"one without a system", []*geo.TileMatrixSet{{ID: "a", Matrices: unevenSet(t).Matrices}}, "needs a valid id, a CRS and matrices"},
	} {
		_, err := openPlaced(blankImage(10, 10), 4326, northUp(0, 0, 1), test.sets...)
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %v", test.name, err)
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
	placement, err := geo.NewAffinePlacement(northUp(500000, 5300000, 10))
	if err != nil {
		t.Fatal(err)
	}
	c := layer.NewCatalog(layer.CatalogConfig{})
	mustServe(t, c, mustOpen(t, c, layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: blankImage(300, 200), CRS: crs, Placement: placement, Close: func() error { return nil }}, nil
	}}))
	sets := describe(t, c).TileSets
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
			d := describe(t, newPlacedCatalog(t, blankImage(32, 20), 4326, northUp(west, -5, 0.5), set))
			got := slices.ContainsFunc(d.TileSets, func(s layer.TileSet) bool { return s.Set == set })
			if got != test.want {
				t.Errorf("%s, from %v: served %v", test.name, west, got)
			}
		}
	}
}

// A custom set that is redefined under its id has different tiles. Their keys and the version in
// cacheable URLs change.
func TestRedefinedSets(t *testing.T) {
	source := blankImage(300, 200)
	place, tile := northUp(500000, 5300000, 10), layer.TileArea{TileSet: "uneven"}
	version := func(sets ...*geo.TileMatrixSet) string {
		c := newPlacedCatalog(t, source, 32633, place, sets...)
		return mustPrepare(t, c, layer.Request{Area: layer.PreviewArea{MaxSize: 9}}).Version()
	}
	key := func(set *geo.TileMatrixSet) string {
		return mustPrepare(t, newPlacedCatalog(t, source, 32633, place, set), layer.Request{Area: tile}).Key()
	}
	renamed, moved, other := *unevenSet(t), *unevenSet(t), *unevenSet(t)
	renamed.Title = "Another title"
	moved.Matrices = slices.Clone(moved.Matrices)
	moved.Matrices[0].OriginX += 1000
	crs, err := geo.ByCode(32632)
	if err != nil {
		t.Fatal(err)
	}
	other.CRS = crs
	if version(unevenSet(t)) != version(&renamed) || key(unevenSet(t)) != key(&renamed) {
		t.Error("a title changes the version")
	}
	for name, set := range map[string]*geo.TileMatrixSet{"moved": &moved, "in another system": &other} {
		if version(set) == version(unevenSet(t)) || version(set) == version() {
			t.Errorf("%s: the version is the same", name)
		}
		if key(set) == key(unevenSet(t)) {
			t.Errorf("%s: the key is the same", name)
		}
	}
}

func TestLayersShareSets(t *testing.T) {
	first := newPlacedCatalog(t, blankImage(300, 200), 32633, northUp(500000, 5300000, 10))
	second := newPlacedCatalog(t, blankImage(300, 200), 32633, northUp(500000, 5200000, 10))
	a, b := describe(t, first).TileSets, describe(t, second).TileSets
	same := func(a, b layer.TileSet) bool {
		return a.Set == b.Set || strings.HasPrefix(a.Set.ID, "native-") || a.Set.CRS == nil
	}
	if !slices.EqualFunc(a, b, same) {
		t.Error("layers do not share sets")
	}
}

func BenchmarkDescribe(b *testing.B) {
	for _, test := range []struct {
		name  string
		code  int
		place geo.Affine
	}{
		{"UTM in Europe", 32633, northUp(500000, 5300000, 10)},
		{"UTM elsewhere", 32714, northUp(500000, 5300000, 10)},
		{"the world", 4326, northUp(-180, 90, 0.1)},
		{"the pole", 3413, northUp(-1.8e6, 1.8e6, 1000)},
	} {
		b.Run(test.name, func(b *testing.B) {
			source := blankImage(3600, 1800)
			geo.RegisteredTileMatrixSets() // once for all layers
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				c := newPlacedCatalog(b, source, test.code, test.place)
				b.StartTimer()
				describe(b, c)
			}
		})
	}
}
