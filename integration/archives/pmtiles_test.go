package archives

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/archive/pmtiles"
	"tileserver/source"
	"tileserver/source/local"
	"tileserver/source/ranges"
)

var zurich = archive.Description{
	Name: "Kanton Zürich", Attribution: `© <a href="https://example.org">GIS-ZH</a>`, Format: archive.PNG,
	Bounds: archive.Bounds{West: 8.3, South: 47.1, East: 8.9, North: 47.7},
}

// shuffled returns tiles out of order.
func shuffled(tiles []archive.Tile) []archive.Tile {
	mixed := append([]archive.Tile(nil), tiles...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(mixed), func(a, b int) { mixed[a], mixed[b] = mixed[b], mixed[a] })
	return mixed
}

// wantVerified fails unless go-pmtiles finds nothing wrong.
func wantVerified(t *testing.T, program, path string) {
	t.Helper()
	output, log := run(t, program, "verify", path)
	if said := string(output) + log; strings.Contains(strings.ToLower(said), "invalid") || !strings.Contains(said, "Completed verify") {
		t.Errorf("%s: %s", filepath.Base(path), said)
	}
}

// wantTilesOf fails unless go-pmtiles reads some tiles as they are.
func wantTilesOf(t *testing.T, program, path string, tiles []archive.Tile) {
	t.Helper()
	for i := 0; i < len(tiles); i += 1 + len(tiles)/9 {
		p := tiles[i].Position
		got, _ := run(t, program, "tile", path, fmt.Sprint(p.Zoom), fmt.Sprint(p.X), fmt.Sprint(p.Y))
		if !bytes.Equal(got, tiles[i].Content) {
			t.Errorf("tile %v is %.40q, want %.40q", p, got, tiles[i].Content)
		}
	}
}

func TestOthersReadAndVerifyOurPMTiles(t *testing.T) {
	program := find(t, "go-pmtiles")
	for name, tiles := range map[string][]archive.Tile{
		"one":         archivetest.Tiles(1),
		"few":         archivetest.Tiles(500),
		"with leaves": archivetest.Tiles(60_000),
	} {
		path := filepath.Join(t.TempDir(), name+".pmtiles")
		writePMTiles(t, path, zurich, shuffled(tiles))
		wantVerified(t, program, path)
		wantTilesOf(t, program, path, tiles)
	}
}

func TestOthersReadOurHeaderAndMetadata(t *testing.T) {
	program := find(t, "go-pmtiles")
	path := filepath.Join(t.TempDir(), "map.pmtiles")
	writePMTiles(t, path, zurich, archivetest.Tiles(500))
	var metadata, header map[string]any
	for option, parsed := range map[string]*map[string]any{"--metadata": &metadata, "--header-json": &header} {
		text, _ := run(t, program, "show", option, path)
		if err := json.Unmarshal(text, parsed); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if metadata["name"] != zurich.Name || metadata["attribution"] != zurich.Attribution || metadata["type"] != "baselayer" {
		t.Errorf("got the metadata %v", metadata)
	}
	if header["tile_type"] != "png" || fmt.Sprint(header["bounds"]) != "[8.3 47.1 8.9 47.7]" || fmt.Sprint(header["maxzoom"]) != "5" {
		t.Errorf("got the header %v", header)
	}
}

// shards writes an archive for each tile of zoom 2 with what lies below it, and one for what lies above.
func shards(t *testing.T, tiles []archive.Tile) (paths []string) {
	t.Helper()
	groups := make(map[archive.Position][]archive.Tile)
	for _, tile := range tiles {
		top := archive.Position{}
		if tile.Zoom >= 2 {
			top = archive.Position{Zoom: 2, X: tile.X >> (tile.Zoom - 2), Y: tile.Y >> (tile.Zoom - 2)}
		}
		groups[top] = append(groups[top], tile)
	}
	folder := t.TempDir()
	for top, group := range groups {
		path := filepath.Join(folder, fmt.Sprintf("%d-%d-%d.pmtiles", top.Zoom, top.X, top.Y))
		writePMTiles(t, path, zurich, group)
		paths = append(paths, path)
	}
	return paths
}

func TestShardsAreMergedByUsAndByOthers(t *testing.T) {
	program := find(t, "go-pmtiles")
	tiles := archivetest.Tiles(9000)
	paths := shards(t, tiles)
	ours, theirs := filepath.Join(t.TempDir(), "ours.pmtiles"), filepath.Join(t.TempDir(), "theirs.pmtiles")
	w, err := pmtiles.Create(ours, pmtiles.Options{Description: zurich})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	err = w.Merge(t.Context(), pmtiles.Shards{Count: len(paths), Open: func(_ context.Context, shard int) (source.Source, error) {
		return local.Open(paths[shard], ranges.Options{})
	}})
	if err := errors.Join(err, w.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
	wantVerified(t, program, ours)
	wantTilesOf(t, program, ours, tiles)
	wantTiles(t, openPMTiles(t, ours), tiles)

	run(t, program, append(append([]string{"merge"}, paths...), theirs)...)
	wantTiles(t, openPMTiles(t, theirs), tiles)
}

// What go-pmtiles makes of our MBTiles has its directories first, and a number for each tile of its own making.
func TestWeReadThePMTilesThatOthersMakeOfOurMBTiles(t *testing.T) {
	program := find(t, "go-pmtiles")
	tiles := archivetest.Tiles(30_000)
	from, to := filepath.Join(t.TempDir(), "map.mbtiles"), filepath.Join(t.TempDir(), "map.pmtiles")
	writeMBTiles(t, from, zurich, shuffled(tiles))
	run(t, program, "convert", from, to)
	a := openPMTiles(t, to)
	wantTiles(t, a, tiles)
	got, want := a.Description(), openMBTiles(t, from).Description()
	got.Center, want.Center = archive.Center{}, archive.Center{} // rounded by one of them
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
