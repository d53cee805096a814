package kernel_test

import (
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets/realblocks"
	"tileserver/decode/jp2k/tier1"
)

// realBlocks calls do with the code-blocks of the arithmetic coder of each real file.
func realBlocks(t *testing.T, do func(t *testing.T, blocks []tier1.Block)) {
	t.Helper()
	realblocks.Each(t, func(t *testing.T, real []realblocks.Block) {
		var blocks []tier1.Block
		for i := range real {
			if !real[i].HT {
				blocks = append(blocks, arithmeticBlock(&real[i]))
			}
		}
		do(t, blocks)
	})
}

// arithmeticBlock returns a real code-block in the form of the decoder.
func arithmeticBlock(real *realblocks.Block) tier1.Block {
	b := tier1.Block{
		Width: real.Width, Height: real.Height, Orientation: real.Orientation, Style: tier1.Style(real.Style & (codestream.HT - 1)),
		BitPlanes: real.BitPlanes - real.MissingBitPlanes, Passes: real.Passes, Data: real.Data,
	}
	for _, s := range real.Segments {
		b.Segments = append(b.Segments, tier1.Segment(s))
	}
	return b
}
