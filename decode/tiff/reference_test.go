package tiff

import (
	"bufio"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode"
	"tileserver/decode/pool"
	"tileserver/integration/realfiles"
	"tileserver/raster"
	"tileserver/source"
)

// reference is what other software found in a file.
type reference struct {
	Path      string
	Width     int
	Height    int
	Bands     int
	Block     []int
	DType     string
	NoData    any
	Overviews [][]int
	EPSG      int
	PixelMD5  string `json:"pixel_md5"`
	Raw       struct {
		Bands    int
		PixelMD5 string `json:"pixel_md5"`
	}
	RawBytes  int64 `json:"raw_bytes"`
	TIFF      struct{ IFDs []map[string]any }
	Open      string
	ReadError bool `json:"read_error"`
	Stats     [][]float64

	OverviewMD5  []string `json:"ovr_md5"`
	MaskMD5      string   `json:"mask_md5"`
	GeoTransform []float64
	Structure    struct{ Compression string } `json:"image_structure"`
	SubDatasets  []struct {
		Width, Height int
		PixelMD5      string `json:"pixel_md5"`
	}
}

// testdataFolder returns the folder of real files. With -short, tests that need it are skipped.
func testdataFolder(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: no real files are read")
	}
	return realfiles.Folder(t, "EXPECTED.jsonl")
}

func references(t *testing.T, folder, prefix string) []reference {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []reference
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r reference
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(r.Path, prefix) {
			all = append(all, r)
		}
	}
	return all
}

func testPool() *pool.Pool {
	return pool.New(pool.Config{Workers: 2})
}

func openFile(t testing.TB, path string) (*File, error) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Open(t.Context(), source.NewBytes(path, data), Config{Pool: testPool()})
}

// planesOf reads a whole level, each band row by row.
func planesOf(t testing.TB, m *Image, level int) ([][]byte, error) {
	t.Helper()
	return planesWithin(t, m, level, m.Info().Levels[level].Bounds(), m.Info().AllBands())
}

// planesWithin reads an area of a level, one row of blocks at a time.
func planesWithin(t testing.TB, m *Image, level int, area raster.Rect, bands []int) ([][]byte, error) {
	t.Helper()
	l, size := m.Info().Levels[level], m.Info().Type.Size()
	planes := make([][]byte, len(bands))
	for b := range planes {
		planes[b] = make([]byte, area.Width()*area.Height()*size)
	}
	for top := area.Y0; top < area.Y1; {
		rows := area
		rows.Y0, rows.Y1 = top, min((top/l.BlockHeight+1)*l.BlockHeight, area.Y1)
		top = rows.Y1
		ids := l.Covering(rows)
		tiles, err := m.Blocks(t.Context(), level, ids, bands)
		if err != nil {
			return nil, err
		}
		if err := damageOf(tiles); err != nil {
			return nil, err
		}
		for i, tile := range tiles {
			block := l.Block(ids[i])
			shared := block.Intersect(rows)
			for b := range planes {
				for y := shared.Y0; y < shared.Y1; y++ {
					from := tile.Plane(b)[((y-block.Y0)*block.Width()+shared.X0-block.X0)*size:]
					copy(planes[b][((y-area.Y0)*area.Width()+shared.X0-area.X0)*size:], from[:shared.Width()*size])
				}
			}
		}
	}
	return planes, nil
}

// damagedError means that some of the pixels are lost.
type damagedError struct{ damage raster.Damage }

func (e *damagedError) Error() string {
	return fmt.Sprintf("lost: %v, the first: %s", e.damage, e.damage.Losses()[0].Text)
}

func (e *damagedError) Unwrap() error { return decode.ErrCorruptBlock }

// damageOf returns what is lost of some tiles, or nil.
func damageOf(tiles []raster.Tile) error {
	for _, tile := range tiles {
		if d := tile.Damage(); !d.IsZero() {
			return &damagedError{d}
		}
	}
	return nil
}

func checksum(planes [][]byte) string {
	sum := md5.New()
	for _, p := range planes {
		sum.Write(p)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
