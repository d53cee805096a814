package tiff

import (
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/pool"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// FuzzFile opens arbitrary data as a file and reads from it, within bounds.
func FuzzFile(f *testing.F) {
	f.Add(rawFile(0, rawImage()...))
	f.Add(encode(f, tifftest.File{COG: true, Images: scene(true)}))
	for i, compression := range []tifftest.Compression{
		tifftest.None, tifftest.PackBits, tifftest.LZW, tifftest.Deflate, tifftest.ZSTD, tifftest.JPEGBlocks,
	} {
		img := tifftest.Image{
			Width: 19, Height: 21, Value: wave(8, tifftest.Unsigned), Samples: 1 + i%2*2, Tiled: i%2 == 0,
			BlockWidth: 16, BlockHeight: 16, Compression: compression, NoData: "3", Planar: i%3 == 0,
			Tags: tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, PixelX: 1, PixelY: 1}),
		}
		f.Add(encode(f, tifftest.File{BigTIFF: i%2 == 1, BigEndian: i%3 == 1, Images: []tifftest.Image{img}}))
	}
	long := tifftest.Image{Width: 2*columnWidth + 9, Height: 3, BlockHeight: 1, Compression: tifftest.LZW, Value: wave(1, tifftest.Unsigned), Bits: 1}
	f.Add(encode(f, tifftest.File{Images: []tifftest.Image{long}}))
	f.Add(encode(f, tifftest.File{Images: []tifftest.Image{jpeg2000(tifftest.Image{
		Width: 101, Height: 71, Tiled: true, BlockWidth: 64, BlockHeight: 64, Samples: 3, Compression: 33003,
	}, func(m *jp2ktest.Image) { m.Components[1].DX, m.Components[2].DX = 2, 2 })}}))
	for _, img := range unusualImages() {
		f.Add(encode(f, tifftest.File{BigEndian: img.Planar, Images: []tifftest.Image{img}}))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var file *File
		var err error
		pool := pool.New(pool.Config{Workers: 1, Budget: cache.NewBudget(fuzzBudgetBytes)})
		grown := allocatedBy(func() { file, err = Open(t.Context(), source.NewBytes("test", data), Config{Pool: pool}) })
		if grown > maxToOpen {
			t.Fatalf("opening allocated %d MiB", grown>>20)
		}
		if err != nil {
			return
		}
		for _, m := range file.Images()[:min(len(file.Images()), 4)] {
			m.Georeference()
			for level := range m.Info().Levels[:min(len(m.Info().Levels), 4)] {
				readCorners(t, m, level)
			}
		}
	})
}

const (
	fuzzBudgetBytes = 16 << 20

	// maxToOpen is the memory that the limits allow a small file, for values and what is built from
	// them.
	maxToOpen = 160 << 20
	// maxToRead is the budget plus what a JPEG decoder needs.
	maxToRead = fuzzBudgetBytes + 160<<20
)

// readCorners reads the first and the last block of a level.
func readCorners(t *testing.T, m *Image, level int) {
	l := m.Info().Levels[level]
	for _, id := range []raster.BlockID{{}, {Col: l.Columns() - 1, Row: l.Rows() - 1}} {
		var tiles []raster.Tile
		var err error
		grown := allocatedBy(func() { tiles, err = m.Blocks(t.Context(), level, []raster.BlockID{id}, nil) })
		if empty, emptyErr := m.Empty(t.Context(), level, l.Block(id)); err == nil && emptyErr == nil && empty {
			if _, coverage := tiles[0].At(0, 0, 0); coverage != raster.Invalid {
				t.Fatalf("level %d, block %v is empty and has pixels", level, id)
			}
		}
		if err != nil && strings.Contains(err.Error(), "panicked") {
			t.Fatal(err)
		}
		if grown > maxToRead {
			t.Fatalf("level %d, block %v: reading allocated %d MiB", level, id, grown>>20)
		}
		picture, ok, _ := m.StoredPicture(t.Context(), level, m.Info().Levels[level].Block(id))
		if rect := l.Block(id); ok && (picture.Width != rect.Width() || picture.Height != rect.Height() || len(picture.Bytes) == 0) {
			t.Fatalf("level %d, block %v: a picture of %dx%d for one of %v", level, id, picture.Width, picture.Height, rect)
		}
	}
}
