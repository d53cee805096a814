package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// taggedPhoto returns a picture with Exif and GPS data, an overview, and a place on the earth.
func taggedPhoto() tifftest.File {
	const rational = 5
	exif := []tifftest.Tag{
		{ID: 33434, Type: rational, Value: []uint32{1, 250}}, {ID: 33437, Type: rational, Value: []uint32{28, 10}},
		{ID: 34850, Value: []uint16{3}}, {ID: 36867, Value: "2026:05:01 12:00:00"},
	}
	gps := []tifftest.Tag{{ID: 1, Value: "N"}, {ID: 2, Type: rational, Value: []uint32{48, 1, 8, 1, 1234, 100}}}
	img := tifftest.Image{
		Width: 133, Height: 71, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 32, NoData: "0", Compression: tifftest.Deflate, Value: ramp,
		Tags: append(tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 5300000, PixelX: 10, PixelY: 10}),
			tifftest.Tag{ID: 270, Value: "a \x1b[31mred\x1b[0m photo"}, tifftest.Tag{ID: 34665, Value: exif}, tifftest.Tag{ID: 34853, Value: gps},
			tifftest.Tag{ID: 60000, Value: []uint32{1, 2}}),
	}
	return tifftest.File{Images: withOverviews(img, 1)}
}

func TestInfoListsTags(t *testing.T) {
	path := writeTIFF(t, "photo.tif", taggedPhoto())
	checkGolden(t, filepath.Join("testdata", "tags", "photo.txt"), mustRun(t, "info", "--tags", path))
	checkGolden(t, filepath.Join("testdata", "tags", "photo.json"), mustRun(t, "info", "--tags", "--json", path))
}

// TestInfoListsTagsOfDamagedFile lists the tags of a file that cannot be opened as an image.
func TestInfoListsTagsOfDamagedFile(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{Width: 33, Height: 21, Value: ramp,
		Tags: []tifftest.Tag{{ID: 258}, {ID: 258, Type: 99, Value: []uint16{8}}, {ID: 277, Value: []uint16{0}}}}}})
	code, _, _ := runProgram(t, "info", path)
	text := mustRun(t, "info", "--tags", path)
	if code == 0 || !strings.Contains(text, "SamplesPerPixel") || !strings.Contains(text, "cannot be read: tag 258 of unknown type 99") {
		t.Errorf("exit code %d of info, and the tags:\n%s", code, text)
	}
	var list struct {
		Directories []struct{ Tags []struct{ Problem string } }
	}
	if err := json.Unmarshal([]byte(mustRun(t, "info", "--json", "--tags", path)), &list); err != nil || len(list.Directories) != 1 {
		t.Errorf("as JSON: %v, %+v", err, list)
	}
}

func TestTagsAreOfWholeTIFFs(t *testing.T) {
	path := writeFile(t, t.TempDir(), "a.jp2", "\x00\x00\x00\x0cjP  \r\n\x87\n")
	pages := writeTIFF(t, "pages.tif", tifftest.File{Images: []tifftest.Image{placed(), placed()}})
	for _, test := range []struct {
		file, want string
		code       int
	}{
		{pages + "#2", "--tags lists all directories of a file: name " + pages + " without #2", 2},
		{writeFile(t, t.TempDir(), "empty.tif", ""), "empty.tif: the file is empty", 2},
		{path, "--tags is for TIFF files, and this is none", 2},
		{filepath.Join(t.TempDir(), "none.tif"), "no such file", 2},
		{t.TempDir(), "a folder", 2},
	} {
		if code, _, stderr := runProgram(t, "info", "--tags", test.file); code != test.code || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit code %d, %s; want %d, %s", test.file, code, stderr, test.code, test.want)
		}
	}
	if code, _, stderr := runProgram(t, "info", "--tags", "--check", pages); code != 2 || !strings.Contains(stderr, "either --tags or --check") {
		t.Errorf("with --check: exit code %d, %s", code, stderr)
	}
}
