package farfiles

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/dataset"
	"tileserver/decode/nitf/nitftest"
	"tileserver/decode/tiff/tifftest"
	"tileserver/layer"
	"tileserver/layer/areas"
)

// tileServer renders map tiles of a far file.
type tileServer struct {
	catalog *layer.Catalog
	traffic *traffic
}

// serve opens a file, and returns how many round trips that took. State is what was kept of files, or nil.
func serve(t *testing.T, path string, state *disk.Store) (s *tileServer, trips int) {
	t.Helper()
	s = &tileServer{traffic: new(traffic)}
	kept := cache.New(64 << 20)
	opener := dataset.NewOpener(dataset.Config{Files: farStore{traffic: s.traffic}, Workers: 2, InFlight: 256 << 20, Cache: kept, State: state})
	s.catalog = layer.NewCatalog(layer.CatalogConfig{Cache: kept, OverviewTimeout: -1})
	began := time.Now()
	if err := s.catalog.Add(t.Context(), opener.Layer(dataset.Address{Path: scheme + path, Number: 1}, dataset.Options{ID: layerID})); err != nil {
		t.Fatal(err)
	}
	return s, tripsSince(began)
}

const layerID = "far"

// tile renders a map tile at a position in the image, halved so many times, and returns how many round trips that
// took.
func (s *tileServer) tile(ctx context.Context, halvings, x, y int) (trips int, err error) {
	const side = 256
	l, err := s.catalog.Layer(layerID)
	if err != nil {
		return 0, err
	}
	composition, err := s.catalog.Prepare(layer.Request{Layer: l, Area: areas.Level{Halvings: halvings, X: x, Y: y, Width: side, Height: side}, Format: layer.PNG})
	if err != nil {
		return 0, err
	}
	began := time.Now()
	_, err = composition.Picture(ctx)
	return tripsSince(began), err
}

// kind is a kind of file: how many round trips it takes at most to open one, to render the first tile, and to
// render another one far from it.
type kind struct {
	data                []byte
	opening, tile, next int
}

func kinds(t *testing.T) map[string]kind {
	planes, strips := tiled(3), tiled(1)
	planes.Planar, strips.Tiled, strips.BlockHeight = true, false, 16
	sparse := func(column, _, _ int) bool { return column == 8 }
	inOne := largeTile()
	return map[string]kind{
		"COG with masks":             {tiff(t, tifftest.File{COG: true, Ghost: ghost(), Images: masked(withOverviews(tiled(3)))}), 1, 1, 1},
		"COG with bands in planes":   {tiff(t, tifftest.File{COG: true, Images: withOverviews(planes)}), 1, 1, 1},
		"BigTIFF":                    {tiff(t, tifftest.File{BigTIFF: true, Images: withOverviews(tiled(1))}), 2, 1, 1},
		"BigTIFF with a long index":  {tiff(t, tifftest.File{BigTIFF: true, COG: true, Images: []tifftest.Image{large()}}), 1, 2, 2},
		"huge COG":                   {tiff(t, tifftest.File{BigTIFF: true, COG: true, Ghost: ghost(), Images: huge()}), 2, 1, 0},
		"huge COG with masks":        {tiff(t, tifftest.File{BigTIFF: true, COG: true, Ghost: ghost(), Images: masked(huge())}), 2, 1, 0},
		"TIFF in strips":             {tiff(t, tifftest.File{Images: []tifftest.Image{strips}}), 2, 1, 0},
		"JP2 of one tile":            {jp2(image(0)), 1, 1, 0},
		"JP2 in tiles":               {jp2(image(128)), 1, 1, 1},
		"JP2 with a table":           {jp2(withTable(image(128))), 1, 1, 1},
		"JP2 with lengths":           {jp2(withLengths(image(128))), 1, 1, 1},
		"JP2 with lengths and table": {jp2(withTable(withLengths(image(128)))), 1, 1, 1},
		"JP2 of a large tile":        {jp2(inOne), 1, 2, 0},
		"JP2 with large lengths":     {jp2(withLengths(inOne)), 1, 1, 1},
		"NITF in blocks":             {nitf(func(*nitftest.Image) {}), 1, 1, 1},
		"NITF with a mask":           {nitf(func(m *nitftest.Image) { m.Compression, m.Missing = "NM", sparse }), 1, 1, 1},
		"NITF of JPEG":               {nitf(func(m *nitftest.Image) { m.Compression, m.BlockWidth, m.BlockHeight = "C3", 104, 104 }), 1, 2, 1},
		"NITF of JPEG with a mask": {nitf(func(m *nitftest.Image) {
			m.Compression, m.BlockWidth, m.BlockHeight, m.Missing = "M3", 104, 104, sparse
		}), 1, 1, 1},
		"NITF of several images":     {severalNITFs(), 2, 1, 1},
		"NITF of JPEG 2000 in tiles": {nitf(func(m *nitftest.Image) { m.Compression, m.Data = "C8", image(100).Codestream() }), 1, 1, 1},
	}
}

// TestAFarTileTakesFewRoundTrips counts the round trips of map tiles. A tile takes one, in which all that it needs is
// asked for, and another where an index must be read first.
func TestAFarTileTakesFewRoundTrips(t *testing.T) {
	for name, k := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, k.data, 0o600); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) { k.check(t, path) })
		})
	}
}

func (k *kind) check(t *testing.T, path string) {
	s, opening := serve(t, path, nil)
	defer s.catalog.Close()
	first, err := s.tile(t.Context(), 0, 250, 400)
	if err != nil {
		t.Fatal(err)
	}
	next, err := s.tile(t.Context(), 0, 600, 440)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("round trips: %d to open, %d for a tile, %d for another", opening, first, next)
	if opening > k.opening || first > k.tile || next > k.next {
		t.Errorf("it took %d round trips to open it, %d for a tile, and %d for another, want at most %d, %d and %d: %v",
			opening, first, next, k.opening, k.tile, k.next, s.traffic.calls)
	}
}

// The pieces of a file without overviews are read many at a time, since each takes a round trip.
func TestOverviewsOfAFarFileAreBuiltInFewRoundTrips(t *testing.T) {
	plain := tiled(3)
	plain.Width, plain.Height, plain.BlockWidth, plain.BlockHeight = 2300, 1700, 128, 128
	plain.Value = func(x, y, band int) float64 { return float64((x/5 + y/3 + 40*band) % 256) }
	path := filepath.Join(t.TempDir(), "file.tif")
	if err := os.WriteFile(path, tiff(t, tifftest.File{COG: true, Images: []tifftest.Image{plain}}), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s, _ := serve(t, path, nil)
		defer s.catalog.Close()
		trips, err := s.tile(t.Context(), 2, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		const most = 2
		if calls := len(s.traffic.calls); trips > most || calls < 20 {
			t.Errorf("%d round trips for %d pieces, want at most %d for more than 20", trips, calls, most)
		}
	})
}

// The index of an image in one tile takes the whole codestream to compute. It is kept beyond the process.
func TestAKeptIndexOfJPEG2000SavesRoundTrips(t *testing.T) {
	m := largeTile()
	m.Coding.BlockWidthLog2, m.Coding.BlockHeightLog2 = 3, 3 // so that the index is worth keeping
	path := filepath.Join(t.TempDir(), "file.jp2")
	if err := os.WriteFile(path, jp2(m), 0o600); err != nil {
		t.Fatal(err)
	}
	state, err := disk.Open(disk.Config{Folder: t.TempDir(), MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for i, most := range []int{2, 1} {
		synctest.Test(t, func(t *testing.T) {
			s, opening := serve(t, path, state)
			defer s.catalog.Close()
			trips, err := s.tile(t.Context(), 0, 250, 400)
			if err != nil {
				t.Fatal(err)
			}
			if opening > 1 || trips > most {
				t.Errorf("opened for the %d. time, it took %d round trips to open it, and %d for a tile, want at most 1 and %d", i+1, opening, trips, most)
			}
			if i == 0 && trips < most {
				t.Error("no index had to be computed")
			}
		})
	}
}
