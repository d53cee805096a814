package archives

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/archive"
)

// colorOf returns the color of a tile.
func colorOf(p archive.Position) color.NRGBA {
	return color.NRGBA{R: uint8(40 + 50*p.X), G: uint8(30 + 45*p.Y), B: 200, A: 255}
}

// colored returns the tiles of zooms, each of its color.
func colored(t *testing.T, minZoom, maxZoom uint8) (tiles []archive.Tile) {
	t.Helper()
	for number := archive.FirstNumber(minZoom); number < archive.FirstNumber(maxZoom+1); number++ {
		position, err := archive.PositionOf(number)
		if err != nil {
			t.Fatal(err)
		}
		picture := image.NewNRGBA(image.Rect(0, 0, 256, 256))
		for at := 0; at < len(picture.Pix); at += 4 {
			c := colorOf(position)
			copy(picture.Pix[at:], []byte{c.R, c.G, c.B, c.A})
		}
		var content bytes.Buffer
		if err := png.Encode(&content, picture); err != nil {
			t.Fatal(err)
		}
		tiles = append(tiles, archive.Tile{Position: position, Content: content.Bytes()})
	}
	return tiles
}

func TestGDALReadsOurMBTiles(t *testing.T) {
	program := find(t, "gdal_translate")
	folder := t.TempDir()
	path, raw := filepath.Join(folder, "map.mbtiles"), filepath.Join(folder, "map.raw")
	writeMBTiles(t, path, archive.Description{Name: "colors", Format: archive.PNG}, colored(t, 0, 2))
	run(t, program, "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", "-b", "1", "-b", "2", "-b", "3", path, raw)
	pixels, err := os.ReadFile(raw)
	if err != nil || len(pixels) != 3*1024*1024 {
		t.Fatalf("%d bytes of pixels, %v", len(pixels), err)
	}
	for x := range uint32(4) {
		for y := range uint32(4) {
			at := 3 * (1024*(128+256*int(y)) + 128 + 256*int(x))
			want := colorOf(archive.Position{Zoom: 2, X: x, Y: y})
			if got := pixels[at : at+3]; got[0] != want.R || got[1] != want.G || got[2] != want.B {
				t.Errorf("the middle of column %d, row %d is %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestWeReadTheMBTilesOfGDAL(t *testing.T) {
	program := find(t, "gdal_translate")
	folder := t.TempDir()
	from, world, to := filepath.Join(folder, "from.mbtiles"), filepath.Join(folder, "world.tif"), filepath.Join(folder, "map.mbtiles")
	writeMBTiles(t, from, archive.Description{Name: "colors", Format: archive.PNG}, colored(t, 2, 2))
	run(t, program, "-q", "-b", "1", "-b", "2", "-b", "3", from, world)
	run(t, program, "-q", "-of", "MBTILES", "-co", "TILE_FORMAT=PNG", world, to)
	a := openMBTiles(t, to)
	if d := a.Description(); d.Format != archive.PNG || d.MaxZoom != 2 || d.Bounds.West > -179.9 || d.Bounds.North < 85 {
		t.Errorf("got %+v", d)
	}
	for _, position := range []archive.Position{{Zoom: 2}, {Zoom: 2, X: 3, Y: 1}, {Zoom: 2, X: 1, Y: 3}} {
		contents, err := a.Tiles(t.Context(), []archive.Position{position})
		if err != nil || contents[0] == nil {
			t.Fatalf("tile %v: %d bytes, %v", position, len(contents), err)
		}
		picture, err := png.Decode(bytes.NewReader(contents[0]))
		if err != nil {
			t.Fatal(err)
		}
		if got := color.NRGBAModel.Convert(picture.At(128, 128)); got != colorOf(position) {
			t.Errorf("tile %v is %v, want %v", position, got, colorOf(position))
		}
	}
}

func TestSQLiteFindsNothingWrongWithOurMBTiles(t *testing.T) {
	program := find(t, "sqlite3")
	path := filepath.Join(t.TempDir(), "map.mbtiles")
	writeMBTiles(t, path, archive.Description{Name: "colors", Format: archive.PNG}, colored(t, 0, 2))
	output, _ := run(t, program, path, "PRAGMA integrity_check; SELECT count(*), sum(length(tile_data) > 0) FROM tiles;")
	if got := strings.Fields(string(output)); fmt.Sprint(got) != "[ok 21|21]" {
		t.Errorf("got %v", got)
	}
}
