package layer_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// newPlacedCatalog returns a catalog with one georeferenced layer "l" and custom sets.
func newPlacedCatalog(tb testing.TB, source raster.Provider, code int, place geo.Affine, custom ...*geo.TileMatrixSet) *layer.Catalog {
	tb.Helper()
	crs, err := geo.ByCode(code)
	if err != nil {
		tb.Fatal(err)
	}
	placement, err := geo.NewAffinePlacement(place)
	if err != nil {
		tb.Fatal(err)
	}
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Queue: 10}), Encoder: new(picture.Encoder)})
	err = c.Add(context.Background(), layer.Config{
		ID: "l", Style: style.Style{Resampling: resample.Bilinear}, TileSets: custom,
		Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: source, CRS: crs, Placement: placement, Close: func() error { return nil }}, nil
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return c
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
func tileSet(tb testing.TB, c *layer.Catalog, id string) tilesets.TileSet {
	tb.Helper()
	for _, s := range describe(tb, c).TileSets {
		if s.Set.ID == id {
			return s
		}
	}
	tb.Fatalf("the layer is not served in %s", id)
	return tilesets.TileSet{}
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
			j, err := prepare(c, layer.Request{Format: layer.PNG, Area: areas.Tile{TileSet: test.id, Tile: test.tile}})
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

func TestCustomSetsOfALayerAreChecked(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	_, err := c.Open(t.Context(), layer.Config{ID: "l", TileSets: []*geo.TileMatrixSet{unevenSet(t), unevenSet(t)}})
	if err == nil || !strings.Contains(err.Error(), "duplicate tile matrix set id") {
		t.Errorf("the error of two sets of one id is %v", err)
	}
}

// A custom set that is redefined under its id has different tiles. Their keys and the version in
// cacheable URLs change.
func TestRedefinedSets(t *testing.T) {
	source := blankImage(300, 200)
	place, tile := northUp(500000, 5300000, 10), areas.Tile{TileSet: "uneven"}
	version := func(sets ...*geo.TileMatrixSet) string {
		c := newPlacedCatalog(t, source, 32633, place, sets...)
		return mustPrepare(t, c, layer.Request{Area: areas.Preview{MaxSize: 9}}).Version()
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
