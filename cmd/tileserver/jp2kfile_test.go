package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tileserver/cmd/tileserver/render"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/tiff/tifftest"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
)

// The scene is the same color picture in both formats, 333 x 257 pixels.
const sceneWidth, sceneHeight = 333, 257

func sceneSample(band, x, y int) int { return (x*(band+2) + y*3 + x*y/64) % 256 }

// sceneJP2K returns the scene as a codestream with a number of quality layers.
func sceneJP2K(layers int) string {
	component := codestream.Component{Bits: 8, DX: 1, DY: 1}
	return string(jp2ktest.Image{
		Header: codestreamtest.Header{
			Image:      wavelet.Rect{X1: sceneWidth, Y1: sceneHeight},
			Components: []codestream.Component{component, component, component},
			Coding:     codestreamtest.Coding{Levels: 3, Layers: layers, MultipleComponentTransform: true},
		},
		Sample: func(band, x, y int) int64 { return int64(sceneSample(band, x, y)) },
	}.Codestream())
}

func sceneTIFF(t *testing.T) string {
	t.Helper()
	data, err := tifftest.File{Images: []tifftest.Image{{
		Width: sceneWidth, Height: sceneHeight, Samples: 3,
		Value: func(x, y, band int) float64 { return float64(sceneSample(band, x, y)) },
	}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The content decides the format, not the name. Lossless files give the same pictures in every
// format.
func TestEqualPixelsGiveEqualPictures(t *testing.T) {
	folder := t.TempDir()
	tiles := make(map[string][]byte)
	for name, content := range map[string]string{
		"a.tif": sceneTIFF(t), "b.j2k": sceneJP2K(1), "c.tif": sceneJP2K(4), "d.jp2": sceneTIFF(t), "e.ntf": sceneNITF(),
	} {
		path := writeFile(t, folder, name, content)
		for _, at := range []geo.TileID{{Z: 1}, {Z: 1, X: 1, Y: 1}} {
			request := layer.Request{Area: areas.Tile{TileSet: "image", Tile: at}, Format: layer.PNG}
			picture, err := render.File(t.Context(), render.Config{Files: new(program).files(), InFlight: config.Default().InFlight}, dataset.Address{Path: path, Number: 1}, request)
			if err != nil {
				t.Fatal(err)
			}
			key := fmt.Sprint(at)
			if tiles[key] == nil {
				tiles[key] = picture.Bytes
			}
			if !bytes.Equal(picture.Bytes, tiles[key]) {
				t.Errorf("%s: tile %v is another one than that of the other files", name, at)
			}
		}
	}
}

func TestUnknownFormatsAreReported(t *testing.T) {
	path := writeFile(t, t.TempDir(), "notes.jp2", "Dear diary")
	code, _, stderr := runProgram(t, "info", path)
	if want := "unknown format; tileserver reads TIFF, JPEG 2000 and NITF"; code == exitOK || !strings.Contains(stderr, want) {
		t.Errorf("code %d, %q; want %q in it", code, stderr, want)
	}
}

func TestInfoOfACodestream(t *testing.T) {
	path := writeFile(t, t.TempDir(), "scene.j2k", sceneJP2K(4))
	text := mustRun(t, "info", path)
	for _, want := range []string{
		"size          333 x 257 pixels, 3 bands of uint8 (red, green, blue)", "stored        jpeg 2000, 8 bits a sample",
		"codestream    bare codestream, 5-3 wavelet of 3 levels, 4 quality layers in LRCP", "read by       code-blocks of 64 x 64, whatever the tiles: 1 of 333 x 257",
		"components    u8/1x1, u8/1x1, u8/1x1 (type of a sample / pixels to one)",
		"overviews     167 x 129, 84 x 65, 42 x 33", "file          JPEG 2000, 1 image",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	text = mustRun(t, "info", "--json", path)
	if want := "\n  \"orientation\": 1,\n  \"jpeg2000\": {\n    \"codestreams\": 1,"; !strings.Contains(text, want) || !json.Valid([]byte(text)) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

func TestInfoOfAContainer(t *testing.T) {
	resolution := boxestest.Box("res ", boxestest.Resolution("resc", [3]int{300, 1, 2}, [3]int{150, 1, 2}))
	file := boxestest.File(boxestest.Header(boxestest.ImageHeader(sceneWidth, sceneHeight, 3, 8), boxestest.EnumeratedColor(16), resolution),
		boxestest.Box("jp2c", []byte(sceneJP2K(1))))
	text := mustRun(t, "info", writeFile(t, t.TempDir(), "scene.jp2", string(file)))
	for _, want := range []string{"stored        jpeg 2000, sRGB, 8 bits a sample", "taken at      15000, 30000 pixels per meter"} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}

// Fewer quality layers give a coarser picture, until the configuration changes.
func TestQualityLayersPerLayer(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "scene.j2k", sceneJP2K(4))
	config := func(quality int) string {
		return fmt.Sprintf("rescan: 0\nlayers: [{id: full, path: scene.j2k}, {id: quick, path: scene.j2k, quality_layers: %d}]", quality)
	}
	path := writeFile(t, folder, "c.yaml", config(1))
	s, hangUp := hangingUp(t, append([]string{"serve", "--state", "", "--config", path}, freePorts...)...)
	same := func() bool {
		_, full := get(t, s.maps+"/tiles/full/image/1/0/0.png")
		status, quick := get(t, s.maps+"/tiles/quick/image/1/0/0.png")
		return status == http.StatusOK && bytes.Equal(full, quick)
	}
	if same() {
		t.Error("one quality layer makes the same picture as all of them")
	}
	replaceFile(t, path, config(0))
	hangUp()
	if !same() {
		t.Error("the layer does not have all quality layers, though the configuration was read again")
	}
	replaceFile(t, path, config(-1))
	hangUp()
	if want := "layers[1].quality_layers: must be 0"; !strings.Contains(s.stderr.String(), want) {
		t.Errorf("no %q in the log", want)
	}
}
