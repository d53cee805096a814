package packets_test

import (
	"errors"
	"slices"
	"testing"

	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/packets/packetstest"
)

// TestPartsBehindAGap leaves out some of four parts, each of which has sixteen of 64 packets.
func TestPartsBehindAGap(t *testing.T) {
	tests := []struct {
		name    string
		manner  packetstest.Options
		missing []int
		gaps    []int // the parts that follow the gaps
		whole   int   // complete code-blocks of 64
	}{
		{"no markers", packetstest.Options{Parts: 4}, []int{2}, []int{3}, 32},
		{"markers", packetstest.Options{Parts: 4, SOP: true}, []int{2}, []int{3}, 48},
		{"markers, and the first is missing", packetstest.Options{Parts: 4, SOP: true}, []int{0}, []int{1}, 48},
		{"no markers, and the first is missing", packetstest.Options{Parts: 4}, []int{0}, []int{1}, 0},
		{"markers, and two are missing", packetstest.Options{Parts: 4, SOP: true}, []int{1, 2}, []int{3}, 32},
		{"markers, and the first and the third are missing", packetstest.Options{Parts: 4, SOP: true}, []int{0, 2}, []int{1, 3}, 32},
		{"markers, and the missing part had no packet", packetstest.Options{Parts: 4, SOP: true}, nil, []int{2}, 64},
		{"packed headers", packetstest.Options{Parts: 4, PackedHeaders: true}, []int{2}, []int{3}, 32},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := grid(test.manner)
			for _, part := range test.gaps {
				w.Tile.Parts[part].AfterGap = true
			}
			for _, part := range slices.Backward(test.missing) {
				w.Tile.Parts = slices.Delete(w.Tile.Parts, part, part+1)
			}
			index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			if !errors.Is(index.Damage(), packets.ErrMissing) {
				t.Errorf("damage %v, want %v", index.Damage(), packets.ErrMissing)
			}
			if whole := checkSound(t, w, index, w.Bytes); whole != test.whole {
				t.Errorf("%d code-blocks are whole, want %d", whole, test.whole)
			}
			checkStoredForm(t, w.Tile, index)
		})
	}
}

// A packet that ends before a gap, at any position, does not continue after it.
func TestPacketsDoNotGoOnBehindAGap(t *testing.T) {
	for seed := range uint64(40) {
		w := encoded(seed, packetstest.Options{SOP: seed%2 == 0, Parts: 3, Straddle: true})
		w.Tile.Parts[2].AfterGap = true
		w.Tile.Parts = slices.Delete(w.Tile.Parts, 1, 2)
		index, err := packets.Scan(t.Context(), &packetstest.Reader{Bytes: w.Bytes}, w.Tile, packets.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if w.Tile.Parts[1].Length > 0 && index.Damage() == nil {
			t.Errorf("seed %d: no damage", seed)
		}
		checkSound(t, w, index, w.Bytes)
	}
}
