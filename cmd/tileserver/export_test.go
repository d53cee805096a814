package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/archive"
	"tileserver/archive/mbtiles"
	"tileserver/archive/pmtiles"
	"tileserver/cmd/tileserver/export"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/decode/tiff/tifftest"
	"tileserver/source"
)

// exportedFile writes a file of several blocks that has overviews.
func exportedFile(t *testing.T, overviews int) string {
	img := placed()
	return writeTIFF(t, "a.tif", tifftest.File{Images: append([]tifftest.Image{img}, tifftest.Overviews(img, overviews)...)})
}

// countFiles returns how many tiles a folder has.
func countFiles(t *testing.T, folder string) (count int) {
	t.Helper()
	err := filepath.WalkDir(folder, func(_ string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && entry.Name() != "tiles.json" {
			count++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

func TestMistakesOfExportsAreExplained(t *testing.T) {
	good := exportedFile(t, 1)
	unplaced := smallTIFF(t)
	out := filepath.Join(t.TempDir(), "out")
	yaml := writeFile(t, t.TempDir(), "a.yaml", "layers:\n  - {id: one, path: '"+good+"'}\n")
	for _, test := range []struct {
		args string
		says string
	}{
		{"", "export needs an output"},
		{out, "export needs a file and an output"},
		{good + " " + filepath.Dir(good), "exists already; remove it"},
		{good + " " + out + " --zooms ten", `--zooms must be such as 5-17 or 12, not "ten"`},
		{good + " " + out + " --zooms 9-5", "--zooms must be such as 5-17"},
		{good + " " + out + " --zooms 20-30", "the last zoom of WebMercatorQuad is 24"},
		{good + " " + out + " --format tif", `--format must be jpg, png, webp or auto, not "tif"`},
		{good + " " + out + " --bbox 1,2,3", "--bbox must be west,south,east,north"},
		{good + " " + out + " --bbox 3,0,1,2", "with west < east"},
		{good + " " + out + " --bbox -400,1,2,2", "from -180,-90 to 180,90"},
		{good + " " + filepath.Join(out+"s", "tiles"), "there is no folder " + out + "s"},
		{good + " " + out + " --bbox 1,1,2,2", "--bbox 1,1,2,2 touches nothing of the layer"},
		{good + " " + out + " --tms image --bbox 1,1,2,2", "--bbox is a place on the earth"},
		{good + " " + out + " --tms WebMercator", `did you mean "WebMercatorQuad"?; use WebMercatorQuad, `},
		{unplaced + " " + out, "cannot be shown in --tms WebMercatorQuad; use image"},
		{good + " " + out + ".pmtiles --tms image", "archives have tiles of WebMercatorQuad only"},
		{good + " " + out + ".zip", "export writes to a folder, or to a file whose name ends in .pmtiles or .mbtiles"},
		{good + " " + out + " --on-error perhaps", "--on-error must be stop or skip"},
		{good + " " + out + " --workers 0", "--workers must be at least 1"},
		{good + " " + out + " --memory 1MiB", "--memory must be at least 16MiB, not 1MiB"},
		{good + " " + out + " --colormap_name virids", `did you mean "viridis"?`},
		{good + " " + out + " --quality 500", "quality"},
		{good + " " + out + " --style sepia", `the layer has no style "sepia"`},
		{good + " " + good + " " + out + " --tms image", "several layers need a set that they have in common"},
		{out + " --layer one", "--layer needs --config"},
		{out + " --config " + yaml, "--config needs --layer"},
		{good + " " + out + " --layer one --config " + yaml, "not both"},
		{out + " --layer two --config " + yaml, `--layer two: there is no layer "two"`},
		{good + ".gone " + out, "no such file or folder"},
	} {
		code, _, stderr := runProgram(t, append([]string{"export"}, strings.Fields(test.args)...)...)
		if code != exitUsage || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: exit code %d, %s", test.args, code, stderr)
		}
		if left, _ := filepath.Glob(out + "*"); len(left) != 0 {
			t.Errorf("%s: %v is left", test.args, left)
		}
	}
}

func TestABoxLimitsTheTiles(t *testing.T) {
	path, folder := exportedFile(t, 1), t.TempDir()
	count := func(name string, options ...string) int {
		out := filepath.Join(folder, name)
		mustRun(t, append([]string{"export", path, out, "--zooms", "12"}, options...)...)
		return countFiles(t, out)
	}
	if got := count("all"); got != 6 {
		t.Errorf("there are %d tiles, want 6", got)
	}
	if got := count("box", "--bbox", "13.37,52.66,13.46,52.69"); got != 2 {
		t.Errorf("in a box there are %d tiles, want 2", got)
	}
}

// Tiles in which the image has no pixels are blank, or left out.
func TestEmptyTilesMayBeLeftOut(t *testing.T) {
	img := placed()
	img.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 400000, OriginY: 5800000, PixelX: 10, PixelY: 10})
	path, folder := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{img}}), t.TempDir()
	all, some := filepath.Join(folder, "all"), filepath.Join(folder, "some")
	mustRun(t, "export", path, all, "--zooms", "17")
	mustRun(t, "export", path, some, "--zooms", "17", "--skip-empty")
	if all, some := countFiles(t, all), countFiles(t, some); some >= all || some < all/2 {
		t.Errorf("there are %d tiles, and %d without empty ones", all, some)
	}
}

// openArchive opens an archive in a file.
func openArchive(t *testing.T, path string) archive.Reader {
	t.Helper()
	if filepath.Ext(path) == ".mbtiles" {
		a, err := mbtiles.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, err := pmtiles.Open(t.Context(), source.NewBytes(path, data), pmtiles.NewDirectories(nil))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// tilesAround returns the tiles of a zoom that are at the image of placed, or next to it.
func tilesAround(zoom uint8) (positions []archive.Position) {
	for x := 2200 << zoom >> 12; x <= 2203<<zoom>>12; x++ {
		for y := 1340 << zoom >> 12; y <= 1342<<zoom>>12; y++ {
			positions = append(positions, archive.Position{Zoom: zoom, X: uint32(x), Y: uint32(y)})
		}
	}
	return positions
}

func TestArchivesHaveTheTilesOfAFolder(t *testing.T) {
	path, folder := exportedFile(t, 1), t.TempDir()
	out := filepath.Join(folder, "tiles")
	mustRun(t, "export", path, out, "--zooms", "9-13", "--format", "webp")
	for _, name := range []string{"a.pmtiles", "a.mbtiles"} {
		mustRun(t, "export", path, filepath.Join(folder, name), "--zooms", "9-13", "--format", "webp")
		a := openArchive(t, filepath.Join(folder, name))
		d := a.Description()
		if d.Format != archive.WebP || d.MinZoom != 9 || d.MaxZoom != 13 || d.Bounds.West < 13 || d.Bounds.East > 14 || d.Name != "a.tif" {
			t.Errorf("%s says %+v", name, d)
		}
		tiles := 0
		for zoom := uint8(8); zoom <= 14; zoom++ {
			positions := tilesAround(zoom)
			contents, err := a.Tiles(t.Context(), positions)
			if err != nil {
				t.Fatal(err)
			}
			for i, position := range positions {
				file, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(position.String())+".webp"))
				if (err == nil) != (contents[i] != nil) || string(file) != string(contents[i]) {
					t.Errorf("%s: tile %v differs", name, position)
				}
				if err == nil {
					tiles++
				}
			}
		}
		if want := countFiles(t, out); tiles != want {
			t.Errorf("%s: %d tiles were compared, want %d", name, tiles, want)
		}
	}
}

// runExport exports a file and returns its catalog.
func runExport(t *testing.T, path string, args ...string) *export.Catalog {
	t.Helper()
	set, options := usage.Options("export"), new(export.Options)
	options.Define(set)
	if _, err := usage.Parse(set, args); err != nil {
		t.Fatal(err)
	}
	run := export.Run{Options: options, Files: []string{path}, Out: filepath.Join(t.TempDir(), "out"), Stderr: io.Discard}
	p := program{stdout: io.Discard, stderr: io.Discard}
	if err := run.Open(export.CatalogConfig{Files: p.files()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(run.Close)
	if err := p.addInputs(t.Context(), new(config.Config), &run); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	return run.Catalog
}

// blocksOf returns how many blocks a level has, from the finest on.
func blocksOf(levels int) (count int64) {
	for level := range levels {
		width, height := (600+1<<level-1)>>level, (400+1<<level-1)>>level
		count += int64((width+127)/128) * int64((height+63)/64)
	}
	return count
}

func TestEachBlockIsDecodedOnce(t *testing.T) {
	catalog := runExport(t, exportedFile(t, 2), "--zooms", "8-14")
	if got, want := catalog.Opener.Pool.Stats().Decoded, blocksOf(3); got != want {
		t.Errorf("%d blocks were decoded, want %d", got, want)
	}
}

func TestMissingOverviewsAreBuiltOnceBeforeTheTiles(t *testing.T) {
	catalog := runExport(t, exportedFile(t, 0), "--zooms", "8-14", "--workers", "4")
	stats := catalog.Stats()
	if got := catalog.Opener.Pool.Stats().Decoded; stats.Overviews.Built != 1 || got > 2*blocksOf(1) {
		t.Errorf("overviews were built %d times, %d blocks of %d were decoded", stats.Overviews.Built, got, blocksOf(1))
	}
}

func TestTilesOfDamagedBlocksEndAnExportOrAreLeftOut(t *testing.T) {
	path := exportedFile(t, 0)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(data) / 3; i < len(data)/3+2000; i++ {
		data[i] = 0xff
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	code, _, stderr := runProgram(t, "export", path, out, "--zooms", "12")
	if code != exitFailure || !strings.Contains(stderr, "tile 12/22") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	code, _, stderr = runProgram(t, "export", path, out, "--zooms", "12", "--on-error", "skip")
	if code != exitUsage || !strings.Contains(stderr, "--on-error was stop, and is skip") {
		t.Errorf("other options: exit code %d: %s", code, stderr)
	}
	if err := os.RemoveAll(out + ".part"); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := runProgram(t, "export", path, out, "--zooms", "12", "--on-error", "skip")
	files := countFiles(t, out)
	if code != exitDamaged || files == 0 || files == 6 || !strings.Contains(stderr, "damaged tile") || !strings.Contains(stdout, "tiles") {
		t.Errorf("exit code %d, %d tiles: %s%s", code, files, stdout, stderr)
	}
}
