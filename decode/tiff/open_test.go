package tiff

import (
	"os"
	"path/filepath"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source/local"
)

// openCases returns the files whose opening is measured.
func openCases() map[string]tifftest.File {
	small := tifftest.Image{
		Width: 500, Height: 400, Samples: 3, BlockHeight: 16, Compression: tifftest.Deflate, Value: wave(8, tifftest.Unsigned), NoData: "0",
		Tags: tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500_000, OriginY: 5_300_000, PixelX: 2, PixelY: 3}),
	}
	cog := small
	cog.Width, cog.Height, cog.Tiled, cog.BlockWidth, cog.BlockHeight = 20_000, 16_000, true, 256, 256
	cog.Sparse = func(column, row int) bool { return column > 0 || row > 0 }
	tiles := manyBlocks()
	tiles.Width, tiles.Height = 5120, 5120 // 102,400 tiles
	images := make([]tifftest.Image, 1000)
	for i := range images {
		images[i] = small
		images[i].Width, images[i].Height = 50, 40
	}
	overviews := []tifftest.Image{cog}
	for i := range 6 {
		half := overview(overviews[i])
		half.Width, half.Height, half.Tags = half.Width/2, half.Height/2, nil
		overviews = append(overviews, half)
	}
	return map[string]tifftest.File{
		"small GeoTIFF":         {Images: []tifftest.Image{small}},
		"COG with 6 overviews":  {COG: true, Images: overviews},
		"BigTIFF, 102400 tiles": {BigTIFF: true, Images: []tifftest.Image{tiles}},
		"1000 images":           {Images: images},
	}
}

// BenchmarkOpen opens files on disk.
func BenchmarkOpen(b *testing.B) {
	for name, file := range openCases() {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "a.tif")
			if err := os.WriteFile(path, encode(b, file), 0o600); err != nil {
				b.Fatal(err)
			}
			pool, shared := testPool(), NewShared(32<<20)
			b.ReportAllocs()
			for b.Loop() {
				s, err := local.Store{}.Open(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				f, err := Open(b.Context(), s, Config{Pool: pool, Shared: shared})
				if err != nil {
					b.Fatal(err)
				}
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestReadsOfOpening counts calls and bytes: a remote file costs time for each call.
func TestReadsOfOpening(t *testing.T) {
	for name, file := range openCases() {
		most := map[string]int{"small GeoTIFF": 2, "COG with 6 overviews": 1, "BigTIFF, 102400 tiles": 1, "1000 images": 15}[name]
		f, src := openCounting(t, file, Config{})
		calls := src.taken()
		var total int64
		for _, call := range calls {
			for _, r := range call {
				total += r.Length
			}
		}
		if len(calls) > most {
			t.Errorf("%s: %d reads of %d bytes, want at most %d", name, len(calls), total, most)
		}
		if _, err := f.Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: %d reads, %d bytes, %d for the first block", name, len(calls), total, len(src.taken()))
	}
}
