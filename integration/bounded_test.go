//go:build unix

package integration

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// wideSparse returns an image of a gigapixel in one row of tiles, of which one is stored.
func wideSparse(noData string) tifftest.File {
	return tifftest.File{Images: []tifftest.Image{{
		Width: 2_000_000, Height: 512, Tiled: true, BlockWidth: 512, BlockHeight: 512, NoData: noData, Compression: tifftest.Deflate,
		Sparse: func(column, row int) bool { return column != 1000 },
		Value:  func(x, y, _ int) float64 { return float64((x + y) % 250) },
	}}}
}

// A command uses at most 150 MiB more memory than --in-flight grants, whatever size a file
// declares. The samples of these files take far more than that, and the commands read or write all
// of them.
func TestCommandsStayWithinTheirBudget(t *testing.T) {
	const granted, beside = 48 << 20, 150 << 20
	folder, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	writeTIFF(t, folder, "zeros.tif", wideSparse(""))
	writeTIFF(t, folder, "nodata.tif", wideSparse("9"))
	files := corruptFiles(t)
	huge := files[slices.IndexFunc(files, func(path string) bool { return filepath.Base(path) == "edf_c2_1000671.jp2" })] // 18 kB that declare 33555072 x 480 pixels
	commands := [][]string{
		{"read", filepath.Join(folder, "zeros.tif"), "-o", out},
		{"read", filepath.Join(folder, "nodata.tif"), "--window", "7,3,1999000,9", "-o", "/dev/null"},
		{"render", filepath.Join(folder, "nodata.tif"), "-o", out + ".png"},
		{"read", huge, "--level", "4", "-o", out + ".level"},
		{"read", huge, "--level", "4", "--window", "7,3,2097000,6", "-o", "/dev/null"}, // the output is in row order, so blocks are read repeatedly
		{"render", huge, "-o", out + ".png"},
		{"info", huge},
	}
	for i := range commands {
		commands[i] = append(commands[i], "--in-flight", "48MiB")
	}
	for _, r := range runApart(t, commands) {
		name := strings.Join(r.Args, " ")
		if r.Exit < 0 || strings.Contains(r.Output, "goroutine ") {
			t.Errorf("%s: the command crashed: %s", name, r.Output)
		}
		if r.Memory > granted+beside {
			t.Errorf("%s: the command used %d MiB, granted are %d", name, r.Memory>>20, granted>>20)
		}
		if !strings.Contains(name, huge) && r.Exit != 0 {
			t.Errorf("%s: exit code %d: %s", name, r.Exit, r.Output)
		}
	}
	if info, err := os.Stat(out); err != nil || info.Size() != 2_000_000*512 {
		t.Errorf("the samples of zeros.tif: %v, %v", info, err)
	}
}
