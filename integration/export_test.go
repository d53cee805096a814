package integration

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// unevenGrid is a tile matrix set on which no level halves another.
const unevenGrid = `
tile_matrix_sets:
  - id: Uneven
    title: Scales of paper maps
    crs: http://www.opengis.net/def/crs/EPSG/0/3857
    orderedAxes: [E, N]
    tileMatrices:
`

// unevenLevels returns the levels of a set in Web Mercator, each finer than the one before by a ratio.
func unevenLevels(count, tileSide int, ratio float64) string {
	var levels strings.Builder
	cell := 4 * resolution
	for z := range count {
		side := int(worldWidth/cell/float64(tileSide)) + 1
		fmt.Fprintf(&levels, "      - {id: %q, scaleDenominator: %.9f, cellSize: %.9f, pointOfOrigin: [%.6f, %.6f], tileWidth: %d, tileHeight: %d, matrixWidth: %d, matrixHeight: %d}\n",
			fmt.Sprint(z), cell/0.00028, cell, -worldWidth/2, worldWidth/2, tileSide, tileSide, side, side)
		cell /= ratio
	}
	return unevenGrid + levels.String()
}

// exportedLayers returns the configuration of the layers of these tests.
func exportedLayers(t *testing.T, grid string) string {
	folder := t.TempDir()
	text := fmt.Sprintf(`
layers:
  - {id: colors, path: '%s'}
  - id: heights
    path: '%s'
    styles: [{name: relief, algorithm: hillshade}]
  - {id: plain, path: '%s'}
`, writeTIFF(t, folder, "colors.tif", withOverviews(colors(), 1)), writeTIFF(t, folder, "heights.tif", withOverviews(heights(), 0)),
		writeTIFF(t, folder, "plain.tif", withOverviews(plain(), 0)))
	return writeFile(t, t.TempDir(), "tileserver.yaml", []byte(text+grid))
}

// runExport runs the command, which must succeed.
func runExport(t *testing.T, args ...string) {
	t.Helper()
	if output, err := exec.Command(program(t), append([]string{"export"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("export %v: %v\n%s", args, err, output)
	}
}

// exported returns the files of a folder, by their paths.
func exported(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestExportedTilesAreThoseOfTheServer(t *testing.T) {
	t.Parallel()
	configuration := exportedLayers(t, unevenLevels(5, 200, 1.7))
	s := start(t, "serve", "--config", configuration)
	for _, test := range []struct {
		layer, options string
		set            string // in addresses; empty for the default one
		extension      string // in addresses
		query          string
		tiles          int // at least
	}{
		{"colors", "", "", "png", "", 9},
		{"colors", "--format jpg --zooms 10-14", "", "jpg", "", 20},
		{"colors", "--format webp --quality 40", "", "webp", "?quality=40", 8},
		{"colors", "--format auto --workers 5", "", "auto", "", 8},
		{"colors", "--tms WorldCRS84Quad --format webp", "WorldCRS84Quad", "webp", "", 8},
		{"colors", "--tms Uneven", "Uneven", "png", "", 30},
		{"colors", "--tms image --format jpg", "image", "jpg", "", 9},
		{"colors", "--tms native --format jpg", "native-colors", "jpg", "", 9},
		{"heights", "--style relief --format webp", "", "webp", "?style=relief", 3},
		{"heights", "--rescale 0,400 --colormap_name viridis", "", "png", "?rescale=0,400&colormap_name=viridis", 3},
		{"heights", "--algorithm terrarium --zooms 12", "", "png", "?algorithm=terrarium", 2},
		{"plain", "--tms image --memory 32MiB", "image", "png", "", 3},
	} {
		out := filepath.Join(t.TempDir(), "tiles")
		runExport(t, append(strings.Fields(test.options), "--config", configuration, "--layer", test.layer, out)...)
		files := exported(t, out)
		if len(files) < test.tiles {
			t.Errorf("%s %s: there are %d tiles", test.layer, test.options, len(files))
		}
		delete(files, "tiles.json")
		for name, file := range files {
			tile := strings.TrimSuffix(name, path.Ext(name)) + "." + test.extension
			got := get(t, s.maps+path.Join("/tiles", test.layer, test.set, tile)+test.query)
			if !bytes.Equal(got.body, file) {
				t.Errorf("%s %s: %s differs from what the server sends", test.layer, test.options, name)
			}
		}
	}
}
