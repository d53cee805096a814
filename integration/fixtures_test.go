package integration

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tileserver/decode/tiff/tifftest"
)

// writeTIFF writes a TIFF file into a folder, for the program to serve. The file is old, so that its
// pictures may be cached. With -short it skips the test.
func writeTIFF(t testing.TB, folder, name string, file tifftest.File) string {
	t.Helper()
	skipWithoutProgram(t)
	data, err := file.Encode()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	path := writeFile(t, folder, name, data)
	keepDate(t, path, time.Now().Add(-time.Hour))
	return path
}

func writeFile(t testing.TB, folder, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func withOverviews(img tifftest.Image, count int) tifftest.File {
	return tifftest.File{Images: append([]tifftest.Image{img}, tifftest.Overviews(img, count)...)}
}

// The position of the test layers: the upper left corner of the tile 12/2200/1340 of
// WebMercatorQuad, with the pixel size of that level.
const (
	worldWidth = 40075016.68557849
	resolution = worldWidth / 256 / 4096
	cornerX    = -worldWidth/2 + 2200*256*resolution
	cornerY    = worldWidth/2 - 1340*256*resolution
	cornerTile = "12/2200/1340"
)

func onTheMap() []tifftest.Tag {
	return tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, OriginX: cornerX, OriginY: cornerY, PixelX: resolution, PixelY: resolution})
}

// colors returns an image on the map whose pixels encode their position: red is the column, green
// the row.
func colors() tifftest.Image {
	return tifftest.Image{
		Width: 600, Height: 400, Samples: 3, Tiled: true, BlockWidth: 128, BlockHeight: 64, Compression: tifftest.Deflate,
		Value: func(x, y, band int) float64 { return [...]float64{float64(x % 256), float64(y % 256), 99}[band] },
		Tags:  onTheMap(),
	}
}

// heights returns an image of floats on the map, with nodata at its left edge.
func heights() tifftest.Image {
	return tifftest.Image{
		Width: 301, Height: 199, Bits: 32, Format: tifftest.Float, NoData: "-9999", Compression: tifftest.LZW, BlockHeight: 16,
		Value: func(x, y, _ int) float64 {
			if x < 10 {
				return -9999
			}
			return float64(x) + float64(y)/4
		},
		Tags: onTheMap(),
	}
}

// plain returns an image without a place on the earth.
func plain() tifftest.Image {
	return tifftest.Image{Width: 333, Height: 77, BlockHeight: 10, Value: func(x, y, _ int) float64 { return float64((x + y) % 256) }}
}

// boxOf returns the bbox in EPSG:3857 of a rectangle of pixels of a layer on the map.
func boxOf(x0, y0, x1, y1 float64) string {
	return fmt.Sprintf("%.6f,%.6f,%.6f,%.6f", cornerX+x0*resolution, cornerY-y1*resolution, cornerX+x1*resolution, cornerY-y0*resolution)
}

// overwrite writes data into a file in place, at an offset.
func overwrite(t testing.TB, path string, offset int64, data []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(data, offset); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// repeated returns an image of many blocks that are small to store and slow to read. All blocks
// refer to the same stored bytes.
func repeated(columns, rows, blockSide int) tifftest.Image {
	const tileOffsets, tileByteCounts, headerBytes = 324, 325, 8
	const run, runBytes = 128, 2 // of PackBits
	offsets, sizes := make([]uint32, columns*rows), make([]uint32, columns*rows)
	for i := range offsets {
		offsets[i], sizes[i] = headerBytes, uint32(blockSide*(blockSide/run)*runBytes)
	}
	return tifftest.Image{
		Width: columns * blockSide, Height: rows * blockSide, Tiled: true, BlockWidth: blockSide, BlockHeight: blockSide,
		Compression: tifftest.PackBits, Sparse: func(column, row int) bool { return column+row > 0 },
		Value: func(x, y, _ int) float64 { return 7 },
		Tags:  []tifftest.Tag{{ID: tileOffsets, Value: offsets}, {ID: tileByteCounts, Value: sizes}},
	}
}
