package tiff

import (
	"context"
	"encoding/hex"
	"testing"

	"tileserver/decode/pool"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// countingBudget adds up what is reserved and released.
type countingBudget struct{ acquired, released int64 }

func (b *countingBudget) Acquire(_ context.Context, n int64) error {
	b.acquired += n
	return nil
}

func (b *countingBudget) Release(n int64) { b.released += n }

// TestReservedBytes reads blocks of codecs whose memory differs from that of decompressed rows. It
// must be reserved with the block, and count for blocks that can never be read.
func TestReservedBytes(t *testing.T) {
	blob, err := hex.DecodeString(lercBlob)
	if err != nil {
		t.Fatal(err)
	}
	const pixels, decoded, maskAndPlane = 6, 6, 12
	want := int64(len(blob) + pixels + decoded + maskAndPlane)
	file := encode(t, tifftest.File{Images: []tifftest.Image{
		{Width: 3, Height: 2, Compression: 34887, Stored: blocksOf(lercBlob)},
	}})
	budget := new(countingBudget)
	pool := pool.New(pool.Config{Workers: 1, Budget: budget})
	openWithin := func(limit int64) *Image {
		f, err := Open(t.Context(), source.NewBytes("lerc", file), Config{Pool: pool, Limits: Limits{BlockBytes: limit}})
		if err != nil {
			t.Fatal(err)
		}
		return f.Images()[0]
	}
	m := openWithin(want)
	if err := m.Unsupported(); err != nil {
		t.Fatalf("within %d bytes: %v", want, err)
	}
	if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, []int{0}); err != nil {
		t.Fatal(err)
	}
	if budget.acquired != want || budget.released != want {
		t.Errorf("%d bytes were reserved and %d released, want %d", budget.acquired, budget.released, want)
	}
	if openWithin(want-1).Unsupported() == nil {
		t.Errorf("a block of %d bytes is supported with a limit one byte less", want)
	}
}
