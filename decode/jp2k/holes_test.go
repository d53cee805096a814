package jp2k

import (
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// A truncated file is nodata where nothing of the coarsest resolution is left, and correct where
// everything is present. It never shows a gray that nobody stored.
func TestCutFilesHaveHoles(t *testing.T) {
	for _, order := range []codestream.Order{codestream.LRCP, codestream.RPCL, codestream.PCRL} {
		m := small(depth(8))
		m.Components = m.Components[:1]
		m.Image = wavelet.Rect{X1: 300, Y1: 256}
		// As much detail as possible.
		m.Sample = func(_, x, y int) int64 { return int64(uint32(x*7919+y*104729)*2654435761>>24) & 255 }
		precinct := codestreamtest.Precinct{WidthLog2: 6, HeightLog2: 6}
		m.Coding = codestreamtest.Coding{Levels: 1, Order: order, BlockWidthLog2: 5, BlockHeightLog2: 5, Precincts: []codestreamtest.Precinct{{WidthLog2: 5, HeightLog2: 5}, precinct}}
		data := m.Codestream()
		whole := open(t, data, nil)
		want := mustWindow(t, whole.Image, 0, whole.Info().Levels[0].Bounds())
		if !want.AllValid() {
			t.Fatalf("order %d: the whole file has holes", order)
		}
		cut := open(t, data[:len(data)*55/100], nil)
		got := mustWindow(t, cut.Image, 0, cut.Info().Levels[0].Bounds())
		lost, same := 0, 0
		for y := range got.Height() {
			for x := range got.Width() {
				v, coverage := got.At(0, x, y)
				switch w, _ := want.At(0, x, y); {
				case coverage == raster.Invalid:
					lost++
				case v == w:
					same++
				}
			}
		}
		pixels := got.Width() * got.Height()
		// By position, everything after the cut is lost. By resolution, the coarser one is
		// complete.
		if byPosition := order == codestream.PCRL; byPosition != (lost > pixels/4) || byPosition && lost+same < pixels*9/10 {
			t.Errorf("order %d: of %d pixels %d are lost and %d the same", order, pixels, lost, same)
		}
	}
}
