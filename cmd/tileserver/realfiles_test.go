package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/cmd/tileserver/render"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/decode"
	"tileserver/integration/realfiles"
	"tileserver/layer"
	"tileserver/layer/areas"
)

// manifest lists the TIFFs that the reference could read, each as its columns.
func manifest(t *testing.T, folder string) []map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	header := strings.Split(lines[0], "\t")
	var files []map[string]string
	for _, line := range lines[1:] {
		columns := strings.Split(line, "\t")
		file := make(map[string]string)
		for i, name := range header {
			file[name] = columns[i]
		}
		if strings.HasPrefix(file["path"], "tiff/") && file["status"] == "ok" {
			files = append(files, file)
		}
	}
	return files
}

// different lists known differences between info and the reference: fields by file, with the
// reason.
var different = map[string]string{
	// The reference adds opacity to what it turns from CIELAB into colors.
	"tiff/libtiff.net/lab8-lzw.tif":                 "bands",
	"tiff/twelvemonkeys/ColorCheckerCalculator.tif": "bands",
	"tiff/pillow/lab-green.tif":                     "bands",
	"tiff/pillow/lab-red.tif":                       "bands",
	"tiff/gdal/cielab.tif":                          "bands",

	// The reference makes colors of four inks and an alpha band.
	"tiff/libtiff.net/unknown-tags.tif": "bands",

	// The reference has 24 bits with a sign as 32 bits without one.
	"tiff/gdal/int24.tif": "dtype",

	// The reference takes the successor of a code that is out of use.
	"tiff/geotools/bogot.tiff": "epsg",

	// The reference tells the system of the file, and not that in which its RPCs place it.
	"tiff/gdal/byte_rpc.tif": "epsg",

	// The reference has heights in the system, for which no code is of both.
	"tiff/geotools/rat.tiff":                    "epsg",
	"tiff/gdal/epsg26711_3855_geotiff1_1.tif":   "epsg",
	"tiff/gdal/epsg32631_4979_geotiff1_1.tif":   "epsg",
	"tiff/gdal/epsg4979_geotiff1_1.tif":         "epsg",
	"tiff/gdal/compdcrs_no_citation.tif":        "epsg",
	"tiff/gdal/compdcrs_without_gtcitation.tif": "epsg",

	// The reference knows the system, but does not tell its code.
	"tiff/gdal/WGS_1984_Web_Mercator_Auxiliary_Sphere.tif":                           "epsg",
	"tiff/gdal/projected_GTCitationGeoKey_with_underscore_and_GeogTOWGS84GeoKey.tif": "epsg",
	"tiff/gdal/projection_3856.tif":                                                  "epsg",
}

func TestInfoAgreesWithTheManifest(t *testing.T) {
	folder := realfiles.Folder(t, "MANIFEST.tsv")
	matched := 0
	for _, want := range manifest(t, folder) {
		text := mustRun(t, "info", "--json", filepath.Join(folder, filepath.FromSlash(want["path"])))
		var info promised
		if err := json.Unmarshal([]byte(text), &info); err != nil {
			t.Fatalf("%s: %v", want["path"], err)
		}
		differences := info.compare(want)
		switch known := different[want["path"]]; {
		case len(differences) == 0 && known == "":
			matched++
		case strings.Join(differences, " ") != known:
			t.Errorf("%s: differs in %q, but is known to differ in %q: %s", want["path"], differences, known, text)
		}
	}
	if least := 690; matched < least {
		t.Errorf("%d files matched, want at least %d", matched, least)
	}
	t.Logf("%d files matched, %d are known to differ", matched, len(different))
}

// compare returns the fields in which info differs from a line of the manifest.
func (p *promised) compare(want map[string]string) (fields []string) {
	for _, field := range []struct{ name, got, want string }{
		{"width", fmt.Sprint(p.Width), want["width"]},
		{"height", fmt.Sprint(p.Height), want["height"]},
		{"bands", fmt.Sprint(p.Bands), want["bands"]},
		{"dtype", p.DType, typeNames.Replace(want["dtype"])},
		{"block", sizes(p.Block), p.wantedBlock(want)},
		{"overviews", sizes(p.Overviews...), fromLargest(want["overviews"])},
		{"epsg", numberText(p.EPSG), codeOf(want["epsg"])},
		{"nodata", noDataText(p.NoData), noDataText(want["nodata"])},
	} {
		if field.got != field.want {
			fields = append(fields, field.name)
		}
	}
	return fields
}

// typeNames converts the reference's names of data types to numpy's.
var typeNames = strings.NewReplacer("Byte", "uint8", "CFloat32", "complex64", "CFloat64", "complex128", "CInt", "complex_int", "UInt", "uint", "Int", "int", "Float", "float")

// wantedBlock returns the block size of the manifest. The reference splits a single strip
// arbitrarily and clips a tile to the height of the image.
func (p *promised) wantedBlock(want map[string]string) string {
	var width, height int
	if _, err := fmt.Sscanf(want["block"], "%dx%d", &width, &height); err == nil && width == p.Block[0] && p.Block[1] >= p.Height {
		return sizes(p.Block)
	}
	return want["block"]
}

// fromLargest sorts overviews, which the reference lists in the order of the file.
func fromLargest(overviews string) string {
	all := strings.Fields(overviews)
	width := func(size string) int {
		n, _ := strconv.Atoi(size[:strings.IndexByte(size, 'x')])
		return n
	}
	slices.SortStableFunc(all, func(a, b string) int { return width(b) - width(a) })
	return strings.Join(all, " ")
}

// codeOf returns the EPSG code of a reference system; none for a system with a name but no code.
// Control points are in a system with a code.
func codeOf(epsg string) string {
	if strings.HasPrefix(epsg, "named:") {
		return ""
	}
	return strings.TrimPrefix(epsg, "GCP ")
}

func sizes(all ...[2]int) string {
	var texts []string
	for _, size := range all {
		texts = append(texts, fmt.Sprintf("%dx%d", size[0], size[1]))
	}
	return strings.Join(texts, " ")
}

func numberText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// noDataText formats a sample from JSON or from text, which may be empty.
func noDataText(value any) string {
	text := fmt.Sprint(value)
	if number, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(number, 'g', 6, 64)
	}
	return strings.TrimPrefix(text, "<nil>")
}

func TestEveryFileHasAPreview(t *testing.T) {
	folder := realfiles.Folder(t, "MANIFEST.tsv")
	shown, unsupported := 0, 0
	for _, file := range manifest(t, folder) {
		path := filepath.Join(folder, filepath.FromSlash(file["path"]))
		request := layer.Request{Area: areas.Preview{MaxSize: 64}, Format: layer.PNG}
		picture, err := render.File(t.Context(), render.Config{Files: new(program).files(), InFlight: config.Default().InFlight}, dataset.Address{Path: path, Number: 1}, request)
		switch {
		case errors.Is(err, decode.ErrUnsupported):
			unsupported++
		case err != nil:
			t.Error(err)
		case len(picture.Bytes) > 0:
			shown++
		}
	}
	if least := 599; shown < least {
		t.Errorf("%d files shown, want at least %d", shown, least)
	}
	t.Logf("%d files shown, %d are of kinds that are not supported", shown, unsupported)
}
