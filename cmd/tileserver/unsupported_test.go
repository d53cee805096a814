package main

import (
	"strings"
	"testing"
)

func TestUnsupportedFormatsAreNamed(t *testing.T) {
	for head, want := range map[string]string{
		"":                            "the file is empty",
		"NITF01.10030018":             "NITF 1.1: unsupported",
		"NITFW0000":                   "an edition named \"NITFW0000\": unsupported",
		"NITF":                        "the file ends within the name of the format",
		"\x89PNG\r\n\x1a\n\x00":       "this is a PNG file",
		"\xff\xd8\xff\xe0\x00\x10":    "this is a JPEG file",
		"RIFF\x00\x01\x02\x03WEBPVP8": "this is a WebP file",
		"\x89HDF\r\n\x1a\n":           "this is an HDF5 or NetCDF-4 file",
		"GRIB\x00\x00":                "this is a GRIB file",
		"PK\x03\x04\x14":              "this is a ZIP archive",
		"%PDF-1.7":                    "this is a PDF file",
		"SQLite format 3\x00":         "this is an SQLite database, such as GeoPackage or MBTiles",
		"Dear diary":                  "unknown format",
		"RIFF":                        "unknown format",
	} {
		path := writeFile(t, t.TempDir(), "scene.tif", head)
		for _, args := range [][]string{{"info", path}, {"read", path, "-o", path + ".raw"}, {"render", path, "-o", path + ".png"}} {
			code, _, stderr := runProgram(t, args...)
			if code != exitFailure || !strings.Contains(stderr, want) {
				t.Errorf("%s of %q: exit code %d, %s; want %q", args[0], head, code, stderr, want)
			}
		}
	}
}
