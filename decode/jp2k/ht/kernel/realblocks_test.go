package kernel_test

import (
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/packets/realblocks"
)

// realBlocks calls do with the code-blocks of high throughput of each real file that has any.
func realBlocks(t *testing.T, do func(t *testing.T, blocks []*ht.Block)) {
	t.Helper()
	realblocks.Each(t, func(t *testing.T, real []realblocks.Block) {
		var blocks []*ht.Block
		for i := range real {
			if real[i].HT {
				blocks = append(blocks, throughputBlock(&real[i]))
			}
		}
		if len(blocks) > 0 {
			do(t, blocks)
		}
	})
}

// throughputBlock returns a real code-block in the form of the decoder.
func throughputBlock(real *realblocks.Block) *ht.Block {
	cleanup := min(real.Segments[0].Length, len(real.Data))
	return &ht.Block{
		Width: real.Width, Height: real.Height, BitPlanes: real.BitPlanes, MissingBitPlanes: real.MissingBitPlanes, Passes: real.Passes,
		Cleanup: real.Data[:cleanup], Refinement: real.Data[cleanup:], VerticallyCausal: real.Style&codestream.VerticallyCausal != 0,
	}
}
