package mbtiles

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/decode"
	"tileserver/source"
)

// made returns the path of a database that statements make.
func made(t *testing.T, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map.mbtiles")
	database, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	if _, err := database.Exec(statements); err != nil {
		t.Fatal(err)
	}
	return path
}

const flat = "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"

func TestTheUsualLayoutsAreRead(t *testing.T) {
	for name, statements := range map[string]string{
		"flat": flat + "INSERT INTO tiles VALUES (2, 1, 3, x'746865')",
		"ids that are texts": `CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, grid_id TEXT);
			CREATE TABLE images (tile_data BLOB, tile_id TEXT); INSERT INTO images VALUES (x'746865', 'a'); INSERT INTO map VALUES (2, 1, 3, 'a', NULL);
			CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id)`,
		"with hashes": `CREATE TABLE tiles_with_hash (zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL, tile_data BLOB, tile_hash TEXT);
			INSERT INTO tiles_with_hash VALUES (2, 1, 3, x'746865', 'ABC');
			CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles_with_hash`,
		"shallow": `CREATE TABLE tiles_shallow (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data_id INTEGER);
			CREATE TABLE tiles_data (tile_data_id INTEGER PRIMARY KEY, tile_data BLOB); INSERT INTO tiles_data VALUES (7, x'746865');
			INSERT INTO tiles_shallow VALUES (2, 1, 3, 7)`,
	} {
		a := openFile(t, made(t, statements))
		got, err := a.Tiles(t.Context(), []archive.Position{{Zoom: 2, X: 1, Y: 0}, {Zoom: 2, X: 1, Y: 3}})
		if err != nil || string(got[0]) != "the" || got[1] != nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
		if d := a.Description(); d.MinZoom != 2 || d.MaxZoom != 2 {
			t.Errorf("%s: got %+v, whose zooms should be those of the tiles", name, d)
		}
	}
}

func TestHostileDatabases(t *testing.T) {
	endless := `CREATE VIEW tiles AS WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
		SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, zeroblob(n) AS tile_data FROM endless`
	// A search that compares a million bytes a million times, in which SQLite does not look whether it shall stop.
	const hours = "instr(printf('%.*c', 2000000, 'a'), printf('%.*c', 1000000, 'a') || 'b')"
	tests := map[string]string{
		"no tables":                            "CREATE TABLE other (a)",
		"a view without end":                   endless,
		"columns that lack":                    "CREATE TABLE tiles (a)",
		"a tile that is text":                  flat + "INSERT INTO tiles VALUES (0, 0, 0, 'text')",
		"a tile that is empty":                 flat + "INSERT INTO tiles VALUES (0, 0, 0, x'')",
		"a tile that is none":                  flat + "INSERT INTO tiles VALUES (0, 0, 0, NULL)",
		"a tile that is large":                 flat + "INSERT INTO tiles VALUES (0, 0, 0, zeroblob(16777217))",
		"a table of a module":                  "CREATE VIRTUAL TABLE tiles USING fts5(zoom_level, tile_column, tile_row, tile_data)",
		"content that is computed for hours":   "CREATE TABLE tiles (zoom_level, tile_column, tile_row); INSERT INTO tiles VALUES (0, 0, 0); ALTER TABLE tiles ADD tile_data AS (CAST(" + hours + " AS BLOB))",
		"a zoom that is computed for hours":    "CREATE TABLE tiles (tile_column, tile_row, tile_data); INSERT INTO tiles VALUES (0, 0, x'00'); ALTER TABLE tiles ADD zoom_level AS (" + hours + ")",
		"metadata that are computed for hours": flat + "CREATE TABLE metadata (name); INSERT INTO metadata VALUES ('name'); ALTER TABLE metadata ADD value AS (" + hours + ")",
		"content that computes":                `CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data AS (zeroblob(900000000))); INSERT INTO tiles VALUES (0, 0, 0)`,
	}
	for name, statements := range tests {
		a, err := Open(t.Context(), made(t, statements))
		if err == nil {
			_, err = a.Tiles(t.Context(), []archive.Position{{}})
			a.Close()
		}
		if !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFilesThatAreNoDatabases(t *testing.T) {
	whole, err := os.ReadFile(write(t, "map.mbtiles", archive.Description{Format: archive.PNG}, archivetest.Tiles(500)))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	for i := 4096; i < len(damaged); i += 7 {
		damaged[i] ^= 0xa5
	}
	for name, content := range map[string][]byte{"nothing": nil, "other": bytes.Repeat([]byte("other"), 999), "half": whole[:len(whole)/2], "damaged": damaged} {
		path := filepath.Join(t.TempDir(), "map.mbtiles")
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		a, err := Open(t.Context(), path)
		if err == nil {
			_, err = a.Tiles(t.Context(), []archive.Position{{}, archivetest.Tiles(400)[399].Position})
			a.Close()
		}
		if !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	folder := t.TempDir()
	if _, err := Open(t.Context(), folder); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := Open(t.Context(), filepath.Join(folder, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is missing: %v", err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) > 0 {
		t.Errorf("reading has made %v", entries)
	}
}

func TestMetadataThatMakeNoSenseAreUnknown(t *testing.T) {
	path := made(t, flat+`CREATE TABLE metadata (name, value); INSERT INTO metadata VALUES ('name', 17), ('format', 'tif'), ('bounds', '1,2,0,5'),
		('center', 'a,b,c'), ('minzoom', '-3'), ('maxzoom', 1e9), ('description', zeroblob(100000)), (NULL, NULL), ('attribution', NULL), ('type', x'00')`)
	want := archive.Description{Name: "17", MaxZoom: archive.MaxZoom}
	if got := openFile(t, path).Description(); got != want {
		t.Errorf("got %+v", got)
	}
	for text, want := range map[string][]float64{"1,2": {1, 2}, " 1 , -2.5": {1, -2.5}, "1": nil, "1,2,3": nil, "1,": nil} {
		if got := numbers(text, 2); len(got) != len(want) || want != nil && (got[0] != want[0] || got[1] != want[1]) {
			t.Errorf("%q: %v", text, got)
		}
	}
	if archive.NearestZoom(math.NaN()) != 0 || archive.NearestZoom(-1) != 0 || archive.NearestZoom(7.9) != 7 {
		t.Error("zooms are not bounded")
	}
	if d := descriptionOf(map[string]string{"bounds": "NaN,NaN,NaN,NaN", "center": "NaN,0,0"}); d != (archive.Description{}) {
		t.Errorf("got %+v", d)
	}
}

func TestAFileThatChangedIsAnError(t *testing.T) {
	path := write(t, "map.mbtiles", archive.Description{Format: archive.PNG}, archivetest.Tiles(20))
	a := openFile(t, path)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Tiles(t.Context(), []archive.Position{{}}); !errors.Is(err, source.ErrChanged) {
		t.Errorf("got %v", err)
	}
	if b := openFile(t, path); b.Version() == a.Version() {
		t.Errorf("both versions are %s", a.Version())
	}
}

func TestManyReadAtATime(t *testing.T) {
	tiles := archivetest.Tiles(300)
	a := openFile(t, write(t, "map.mbtiles", archive.Description{Format: archive.PNG}, tiles))
	var readers sync.WaitGroup
	for range 3 * connections {
		readers.Go(func() {
			for _, tile := range tiles {
				if got, err := a.Tiles(context.Background(), []archive.Position{tile.Position}); err != nil || !bytes.Equal(got[0], tile.Content) {
					t.Errorf("tile %v is %q, %v", tile.Position, got, err)
					return
				}
			}
		})
	}
	readers.Wait()
}

// With -fuzzminimizetime 1x: what SQLite executes differs from run to run, so minimizing finds no end.
func FuzzArchive(f *testing.F) {
	folder := f.TempDir()
	for _, tiles := range [][]archive.Tile{archivetest.Tiles(1), archivetest.Tiles(60)} {
		path := filepath.Join(folder, "seed.mbtiles")
		w, err := Create(context.Background(), path, Options{Description: archive.Description{Format: archive.PNG}})
		if err != nil {
			f.Fatal(err)
		}
		if err := errors.Join(w.Put(context.Background(), tiles), w.Finish(context.Background())); err != nil {
			f.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "map.mbtiles")
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		a, err := Open(t.Context(), path)
		if err != nil {
			return
		}
		defer a.Close()
		contents, err := a.Tiles(t.Context(), []archive.Position{{}, {Zoom: 1}, {Zoom: 2, X: 1, Y: 3}})
		if err == nil && len(contents) != 3 {
			t.Errorf("%d tiles", len(contents))
		}
		if err := a.Description().Check(); err != nil {
			t.Errorf("the description is not valid: %v", err)
		}
	})
}
