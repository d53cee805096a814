package jp2k

import (
	"context"
	"strings"
	"testing"
	"time"

	"tileserver/cache"
	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// FuzzFile reads blocks of any file that opens. It must end, within the memory limit, and without a
// panic that the pool had to catch.
func FuzzFile(f *testing.F) {
	rgb := jp2ktest.RGB()
	rgb.Image = wavelet.Rect{X0: 3, Y0: 2, X1: 60, Y1: 50}
	rgb.FirstTile = wavelet.Rect{X1: 40, Y1: 40}
	withLengths := small(depth(8), depth(12))
	withLengths.Lengths = true
	f.Add(rgb.Codestream())
	f.Add(withLengths.Codestream())
	f.Add(inBoxes(small(depth(2)).Codestream(), boxestest.ImageHeader(33, 21, 1, 8), boxestest.EnumeratedColor(sRGB),
		boxestest.Palette([]byte{1, 2, 3}, []byte{4, 5, 6}), boxestest.Mapping([3]int{0, 1, 0}, [3]int{0, 1, 1}, [3]int{0, 1, 2})))
	styles := small(depth(8))
	styles.Coding.Style, styles.Segments = codestream.Bypass|codestream.TerminateAll|codestream.SegmentationSymbols, [][]byte{codestreamtest.RGN(0, 1, 7)}
	f.Add(styles.Codestream())
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		pool := pool.New(pool.Config{Workers: 2, Budget: cache.NewBudget(64 << 20)})
		file, err := Open(ctx, source.NewBytes("fuzzed", data), Config{Config: components.Config{Pool: pool}})
		if err != nil {
			return
		}
		m := file.Images()[0]
		for _, level := range []int{len(m.Info().Levels) - 1, 0} {
			l := m.Info().Levels[level]
			for _, id := range []raster.BlockID{{}, {Col: l.Columns() - 1, Row: l.Rows() - 1}} {
				_, err := m.Blocks(ctx, level, []raster.BlockID{id}, nil)
				if ctx.Err() != nil {
					t.Fatalf("level %d, block %v takes longer than ten seconds", level, id)
				}
				if err != nil && strings.Contains(err.Error(), "panicked") {
					t.Fatal(err)
				}
			}
		}
	})
}
