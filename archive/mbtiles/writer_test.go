package mbtiles

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/internal/unfinished"
)

// write writes an archive into a folder of its own, and returns its path.
func write(t *testing.T, name string, d archive.Description, tiles []archive.Tile) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	w, err := Create(t.Context(), path, Options{Description: d, MemoryBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	if err := errors.Join(w.Put(t.Context(), tiles), w.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
	return path
}

// ask returns the rows of a query as text.
func ask(t *testing.T, path, query string) (rows []string) {
	t.Helper()
	database, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	found, err := database.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer found.Close()
	for found.Next() {
		var text string
		if err := found.Scan(&text); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, text)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func tile(zoom uint8, x, y uint32, content string) archive.Tile {
	return archive.Tile{Position: archive.Position{Zoom: zoom, X: x, Y: y}, Content: []byte(content)}
}

func TestTablesAreThoseOfTheSpecification(t *testing.T) {
	path := write(t, "map.mbtiles", archive.Description{
		Name: "A map", Summary: "What it shows", Attribution: "Who made it", Version: "3", IsOverlay: true, Format: archive.JPEG,
		Bounds: archive.Bounds{West: -1.5, South: -2, East: 3, North: 4.25}, Center: archive.Center{Longitude: 1, Latitude: 2, Zoom: 3},
	}, []archive.Tile{tile(2, 1, 0, "a"), tile(3, 7, 2, "b"), tile(3, 0, 7, "a")})
	for query, want := range map[string][]string{
		"SELECT zoom_level || '/' || tile_column || '/' || tile_row || ' ' || tile_data FROM tiles ORDER BY 1": {"2/1/3 a", "3/0/0 a", "3/7/5 b"},
		"SELECT name || '=' || value FROM metadata ORDER BY 1": {
			"attribution=Who made it", "bounds=-1.5,-2,3,4.25", "center=1,2,3", "description=What it shows", "format=jpg", "maxzoom=3",
			"minzoom=2", "name=A map", "type=overlay", "version=3",
		},
		"SELECT count(*) FROM images":                         {"2"},
		"SELECT typeof(tile_data) FROM images WHERE rowid=1":  {"blob"},
		"PRAGMA application_id":                               {fmt.Sprint(0x4d504258)},
		"PRAGMA integrity_check":                              {"ok"},
		"SELECT name FROM sqlite_schema WHERE type = 'index'": {"map_index", "metadata_index"},
	} {
		if got := ask(t, path, query); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s gives %q, want %q", query, got, want)
		}
	}
}

func TestTheSameTilesInTheSameOrderGiveTheSameBytes(t *testing.T) {
	var files [2][]byte
	for i := range files {
		var err error
		if files[i], err = os.ReadFile(write(t, "map.mbtiles", archive.Description{Format: archive.PNG}, archivetest.Tiles(2000))); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the bytes differ")
	}
}

func TestNamesMayHaveAnyCharacters(t *testing.T) {
	for _, name := range []string{"a b.mbtiles", "what?mode=memory", "100%41#.mbtiles", "ü&_pragma=x.mbtiles"} {
		path := write(t, name, archive.Description{Format: archive.PNG}, archivetest.Tiles(3))
		got, err := openFile(t, path).Tiles(t.Context(), []archive.Position{{}})
		if err != nil || !bytes.Equal(got[0], archivetest.Tiles(1)[0].Content) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestADiskThatGetsFullLeavesTheEarlierArchive(t *testing.T) {
	path := write(t, "map.mbtiles", archive.Description{Format: archive.PNG}, archivetest.Tiles(3))
	earlier, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	failures := 0
	for pages := 8; failures < 50; pages += 3 {
		w, err := Create(t.Context(), path, Options{Description: archive.Description{Format: archive.PNG}})
		if err != nil {
			t.Fatal(err)
		}
		// The database may have so many pages: as if there was no room for more.
		if _, err := w.single.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count=%d", pages)); err != nil {
			t.Fatal(err)
		}
		err = w.Put(t.Context(), archivetest.Tiles(600))
		if err == nil {
			err = w.Finish(t.Context())
		}
		if err == nil {
			break
		}
		failures++
		if err := w.Discard(); err != nil {
			t.Error(err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, earlier) {
			t.Fatalf("%d pages: the earlier archive has changed, %v", pages, err)
		}
		if _, err := os.Lstat(path + unfinished.Extension); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%d pages: an unfinished file is left: %v", pages, err)
		}
	}
	if failures < 5 || failures == 50 {
		t.Errorf("%d failures", failures)
	}
	if got := ask(t, path, "SELECT count(*) FROM tiles"); got[0] != "600" {
		t.Errorf("the archive has %s tiles", got)
	}
}
