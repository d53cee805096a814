package tier1_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
)

// expectBoth decodes two blocks in turns. Each must end as if it were alone.
func expectBoth(t *testing.T, decoders *[2]tier1.Decoder, blocks [2]*tier1.Block) {
	t.Helper()
	room := func(b *tier1.Block) []int32 { return make([]int32, min(b.Width*b.Height, tier1.MaxArea)) }
	tasks := [2]tier1.Task{{&decoders[0], blocks[0], room(blocks[0])}, {&decoders[1], blocks[1], room(blocks[1])}}
	err, otherErr := tier1.DecodeBoth(tasks[0], tasks[1])
	for i, err := range [2]error{err, otherErr} {
		b, want, alone := blocks[i], room(blocks[i]), new(tier1.Decoder)
		wantErr := alone.DecodeInGo(b, want)
		hasBegun := !errors.Is(wantErr, tier1.ErrInvalid) && b.Passes > 0
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || !slices.Equal(tasks[i].Out, want) || hasBegun && !tier1.SameState(tasks[i].Decoder, alone) {
			t.Fatalf("block %d, %d x %d, style %06b, %d passes, beside %d x %d with %d: %v, alone %v; coefficients %v",
				i, b.Width, b.Height, b.Style, b.Passes, blocks[1-i].Width, blocks[1-i].Height, blocks[1-i].Passes, err, wantErr, slices.Equal(tasks[i].Out, want))
		}
	}
}

// Two blocks of any sizes, orientations, numbers of passes and styles can be decoded in turns, and damage
// to one is none to the other.
func TestTwoBlocksInTurns(t *testing.T) {
	var decoders [2]tier1.Decoder
	var before []*tier1.Block // of the style before
	for style := range tier1.Style(allStyles) {
		if testing.Short() && style%5 != 0 {
			continue // slow under the race detector
		}
		var blocks []*tier1.Block
		for i, size := range sizes {
			if size[0]*size[1] > 1024 && (int(style)+i)%8 != 0 {
				continue // slow to encode
			}
			b := tier1test.Encode(tier1test.Coefficients(size[0]*size[1], []float64{0.3, 5, 500}[(i+int(style))%3], uint64(i)), size[0], size[1], wavelet.Orientation(i%4), style)
			cut := tier1test.Cut(b, b.Passes/2)
			damaged := b
			damaged.Data = slices.Clone(b.Data[:len(b.Data)*2/3])
			if len(damaged.Data) > 0 {
				damaged.Data[len(damaged.Data)/2] ^= 16
			}
			invalid := b
			invalid.Passes = -1
			blocks = append(blocks, &b, &cut, &damaged, &invalid)
		}
		for i, first := range blocks {
			expectBoth(t, &decoders, [2]*tier1.Block{first, blocks[(i*11+int(style)+1)%len(blocks)]})
			if len(before) > 0 && i%4 == int(style)%4 {
				expectBoth(t, &decoders, [2]*tier1.Block{first, before[(i*5+1)%len(before)]})
			}
		}
		before = blocks
	}
}
