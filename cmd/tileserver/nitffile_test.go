package main

import (
	"encoding/json"
	"strings"
	"testing"

	"tileserver/decode/nitf/nitftest"
)

// sceneNITF returns the scene of the other formats as a NITF.
func sceneNITF() string {
	return string(nitftest.File{
		Title: "A scene", Images: []nitftest.Image{{
			Name: "SCENE", Width: sceneWidth, Height: sceneHeight, BlockWidth: 64, BlockHeight: 32, Mode: "P", Representation: "RGB",
			Bands:       []nitftest.Band{{Representation: "R"}, {Representation: "G"}, {Representation: "B"}},
			Value:       func(x, y, band int) float64 { return float64(sceneSample(band, x, y)) },
			Coordinates: "D", Corners: [4][2]float64{{50, 14}, {50, 15}, {49, 15}, {49, 14}},
			TREs: []nitftest.TRE{{Tag: "GEOLOB", Data: []byte("000605184000800256-085.4314720812+033.1669865643")}, {Tag: "SECRET", Data: []byte("abc")}},
		}},
	}.Bytes())
}

func TestInfoOfNITF(t *testing.T) {
	path := writeFile(t, t.TempDir(), "scene.ntf", sceneNITF())
	text := mustRun(t, "info", path)
	for _, want := range []string{
		"size          333 x 257 pixels, 3 bands of uint8 (red, green, blue)",
		"stored        uncompressed (IC NC), rgb, pixel interleaved, 8 bits a sample",
		"blocks        64 x 32",
		"file          A scene, 20200102030405, TEST, classification U",
		"TRE GEOLOB    48 bytes in IXSHD, ARV 000605184, BRV 000800256, LSO -085.4314720812, PSO +033.1669865643",
		"TRE SECRET    3 bytes in IXSHD",
		"crs           WGS 84",
		"file          NITF 2.1, 1 image",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	text = mustRun(t, "info", "--json", path)
	if want := "\n  \"nitf\": {\n    \"title\": \"A scene\","; !strings.Contains(text, want) || !json.Valid([]byte(text)) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// Segments have names, but addresses have numbers.
func TestImagesAreNotAddressedByName(t *testing.T) {
	path := writeFile(t, t.TempDir(), "scene.ntf", sceneNITF())
	want := `images of a file have numbers, as in FILE#2: there is no image "SCENE"; "tileserver info FILE" lists them`
	for _, args := range [][]string{{"info"}, {"render", "-o", "-"}, append([]string{"serve"}, freePorts...)} {
		if code, _, stderr := runProgram(t, append(args, path+"#SCENE")...); code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", args[0], code, stderr)
		}
	}
}

func TestImagesOfNITFHaveNames(t *testing.T) {
	path := writeFile(t, t.TempDir(), "two.ntf", string(nitftest.File{Images: []nitftest.Image{{Name: "NEAR"}, {Name: "FAR", Width: 3}}}.Bytes()))
	if text, want := mustRun(t, "info", path), "image 2       FAR: 3 x 5 pixels, 1 band of uint8, uncompressed (IC NC)\n"; !strings.Contains(text, want) {
		t.Errorf("no line %q in\n%s", want, text)
	}
	if text, want := mustRun(t, "info", path+"#2"), "size          3 x 5 pixels"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
