package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/cmd/tileserver/info"
	"tileserver/cmd/tileserver/render"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/decode"
	"tileserver/integration/realfiles"
	"tileserver/layer"
	"tileserver/layer/areas"
)

// expectedJP2K is what the reference software reports about a JPEG 2000 file.
type expectedJP2K struct {
	Path, Open, DType    string
	Width, Height, Bands int
	GeoTransform         []float64
	EPSG                 any
	J2K                  struct {
		NComp int
		HT    bool
		Tile  [2]int
		COD   struct {
			Progression, Transform string
			Layers, Levels         int
			CBlk                   [2]int
		}
	}
}

func readExpectedJP2K(t *testing.T, folder string) (all []expectedJP2K) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e expectedJP2K
		if !strings.Contains(line, `"path": "jp2k/`) {
			continue
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.J2K.NComp > 0 {
			all = append(all, e)
		}
	}
	return all
}

// ownCoding lists files whose only component overrides the coding of the main header. The reference
// reports the main header.
var ownCoding = []string{"jp2k/openhtj2k/ds1_ht_01_b11.j2k", "jp2k/openjpeg-data/p1_01.j2k"}

// damagedInPart lists files with undecodable code-blocks, which other decoders ignore.
var damagedInPart = []string{"jp2k/glymur/issue982.j2k", "jp2k/openjpeg-data/issue399.j2k"}

func TestInfoOfJPEG2000AgreesWithTheReference(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: TestEveryJPEG2000FileHasAPreview opens the same files")
	}
	folder := realfiles.Folder(t, "MANIFEST.tsv")
	agreed := 0
	for _, want := range readExpectedJP2K(t, folder) {
		code, text, stderr := runProgram(t, "info", "--json", filepath.Join(folder, filepath.FromSlash(want.Path)))
		wantCode := exitOK
		if slices.Contains(damagedInPart, want.Path) {
			wantCode = exitDamaged
		}
		if code != wantCode {
			t.Errorf("%s: exit code %d: %s", want.Path, code, stderr)
			continue
		}
		var got struct {
			info.Description
			JPEG2000 struct {
				Components           []string
				Wavelet, Progression string
				Levels, Layers       int
				CodeBlock            [2]int `json:"code_block"`
			}
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v", want.Path, err)
		}
		cod, stored := want.J2K.COD, got.JPEG2000
		for fact, pair := range map[string][2]any{
			"components":  {len(stored.Components), want.J2K.NComp},
			"wavelet":     {stored.Wavelet, cod.Transform},
			"layers":      {stored.Layers, cod.Layers},
			"levels":      {stored.Levels, cod.Levels},
			"progression": {stored.Progression, cod.Progression},
			"code-block":  {stored.CodeBlock, cod.CBlk},
			"compression": {got.Compression == "htj2k", want.J2K.HT},
			"tile":        {got.Block, want.J2K.Tile},
		} {
			if pair[0] != pair[1] && !(slices.Contains(ownCoding, want.Path) && (fact == "wavelet" || fact == "code-block")) {
				t.Errorf("%s: %s is %v, want %v", want.Path, fact, pair[0], pair[1])
			}
		}
		if want.Open == "ok" && (got.Width != want.Width || got.Height != want.Height) {
			t.Errorf("%s: %d x %d pixels, want %d x %d", want.Path, got.Width, got.Height, want.Width, want.Height)
		}
		agreed++
	}
	if least := 150; agreed < least {
		t.Errorf("%d files, want at least %d", agreed, least)
	}
}

// Every file that is not rejected by name has a preview.
func TestEveryJPEG2000FileHasAPreview(t *testing.T) {
	folder := realfiles.Folder(t, "MANIFEST.tsv")
	var unsupported []string
	shown := 0
	for _, file := range readExpectedJP2K(t, folder) {
		request := layer.Request{Area: areas.Preview{MaxSize: 64}, Format: layer.PNG}
		picture, err := render.File(t.Context(), render.Config{Files: new(program).files(), InFlight: config.Default().InFlight}, dataset.Address{Path: filepath.Join(folder, filepath.FromSlash(file.Path)), Number: 1}, request)
		switch {
		case errors.Is(err, decode.ErrUnsupported):
			unsupported = append(unsupported, fmt.Sprintf("%s: %v", file.Path, err))
		case err != nil:
			t.Errorf("%s: %v", file.Path, err)
		case len(picture.Bytes) > 0:
			shown++
		}
	}
	slices.Sort(unsupported)
	t.Logf("%d files shown, not supported:\n%s", shown, strings.Join(unsupported, "\n"))
	if least := 150; shown < least {
		t.Errorf("%d files shown, want at least %d", shown, least)
	}
}
