package codestream_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/integration/realfiles"
)

// expected is what another reader found in a codestream.
type expected struct {
	Path       string
	Codestream *struct {
		Markers    []string
		TileMarks  []string `json:"tile_markers"`
		Profile    int      `json:"rsiz"`
		Size       [2]int
		Origin     [2]int
		Tile       [2]int
		TileOrigin [2]int `json:"tile_origin"`
		Count      int    `json:"ncomp"`
		Tiles      [2]int
		Components []string `json:"comps"`
		HT         bool
		TileParts  int `json:"tile_parts"`
		Bad        string
		Coding     *struct {
			Progression any
			Layers      int
			MCT         int
			Levels      int
			Blocks      [2]float64 `json:"cblk"`
			Style       int
			Transform   any
			Precincts   bool
			SOP, EPH    bool
		} `json:"cod"`
	} `json:"j2k"`
}

func expectations(t *testing.T, folder, prefix string) []expected {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []expected
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if !bytes.Contains(lines.Bytes(), []byte(`"path": "`+prefix)) {
			continue
		}
		var e expected
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%v in %.100s", err, lines.Bytes())
		}
		if e.Codestream != nil {
			all = append(all, e)
		}
	}
	return all
}

// codestreamIn returns the codestream of a file: all of it, or the body of the box jp2c.
func codestreamIn(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte("\x00\x00\x00\x0cjP  ")) {
		return data
	}
	for at := uint64(0); at+16 <= uint64(len(data)); {
		length, header := uint64(binary.BigEndian.Uint32(data[at:])), uint64(8)
		if length == 1 {
			length, header = binary.BigEndian.Uint64(data[at+8:]), 16
		}
		if length == 0 || length > uint64(len(data))-at {
			length = uint64(len(data)) - at
		}
		if length < header {
			return nil
		}
		if string(data[at+4:at+8]) == "jp2c" {
			return data[at+header : at+length]
		}
		at += length
	}
	return nil
}

func TestRealFilesMatchOtherReaders(t *testing.T) {
	folder := realfiles.Folder(t, "EXPECTED.jsonl")
	checked := 0
	for _, want := range expectations(t, folder, "jp2k/") {
		t.Run(strings.TrimPrefix(want.Path, "jp2k/"), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(folder, want.Path))
			if err != nil {
				t.Fatal(err)
			}
			r := codestreamtest.NewReader(codestreamIn(data))
			h, err := codestream.ReadHeader(r, codestream.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			compareHeader(t, h, want)
			compareTiles(t, r, h, want)
			checked++
		})
	}
	if checked < 150 {
		t.Errorf("%d codestreams were read, not 150 or more", checked)
	}
}

func compareHeader(t *testing.T, h *codestream.Header, want expected) {
	t.Helper()
	e := want.Codestream
	equal := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	equal("size", [2]int{h.Image.Width(), h.Image.Height()}, e.Size)
	equal("origin", [2]int{h.Image.X0, h.Image.Y0}, e.Origin)
	equal("tile", [2]int{h.FirstTile.Width(), h.FirstTile.Height()}, e.Tile)
	equal("tile origin", [2]int{h.FirstTile.X0, h.FirstTile.Y0}, e.TileOrigin)
	equal("tiles", [2]int{h.TileColumns(), h.TileRows()}, e.Tiles)
	equal("profile", h.Profile, e.Profile)
	equal("components", len(h.Components), e.Count)
	for i, name := range e.Components {
		c, sign := h.Components[i], "u"
		if c.Signed {
			sign = "s"
		}
		equal("component", fmt.Sprintf("%s%d/%dx%d", sign, c.Bits, c.DX, c.DY), name)
	}
	equal("HT", h.HighThroughput, e.HT)
	if e.Coding == nil {
		return
	}
	wavelet := "9-7"
	if h.Coding.Reversible {
		wavelet = "5-3"
	}
	coding := h.Coding
	equal("progression", [...]string{"LRCP", "RLCP", "RPCL", "PCRL", "CPRL"}[coding.Order], e.Coding.Progression)
	equal("layers", coding.Layers, e.Coding.Layers)
	equal("component transform", coding.MultipleComponentTransform, e.Coding.MCT == 1)
	equal("SOP, EPH", []bool{coding.SOP, coding.EPH}, []bool{e.Coding.SOP, e.Coding.EPH})
	if has(e.Markers, "COC") {
		return // what follows is from the first component, which may have its own parameters
	}
	equal("levels", coding.Levels, e.Coding.Levels)
	equal("blocks", [2]int{coding.BlockWidth, coding.BlockHeight}, e.Coding.Blocks)
	equal("style", int(coding.Style), e.Coding.Style)
	equal("transform", wavelet, e.Coding.Transform)
	equal("precincts", coding.Precincts, e.Coding.Precincts)
}

func has(all []string, one string) bool {
	for _, s := range all {
		if s == one {
			return true
		}
	}
	return false
}

// compareTiles reads all tiles, and finds their parts in both ways if there are two.
func compareTiles(t *testing.T, r *codestreamtest.Reader, h *codestream.Header, want expected) {
	t.Helper()
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	if parts.Count() != want.Codestream.TileParts {
		t.Errorf("tile-parts: got %d, want %d (%v)", parts.Count(), want.Codestream.TileParts, parts.Damage())
	}
	if err := parts.Damage(); err != nil {
		t.Error(err)
	}
	walked, err := h.ScanParts(r)
	if err != nil {
		t.Fatal(err)
	}
	if walked.Count() != parts.Count() {
		t.Errorf("the chain has %d tile-parts, the table %d", walked.Count(), parts.Count())
	}
	lengths := 0
	for i := range h.Tiles() {
		tile, err := h.ReadTile(r, parts, i)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if tile.Damage != nil {
			t.Errorf("tile %d: %v", i, tile.Damage)
		}
		checkTile(t, h, tile)
		if tile.PacketLengths != nil {
			lengths++
		}
	}
	if has(want.Codestream.TileMarks, "PLT") && lengths != h.Tiles() {
		t.Errorf("%d of %d tiles have lengths of packets", lengths, h.Tiles())
	}
}

// checkTile checks the invariants of any tile.
func checkTile(t *testing.T, h *codestream.Header, tile *codestream.Tile) {
	t.Helper()
	if tile.Rect.Empty() || len(tile.Progressions) == 0 || tile.Layers == 0 {
		t.Errorf("tile %d: rect %v, %d progressions, %d layers", tile.Number, tile.Rect, len(tile.Progressions), tile.Layers)
	}
	for c, component := range tile.Components {
		finest := component.Resolutions[len(component.Resolutions)-1]
		if finest.Rect != component.Rect {
			t.Errorf("component %d: finest resolution %v of %v", c, finest.Rect, component.Rect)
		}
		for r, resolution := range component.Resolutions {
			area := 0
			for _, band := range resolution.Bands {
				area += band.Rect.Width() * band.Rect.Height()
				if band.Step <= 0 || band.BitPlanes > 38 {
					t.Errorf("component %d, resolution %d: step %v, %d bit-planes", c, r, band.Step, band.BitPlanes)
				}
			}
			if r > 0 {
				coarser := component.Resolutions[r-1].Rect
				area += coarser.Width() * coarser.Height()
			}
			if want := resolution.Rect.Width() * resolution.Rect.Height(); area != want {
				t.Errorf("component %d, resolution %d: bands of %d coefficients for %d samples", c, r, area, want)
			}
		}
	}
}
