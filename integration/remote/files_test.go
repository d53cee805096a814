package remote

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/tiff/tifftest"
	"tileserver/integration/realfiles"
)

// noise returns samples that no compression makes small, so that files have more bytes than is read of them
// when they are opened.
func noise(x, y, band int) float64 {
	v := uint32(x+2003*(y+1999*band)) * 2654435761
	v = (v ^ v>>15) * 2246822519
	return float64((v ^ v>>13) >> 24)
}

func place() []tifftest.Tag {
	return tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, OriginX: 1_000_123, OriginY: 6_000_456, PixelX: 5, PixelY: 5})
}

func withOverviews(t *testing.T, f tifftest.File, img tifftest.Image, count int) []byte {
	t.Helper()
	f.Images = append([]tifftest.Image{img}, tifftest.Overviews(img, count)...)
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// blocky is a map whose tiles need several blocks each.
func blocky(t *testing.T, value func(x, y, band int) float64) []byte {
	return withOverviews(t, tifftest.File{COG: true}, tifftest.Image{
		Width: 1201, Height: 901, Samples: 3, Photometric: tifftest.RGB, Tiled: true, BlockWidth: 112, BlockHeight: 96, Value: value, Tags: place(),
	}, 3)
}

// madeFiles returns files of several kinds, by name.
func madeFiles(t *testing.T) map[string][]byte {
	return map[string][]byte{
		"blocky.tif": blocky(t, noise),
		"heights.tif": withOverviews(t, tifftest.File{COG: true, BigTIFF: true, BigEndian: true}, tifftest.Image{
			Width: 801, Height: 603, Bits: 16, Tiled: true, BlockWidth: 128, BlockHeight: 128, Compression: tifftest.LZW, NoData: "0",
			Value: func(x, y, _ int) float64 { return float64(x*y/97) + noise(x, y, 0) },
			Tags:  place(),
		}, 2),
		"photo.tif": withOverviews(t, tifftest.File{COG: true, Ghost: ghost}, tifftest.Image{
			Width: 1001, Height: 703, Samples: 3, Photometric: tifftest.YCbCr, Tiled: true, Compression: tifftest.JPEGBlocks, JPEG: tifftest.JPEG{Subsampled: true, Quality: 90},
			Value: func(x, y, band int) float64 { return float64((x*(band+2)/3+y*y/64)%200) + noise(x, y, band)/5 },
			Tags:  place(),
		}, 2),
		"strips.tif": withOverviews(t, tifftest.File{}, tifftest.Image{
			Width: 431, Height: 509, Samples: 4, Bits: 16, BlockHeight: 13, Planar: true, Compression: tifftest.Deflate, Predictor: 2, Value: noise,
		}, 1),
		"lossless.j2k": jp2ktest.Wide().Codestream(),
	}
}

// ghost says that the file is written as GDAL's driver for COGs does it.
const ghost = "LAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\nBLOCK_LEADER=SIZE_AS_UINT4\nBLOCK_TRAILER=LAST_4_BYTES_REPEATED\nKNOWN_INCOMPATIBLE_EDITION=NO\n "

// realFiles are files of others: a COG, heights, JPEG 2000 and NITF.
var realFiles = []string{"tiff/rio-tiler/cog.tif", "tiff/titiler/dem.tif", "jp2k/jpylyzer/sentinel.jp2", "nitf/imaging-nitf/i_3309a.ntf"}

// writeFiles writes files of all kinds to a folder, and returns their names.
func writeFiles(t *testing.T, folder string) (names []string) {
	t.Helper()
	files := madeFiles(t)
	for _, name := range realFiles {
		data, err := os.ReadFile(filepath.Join(realfiles.Folder(t, name), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = data
	}
	for name, data := range files {
		write(t, filepath.Join(folder, name), data)
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
