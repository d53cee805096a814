package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// promised holds the fields that scripts may rely on.
type promised struct {
	Width, Height, Bands int
	DType, Compression   string
	Block                [2]int
	Overviews            [][2]int
	EPSG                 *int
	NoData               any
}

func infoOf(t *testing.T, path string) (text string, fields map[string]any, info promised) {
	t.Helper()
	text = mustRun(t, "info", "--json", path)
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &info); err != nil {
		t.Fatal(err)
	}
	return text, fields, info
}

func withOverviews(img tifftest.Image, count int) []tifftest.Image {
	return append([]tifftest.Image{img}, tifftest.Overviews(img, count)...)
}

func TestInfoAsJSON(t *testing.T) {
	utm := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 5300000, PixelX: 10, PixelY: 10})
	degrees := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 4326, Geographic: true, OriginX: 10, OriginY: 50, PixelX: 0.1, PixelY: 0.1})
	for _, test := range []struct {
		name string
		file tifftest.File
		want string // of the promised fields, in their order
	}{
		{"plain", tifftest.File{Images: []tifftest.Image{{Width: 33, Height: 21, Value: ramp}}},
			`33 21 1 "uint8" "none" [33,21] [] null null`},
		{"strips of 16 bits, big endian", tifftest.File{BigEndian: true, Images: []tifftest.Image{
			{Width: 33, Height: 21, Bits: 16, BlockHeight: 8, Compression: tifftest.LZW, Predictor: 2, NoData: "65535", Value: ramp}}},
			`33 21 1 "uint16" "lzw" [33,8] [] null 65535`},
		{"tiles with overviews, on the earth", tifftest.File{BigTIFF: true, COG: true, Images: withOverviews(tifftest.Image{
			Width: 133, Height: 71, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 32, Compression: tifftest.Deflate, Tags: utm, Value: ramp}, 2)},
			`133 71 3 "uint8" "deflate" [64,32] [[67,36],[34,18]] 32633 null`},
		{"floats whose NaN is no data", tifftest.File{Images: []tifftest.Image{
			{Width: 20, Height: 31, Bits: 32, Format: tifftest.Float, NoData: "nan", Compression: tifftest.ZSTD, Tags: degrees, Value: ramp}}},
			`20 31 1 "float32" "zstd" [20,31] [] 4326 "nan"`},
		{"doubles whose lowest is no data", tifftest.File{Images: []tifftest.Image{
			{Width: 20, Height: 31, Bits: 64, Format: tifftest.Float, NoData: "-1.7976931348623157e+308", Value: ramp}}},
			`20 31 1 "float64" "none" [20,31] [] null -1.7976931348623157e+308`},
		{"signed", tifftest.File{Images: []tifftest.Image{
			{Width: 20, Height: 31, Bits: 16, Format: tifftest.Signed, NoData: "-9999", Compression: tifftest.PackBits, Value: ramp}}},
			`20 31 1 "int16" "packbits" [20,31] [] null -9999`},
		{"bands apart, as JPEG", tifftest.File{Images: []tifftest.Image{
			{Width: 20, Height: 31, Samples: 2, Planar: true, Tiled: true, BlockWidth: 16, BlockHeight: 48, Compression: tifftest.JPEGBlocks, Value: ramp}}},
			`20 31 2 "uint8" "jpeg" [16,48] [] null null`},
		{"one bit", tifftest.File{Images: []tifftest.Image{{Width: 33, Height: 21, Bits: 1, Value: ramp}}},
			`33 21 1 "uint8" "none" [33,21] [] null null`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, fields, _ := infoOf(t, writeTIFF(t, "a.tif", test.file))
			var got []string
			for _, name := range []string{"width", "height", "bands", "dtype", "compression", "block", "overviews", "epsg", "nodata"} {
				value, ok := fields[name]
				if !ok {
					t.Fatalf("%s is missing in %s", name, text)
				}
				written, err := json.Marshal(value)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(written))
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestInfoForPeople(t *testing.T) {
	img := tifftest.Image{
		Width: 133, Height: 71, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 32, NoData: "0", Compression: tifftest.Deflate, Value: ramp,
		Tags: tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 5300000, PixelX: 10, PixelY: 10}),
	}
	path := writeTIFF(t, "a.tif", tifftest.File{Images: withOverviews(img, 1)})
	text := mustRun(t, "info", path)
	for _, want := range []string{
		"133 x 71", "3 bands of uint8 (red, green, blue)", "deflate", "64 x 32", "overviews     67 x 36\n", "32633", "UTM", "nodata        0", "pixel size    10 x 10, in the units of the crs\nupper left    500000, 5300000\n", "TIFF, little endian, 1 image\n", "8 bits a sample", "15.0", "longitude",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

func TestInfoCountsBandsOfOneColor(t *testing.T) {
	for _, test := range []struct {
		samples int
		want    string
	}{
		{1, "1 band of uint8 (gray)\n"},
		{5, "5 bands of uint8 (gray, undefined, undefined, undefined, undefined)\n"},
		{6, "6 bands of uint8 (gray, 5 times undefined)\n"},
	} {
		path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{Width: 7, Height: 5, Samples: test.samples, Value: ramp,
			Tags: []tifftest.Tag{{ID: 262, Value: []uint16{1}}}}}})
		if text := mustRun(t, "info", path); !strings.Contains(text, test.want) {
			t.Errorf("%d bands: it does not say %q:\n%s", test.samples, test.want, text)
		}
	}
}

func TestInfoDescribesPlacementByControlPoints(t *testing.T) {
	const wgs84 = `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]`
	const onALine = `<GCP Pixel="0" Line="0" X="10" Y="50"/><GCP Pixel="20" Line="0" X="12" Y="50"/><GCP Pixel="40" Line="0" X="14" Y="50"/>`
	for _, test := range []struct{ name, points, want string }{
		{"a plane", onALine + `<GCP Pixel="0" Line="30" X="10" Y="47"/>`, "bounds        10.000000, 47.000000 to 14.000000, 50.000000"},
		{"how", onALine + `<GCP Pixel="0" Line="30" X="10" Y="47"/>`, "through 4 control points"},
		{"nowhere", onALine, "place         not known: the control points do not place the image: they lie on a line"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := writeTIFF(t, "scene.tif", tifftest.File{Images: []tifftest.Image{{Width: 40, Height: 30, Value: ramp}}})
			writeFile(t, filepath.Dir(path), "scene.tif.aux.xml", `<PAMDataset><GCPList Projection='`+wgs84+`'>`+test.points+`</GCPList></PAMDataset>`)
			if text := mustRun(t, "info", path); !strings.Contains(text, test.want) {
				t.Errorf("it does not say %q:\n%s", test.want, text)
			}
		})
	}
}

func TestInfoExplainsAMissingGeoreference(t *testing.T) {
	const wgs84 = `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]`
	for _, test := range []struct{ name, beside, want string }{
		{"all", "", "crs           not known: no georeference found in the file or beside it\n"},
		{"a coordinate system", "<GeoTransform>10, 0.1, 0, 50, 0, -0.1</GeoTransform>", "crs           not known: unknown coordinate reference system: the file names none"},
		{"a place", "<SRS>" + wgs84 + "</SRS>", "place         not known: no coordinates of pixels found in the file or beside it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := writeTIFF(t, "scan.tif", tifftest.File{Images: []tifftest.Image{{Width: 40, Height: 31, Value: ramp}}})
			if test.beside != "" {
				writeFile(t, filepath.Dir(path), "scan.tif.aux.xml", "<PAMDataset>"+test.beside+"</PAMDataset>")
			}
			if text := mustRun(t, "info", path); !strings.Contains(text, test.want) {
				t.Errorf("it does not say %q:\n%s", test.want, text)
			}
		})
	}
}

func TestInfoExplainsAFailedPlacement(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{Width: 20, Height: 31, Value: ramp,
		Tags: tifftest.GeoTIFF(tifftest.Georeference{EPSG: 1234, OriginX: 5, OriginY: 7, PixelX: 1, PixelY: 1})}}})
	_, fields, info := infoOf(t, path)
	if problem, _ := fields["crs_problem"].(string); info.EPSG != nil || !strings.Contains(problem, "1234") {
		t.Errorf("EPSG %v, problem %q", info.EPSG, fields["crs_problem"])
	}
	if text := mustRun(t, "info", path); !strings.Contains(text, "not known") || !strings.Contains(text, "1234") {
		t.Errorf("for people: %s", text)
	}
}

func TestInfoReportsTheCodeOfAnUnsupportedSystem(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{Width: 20, Height: 31, Value: ramp,
		Tags: tifftest.GeoTIFF(tifftest.Georeference{EPSG: 22300, OriginX: 5, OriginY: 7, PixelX: 1, PixelY: 1})}}})
	_, fields, info := infoOf(t, path)
	if problem, _ := fields["crs_problem"].(string); info.EPSG == nil || *info.EPSG != 22300 || !strings.Contains(problem, "9816") {
		t.Errorf("EPSG %v, problem %q", info.EPSG, fields["crs_problem"])
	}
	if text := mustRun(t, "info", path); !strings.Contains(text, "not known") || !strings.Contains(text, "22300") {
		t.Errorf("for people: %s", text)
	}
}

func TestInfoReportsUnsupportedImages(t *testing.T) {
	const compression, nobodyKnows = 259, 60000
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{Width: 20, Height: 31, Bits: 1, Value: ramp,
		Tags: []tifftest.Tag{{ID: compression, Value: []uint16{nobodyKnows}}}}}})
	_, fields, info := infoOf(t, path)
	if unsupported, _ := fields["unsupported"].(string); info.Width != 20 || !strings.Contains(unsupported, "compression 60000") {
		t.Errorf("width %d, unsupported %q", info.Width, fields["unsupported"])
	}
	if text := mustRun(t, "info", path); !strings.Contains(text, "unsupported") {
		t.Errorf("for people: %s", text)
	}
}

func TestUndisplayableSamplesAreReadButNotServed(t *testing.T) {
	const photometric, filterArray = 262, 32803
	sensor := tifftest.File{Images: []tifftest.Image{{Width: 20, Height: 31, Value: ramp,
		Tags: []tifftest.Tag{{ID: photometric, Value: []uint16{filterArray}}}}}}
	path := writeTIFF(t, "sensor.tif", sensor)
	const says = "a camera's sensor"
	_, fields, _ := infoOf(t, path)
	if undisplayable, _ := fields["undisplayable"].(string); !strings.Contains(undisplayable, says) || fields["unsupported"] != nil {
		t.Errorf("undisplayable %q, unsupported %v", undisplayable, fields["unsupported"])
	}
	if text := mustRun(t, "info", path); !strings.Contains(text, says) {
		t.Errorf("for people: %s", text)
	}
	folder := filepath.Dir(path)
	mustRun(t, "read", path, "-o", filepath.Join(folder, "samples"))
	for _, args := range [][]string{
		append([]string{"serve", path}, freePorts...), append([]string{"serve", "--rescan", "0", folder}, freePorts...),
		{"render", path, "-o", filepath.Join(folder, "out.png")},
	} {
		if code, _, stderr := runProgram(t, args...); code != exitFailure || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit code %d, %q", args[0], code, stderr)
		}
	}
	s := start(t, append([]string{"serve", folder, smallTIFF(t)}, freePorts...)...)
	if titles := layerTitles(t, s); len(titles) != 1 || titles["small"] == "" || !strings.Contains(s.stderr.String(), says) {
		t.Errorf("layers %v, log %s", titles, s.stderr)
	}
}

// What info prints as JSON is JSON, of a file that cannot be described too.
func TestInfoPrintsErrorsAsJSON(t *testing.T) {
	folder := t.TempDir()
	text := writeFile(t, folder, "a.txt", "no image")
	scene := writeFile(t, folder, "scene.ntf", sceneNITF())
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{text}, exitFailure, text + ": unknown format; "},
		{[]string{text, "--tags"}, exitUsage, text + ": --tags is for TIFF files"},
		{[]string{scene + "#2"}, exitUsage, scene + "#2: no image 2 in the file; it has 1"},
		{[]string{filepath.Join(folder, "none.tif")}, exitUsage, "no such file or folder: "},
	} {
		code, stdout, stderr := runProgram(t, append([]string{"info", "--json"}, test.args...)...)
		var document map[string]string
		if err := json.Unmarshal([]byte(stdout), &document); err != nil || code != test.code || !strings.HasPrefix(document["error"], test.want) {
			t.Errorf("%q: exit code %d, %v, it prints %s", test.args, code, err, stdout)
		}
		if !strings.HasPrefix(stderr, "tileserver: "+test.want) {
			t.Errorf("%q: it says %s", test.args, stderr)
		}
	}
	if code, stdout, _ := runProgram(t, "info", "--json"); code != exitUsage || stdout != "" {
		t.Errorf("without a file: exit code %d, it prints %s", code, stdout)
	}
}
