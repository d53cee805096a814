package jp2k

import (
	"bytes"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// The tile in the middle of rgbImage covers 85,69 to 175,146 of the image.
func TestMissingTilesAreReportedWithPixels(t *testing.T) {
	m := jp2ktest.RGB()
	m.Without = []int{4}
	o := open(t, m.Codestream(), nil)
	for name, test := range map[string]struct {
		rect  raster.Rect
		want  string
		total bool
	}{
		"beside it":         {raster.Rect{X1: 80, Y1: 60}, "", false},
		"over its edge":     {raster.Rect{X0: 60, Y0: 80, X1: 100, Y1: 90}, "1 missing tile", false},
		"within it":         {raster.Rect{X0: 100, Y0: 80, X1: 110, Y1: 90}, "1 missing tile", true},
		"the whole picture": {o.Info().Levels[0].Bounds(), "1 missing tile", false},
	} {
		d := mustWindow(t, o.Image, 0, test.rect).Damage()
		if d.String() != test.want || d.IsTotal() != test.total {
			t.Errorf("%s: %q, total: %v; want %q, %v", name, d, d.IsTotal(), test.want, test.total)
		}
	}
	if d := mustWindow(t, o.Image, 0, raster.Rect{X0: 100, Y0: 80, X1: 110, Y1: 90}).Damage(); d.Losses()[0].Text != "tile 4: nothing of it is stored" {
		t.Errorf("reported %+v", d.Losses())
	}
	var seen int
	l := o.Info().Levels[0]
	for i, tile := range blocks(t, o, 0, l.Covering(l.Bounds()), nil) {
		at := l.Block(l.Covering(l.Bounds())[i])
		touches := !at.Intersect(raster.Rect{X0: 85, Y0: 69, X1: 175, Y1: 146}).Empty()
		if touches == tile.Damage().IsZero() {
			t.Errorf("the block at %v: %q", at, tile.Damage())
		}
		if touches {
			seen++
		}
	}
	if seen == 0 {
		t.Error("no block touches the missing tile")
	}
}

// cutRows returns an image of one tile with consecutive rows of precincts, truncated so that the
// lower rows are missing.
func cutRows() []byte {
	m := small(depth(8))
	m.Components = m.Components[:1]
	m.Image = wavelet.Rect{X1: 256, Y1: 512}
	m.Sample = func(_, x, y int) int64 { return int64(uint32(x*7919+y*104729)*2654435761>>24) & 255 }
	precinct := codestreamtest.Precinct{WidthLog2: 6, HeightLog2: 6}
	m.Coding = codestreamtest.Coding{Levels: 1, Order: codestream.PCRL, BlockWidthLog2: 5, BlockHeightLog2: 5, Precincts: []codestreamtest.Precinct{{WidthLog2: 5, HeightLog2: 5}, precinct}}
	data := m.Codestream()
	return data[:len(data)*6/10]
}

// A truncated file is damaged where packets are missing, and nowhere else.
func TestIncompleteTilesAreReportedWhereTheyAre(t *testing.T) {
	o := open(t, cutRows(), nil)
	l := o.Info().Levels[0]
	above := mustWindow(t, o.Image, 0, raster.Rect{X1: l.Width, Y1: 100}).Damage()
	across := mustWindow(t, o.Image, 0, raster.Rect{X1: l.Width, Y1: l.Height}).Damage()
	below := mustWindow(t, o.Image, 0, raster.Rect{Y0: 450, X1: l.Width, Y1: l.Height}).Damage()
	if !above.IsZero() {
		t.Errorf("above the cut: %q: %+v", above, above.Losses())
	}
	if across.String() != "1 incomplete tile" || across.IsTotal() || !strings.HasPrefix(across.Losses()[0].Text, "tile 0: packets: packet ") {
		t.Errorf("across the cut: %q, total: %v: %+v", across, across.IsTotal(), across.Losses())
	}
	if below.String() != "1 incomplete tile" || !below.IsTotal() {
		t.Errorf("below the cut: %q, total: %v", below, below.IsTotal())
	}
}

// damagedBlocks returns an image with one damaged code-block, and the same image undamaged.
func damagedBlocks(t *testing.T) (sound, damaged []byte) {
	m := jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: 200, Y1: 120}, Components: jp2ktest.Components(1, 8), Steps: codestreamtest.ReversibleSteps(8, 0),
			Coding: codestreamtest.Coding{Levels: 0, BlockWidthLog2: 5, BlockHeightLog2: 5, Style: codestream.SegmentationSymbols},
		},
		Sample: func(_, x, y int) int64 { return int64(uint32(x*7919+y*104729)*2654435761>>24) & 255 },
	}
	sound = m.Codestream()
	damaged = bytes.Clone(sound)
	for i := len(damaged) - 400; i < len(damaged)-300; i++ {
		damaged[i] ^= 0x5a // in the last code-block
	}
	return sound, damaged
}

// Damage of cached code-blocks is reported as for decoded ones, also if another file gets them.
func TestDamageOfCachedCodeBlocksIsReported(t *testing.T) {
	sound, data := damagedBlocks(t)
	if d := mustWindow(t, open(t, sound, nil).Image, 0, raster.Rect{X1: 200, Y1: 120}).Damage(); !d.IsZero() {
		t.Fatalf("sound file: %q", d)
	}
	shared := components.NewShared(cache.New(32<<20), 4<<20)
	config := func(c *Config) { c.Shared, c.Key = shared, "same" }
	first := open(t, data, config)
	for round := range 2 {
		d := mustWindow(t, first.Image, 0, raster.Rect{X1: 200, Y1: 120}).Damage()
		if d.String() != "1 code-block" || d.IsTotal() || !strings.HasPrefix(d.Losses()[0].Text, "code-block 26 of band 0, resolution 0, component 0, tile 0: ") {
			t.Errorf("round %d: %q: %+v", round, d, d.Losses())
		}
		if d := mustWindow(t, first.Image, 0, raster.Rect{X1: 100, Y1: 60}).Damage(); !d.IsZero() {
			t.Errorf("round %d: sound code-blocks: %q", round, d)
		}
	}
	decoded := shared.Stats().Decoded
	if d := mustWindow(t, open(t, data, config).Image, 0, raster.Rect{X0: 190, Y0: 100, X1: 200, Y1: 110}).Damage(); d.String() != "1 code-block" {
		t.Errorf("another file tells %q", d)
	}
	if shared.Stats().Decoded != decoded {
		t.Error("the code-block was decoded again")
	}
}
