package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// lookingAslant returns the numbers of the tag of a sensor over an image of 40 by 30 pixels around
// longitude 11, latitude 47 and 500 m. A pixel is about 100 m, and 100 m higher up the sensor sees
// the ground a pixel further to the west.
func lookingAslant() []float64 {
	const lineNumerator, lineDenominator, sampleNumerator, sampleDenominator = 12, 32, 52, 72
	numbers := make([]float64, 92)
	copy(numbers, []float64{3, 4, 14.5, 19.5, 47, 11, 500, 15, 20, 0.015, 0.02, 1000})
	numbers[lineNumerator+2], numbers[lineDenominator] = -1, 1
	numbers[sampleNumerator+1], numbers[sampleNumerator+3], numbers[sampleDenominator] = 1, 0.5, 1
	return numbers
}

func aslant(more ...tifftest.Tag) tifftest.File {
	const rpc = 50844
	return tifftest.File{Images: []tifftest.Image{{Width: 40, Height: 30, Value: ramp, Tags: append(more, tifftest.Tag{ID: rpc, Value: lookingAslant()})}}}
}

func TestInfoOfAFilePlacedByRPCs(t *testing.T) {
	path := writeTIFF(t, "scene.tif", aslant())
	text := mustRun(t, "info", path)
	for _, want := range []string{
		"crs           WGS 84", "placed        by RPCs at a height of 500 m, with a standard error of 5 m", "bounds        10.980000, 46.985000 to 11.020000, 47.015000 (longitude, latitude)",
		"rpc           around longitude 11, latitude 47, height 500 (tag)",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}

// heights returns a file of heights around the image, all of which are the same.
func heights(t *testing.T, meters float64) string {
	t.Helper()
	return heightsFrom(t, 10.9, meters)
}

// heightsFrom is heights of an area that begins at a longitude.
func heightsFrom(t *testing.T, west, meters float64) string {
	t.Helper()
	content, err := tifftest.File{Images: []tifftest.Image{{
		Width: 30, Height: 20, Bits: 16, Value: func(_, _, _ int) float64 { return meters },
		Tags: tifftest.GeoTIFF(tifftest.Georeference{EPSG: 4326, Geographic: true, OriginX: west, OriginY: 47.1, PixelX: 0.01, PixelY: 0.01}),
	}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// A layer lies on the heights of another one, until those change.
func TestRPCsOnTheHeightsOfALayer(t *testing.T) {
	t.Parallel() // the server checks files only at intervals
	folder := filepath.Dir(writeTIFF(t, "scene.tif", aslant()))
	ground := writeFile(t, folder, "ground.tif", heights(t, 1500))
	config := func(dem string) string {
		return fmt.Sprintf("layers: [{id: scene, path: scene.tif, dem: %s}, {id: heights, path: ground.tif}]", dem)
	}
	path := writeFile(t, folder, "c.yaml", config("heights"))
	s, hangUp := hangingUp(t, append([]string{"serve", "--state", "", "--config", path}, freePorts...)...)
	west := func() float64 {
		_, body := get(t, s.maps+"/layers/scene")
		var layer struct {
			Bounds    []float64
			Placement struct {
				By, DEM       string
				VerticalDatum string `json:"vertical_datum"`
			}
		}
		if err := json.Unmarshal(body, &layer); err != nil || len(layer.Bounds) != 4 || layer.Placement.By != "rpc" || layer.Placement.DEM != "heights" || layer.Placement.VerticalDatum != "ellipsoid" {
			t.Fatalf("%v: %s", err, body)
		}
		return layer.Bounds[0]
	}
	if got, want := west(), 10.97; math.Abs(got-want) > 1e-9 {
		t.Errorf("the image begins at %v, want %v", got, want)
	}
	if status, body := get(t, s.maps+"/layers/scene/preview.png?max_size=64"); status != http.StatusOK {
		t.Errorf("a preview: %d %s", status, body)
	}
	replaceFile(t, ground, heights(t, 2000))
	eventually(t, "the image lies on the changed heights", func() bool {
		get(t, s.maps+"/layers/scene/preview.png?max_size=64") // notices the change
		return math.Abs(west()-10.965) < 1e-9
	})
	replaceFile(t, path, config("hights"))
	hangUp()
	if want := `layers[0].dem: there is no layer \"hights\"`; !strings.Contains(s.stderr.String(), want) {
		t.Errorf("no %q in the log: %s", want, s.stderr.String())
	}
	if got := west(); math.Abs(got-10.965) > 1e-9 {
		t.Errorf("a configuration with a mistake changed the image, which begins at %v", got)
	}
}

// The configuration sets the height, and what places a file that has both.
func TestRPCsOfLayers(t *testing.T) {
	folder := filepath.Dir(writeTIFF(t, "scene.tif", aslant()))
	both, err := aslant(tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32632, OriginX: 600000, OriginY: 5200000, PixelX: 100, PixelY: 100})...).Encode()
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, "both.tif", string(both))
	config := func(height int) string {
		return fmt.Sprintf("layers: [{id: plain, path: scene.tif}, {id: high, path: scene.tif, height: %d}, {id: both, path: both.tif}, {id: preferred, path: both.tif, placement: rpc}]", height)
	}
	path := writeFile(t, folder, "c.yaml", config(1500))
	s, hangUp := hangingUp(t, append([]string{"serve", "--state", "", "--config", path}, freePorts...)...)
	type placed struct {
		Bounds    []float64
		Placement *struct {
			By            string
			Height, Error float64
		}
	}
	describe := func(id string) (p placed) {
		status, body := get(t, s.maps+"/layers/"+id)
		if status != http.StatusOK {
			t.Fatalf("%s: %d", id, status)
		}
		if err := json.Unmarshal(body, &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	check := func(id string, west, height float64) {
		t.Helper()
		p := describe(id)
		if len(p.Bounds) != 4 || !(math.Abs(p.Bounds[0]-west) < 1e-9) {
			t.Errorf("%s: the bounds are %v, want %v first", id, p.Bounds, west)
		}
		if p.Placement == nil || p.Placement.By != "rpc" || p.Placement.Height != height || p.Placement.Error != 5 {
			t.Errorf("%s: the placement is %+v", id, p.Placement)
		}
	}
	check("plain", 10.98, 500)
	check("high", 10.97, 1500)
	check("preferred", 10.98, 500)
	if p := describe("both"); p.Placement != nil || len(p.Bounds) != 4 || math.Abs(p.Bounds[0]-10.3) > 0.1 {
		t.Errorf("both: the bounds are %v, the placement %+v", p.Bounds, p.Placement)
	}
	tag := func() string {
		response, err := http.Get(s.maps + "/layers/high/preview.png?max_size=40")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.Header.Get("ETag")
	}
	before := tag()
	replaceFile(t, path, config(2000))
	hangUp()
	check("high", 10.965, 2000)
	if after := tag(); before == "" || after == before {
		t.Errorf("the picture has the ETag %s at one height and %s at another", before, after)
	}
	replaceFile(t, path, strings.Replace(config(12345), "placement: rpc", "placement: none", 1))
	hangUp()
	for _, want := range []string{"layers[1].height: must be meters above the ellipsoid, from -10000 to 10000", `layers[3].placement: must be georeference or rpc, not \"none\"`} {
		if !strings.Contains(s.stderr.String(), want) {
			t.Errorf("no %q in the log: %s", want, s.stderr.String())
		}
	}
}

// pictureOf returns a picture of a layer, with its ETag.
func pictureOf(t *testing.T, s *running, id string) (tag, body string) {
	t.Helper()
	response, err := http.Get(s.maps + "/layers/" + id + "/preview.png?max_size=40")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s %v", id, response.StatusCode, content, err)
	}
	return response.Header.Get("ETag"), string(content)
}

// While heights cannot be read, the image that lies on them stays where it was.
func TestHeightsThatFail(t *testing.T) {
	t.Parallel() // the server checks files only at intervals
	folder := filepath.Dir(writeTIFF(t, "scene.tif", aslant()))
	level, slope := heights(t, 1500), heights(t, 2000)
	ground := writeFile(t, folder, "ground.tif", level)
	path := writeFile(t, folder, "c.yaml", "layers: [{id: scene, path: scene.tif, dem: heights}, {id: heights, path: ground.tif}]")
	s, hangUp := hangingUp(t, append([]string{"serve", "--state", "", "--config", path}, freePorts...)...)
	tag, picture := pictureOf(t, s, "scene")
	for _, failure := range []struct{ name, content, want string }{
		{"gone", "", "the heights of layer heights: no such file or folder: " + ground},
		{"no image", "nothing but text", "the heights of layer heights: "},
		{"elsewhere", heightsFrom(t, 20, 1500), "the heights of layer heights: it has none under the image"},
	} {
		replaceFile(t, ground, failure.content)
		if failure.content == "" {
			if err := os.Remove(ground); err != nil {
				t.Fatal(err)
			}
		}
		eventually(t, failure.name+" is logged", func() bool {
			if nowTag, now := pictureOf(t, s, "scene"); nowTag != tag || now != picture {
				t.Fatalf("%s: the picture changed", failure.name)
			}
			return strings.Contains(s.stderr.String(), failure.want)
		})
	}
	hangUp() // the layer is not opened anew
	if nowTag, now := pictureOf(t, s, "scene"); nowTag != tag || now != picture {
		t.Error("the picture changed with a reload")
	}
	replaceFile(t, ground, slope)
	eventually(t, "the image lies on other heights", func() bool {
		nowTag, _ := pictureOf(t, s, "scene")
		return nowTag != tag
	})
}

// The nodata of the layer with the heights applies to them, and its change moves the image.
func TestNoDataOfHeights(t *testing.T) {
	folder := filepath.Dir(writeTIFF(t, "scene.tif", aslant()))
	writeFile(t, folder, "ground.tif", heights(t, 1500))
	config := "layers: [{id: scene, path: scene.tif, height: 500, dem: heights}, {id: heights, path: ground.tif, nodata: 1500}, {id: level, path: scene.tif}]"
	path := writeFile(t, folder, "c.yaml", config)
	s, hangUp := hangingUp(t, append([]string{"serve", "--state", "", "--config", path}, freePorts...)...)
	west := func(id string) float64 {
		_, body := get(t, s.maps+"/layers/"+id)
		var layer struct{ Bounds []float64 }
		if err := json.Unmarshal(body, &layer); err != nil || len(layer.Bounds) != 4 {
			t.Fatalf("%v: %s", err, body)
		}
		return layer.Bounds[0]
	}
	if got, want := west("scene"), west("level"); got != want {
		t.Errorf("without heights the image begins at %v, want %v", got, want)
	}
	replaceFile(t, path, strings.Replace(config, "nodata: 1500", "nodata: 1501", 1))
	hangUp()
	if got, want := west("scene"), 10.97; math.Abs(got-want) > 1e-9 {
		t.Errorf("on the heights the image begins at %v, want %v", got, want)
	}
}

// Settings that cannot be met are mistakes, and those without effect are told.
func TestSettingsForRPCsThatDoNotFit(t *testing.T) {
	folder := filepath.Dir(writeTIFF(t, "scene.tif", aslant()))
	writeFile(t, folder, "plain.tif", heights(t, 1))
	for _, test := range []struct{ layers, want string }{
		{"{id: a, path: scene.tif, dem: a}", `layers[0].dem: a layer cannot lie on its own heights`},
		{"{path: scene.tif, dem: scene}", `layers[0].dem: a layer cannot lie on its own heights`},
		{"{id: a, path: scene.tif, dem: b}, {id: b, path: plain.tif, dem: a}", `layers[0].dem: layer "b" has a dem itself, so it cannot be one`},
		{"{id: a, path: scene.tif, dem: b}, {id: b, path: plain.tif, dem: c}, {id: c, path: plain.tif}", `layers[0].dem: layer "b" has a dem itself, so it cannot be one`},
		{"{id: a, path: plain.tif, placement: rpc}", `plain.tif: it is to be placed by RPCs: it has none`},
		{"{id: a, path: scene.tif, dem: gone}", `layers[0].dem: there is no layer "gone"`},
	} {
		path := writeFile(t, folder, "c.yaml", "layers: ["+test.layers+"]")
		code, _, message := runProgram(t, append([]string{"serve", "--state", "", "--config", path}, freePorts...)...)
		if code == 0 || !strings.Contains(message, test.want) {
			t.Errorf("%s: got %d and %q, want %q", test.layers, code, message, test.want)
		}
	}
	path := writeFile(t, folder, "c.yaml", "layers: [{id: a, path: plain.tif, height: 3, dem: b}, {id: b, path: plain.tif}]")
	s := start(t, append([]string{"serve", "--state", "", "--config", path}, freePorts...)...)
	_, body := get(t, s.maps+"/layers/a")
	for _, setting := range []string{"height", "dem"} {
		note := setting + " has no effect, since the image is not placed by RPCs"
		if !strings.Contains(string(body), note) || !strings.Contains(s.stderr.String(), note) {
			t.Errorf("no %q in %s\nor in the log %s", note, body, s.stderr.String())
		}
	}
	if _, body := get(t, s.maps+"/layers/b"); strings.Contains(string(body), `"notes"`) {
		t.Errorf("notes of a layer without settings: %s", body)
	}
}
