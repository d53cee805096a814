package ht_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/ht/httest"
)

func TestErrorsNameWhatIsWrong(t *testing.T) {
	sound := func() *ht.Block {
		s := httest.Samples{Width: 8, Height: 6, BitPlanes: 9, Plane: 1, Passes: 3}
		s.Values = laplacian(rand.New(rand.NewPCG(7, 7)), 48, 9, 20)
		return s.Encode()
	}
	for _, test := range []struct {
		name   string
		change func(b *ht.Block)
		want   error
		says   string
	}{
		{"nothing", func(*ht.Block) {}, nil, ""},
		{"no width", func(b *ht.Block) { b.Width = 0 }, ht.ErrDamaged, "0 × 6 samples"},
		{"negative height", func(b *ht.Block) { b.Height = -6 }, ht.ErrDamaged, "8 × -6 samples"},
		{"too wide", func(b *ht.Block) { b.Width, b.Height = 2048, 1 }, ht.ErrDamaged, "2048 × 1 samples"},
		{"too large", func(b *ht.Block) { b.Width, b.Height = 128, 64 }, ht.ErrDamaged, "128 × 64 samples"},
		{"product that overflows", func(b *ht.Block) { b.Width, b.Height = 1<<16, 1<<16 }, ht.ErrDamaged, "samples"},
		{"four passes", func(b *ht.Block) { b.Passes = 4 }, ht.ErrDamaged, "4 passes"},
		{"negative passes", func(b *ht.Block) { b.Passes = -1 }, ht.ErrDamaged, "-1 passes"},
		{"too many planes", func(b *ht.Block) { b.BitPlanes = 31 }, ht.ErrUnsupported, "31 bit-planes"},
		{"all planes missing", func(b *ht.Block) { b.MissingBitPlanes = 9 }, ht.ErrDamaged, "9 of 9 bit-planes are missing"},
		{"negative planes missing", func(b *ht.Block) { b.MissingBitPlanes = -1 }, ht.ErrDamaged, "-1 of 9"},
		{"no cleanup", func(b *ht.Block) { b.Cleanup = nil }, ht.ErrDamaged, "cleanup segment of 0 bytes"},
		{"one byte of cleanup", func(b *ht.Block) { b.Cleanup = []byte{1} }, ht.ErrDamaged, "cleanup segment of 1 bytes"},
		{"suffix too short", func(b *ht.Block) { setSuffix(b, 1) }, ht.ErrDamaged, "1 bytes of MEL and VLC"},
		{"suffix longer than all", func(b *ht.Block) { setSuffix(b, len(b.Cleanup)+1) }, ht.ErrDamaged, "of MEL and VLC in a cleanup"},
		{"suffix too long", func(b *ht.Block) {
			b.Cleanup = append(make([]byte, 5000), b.Cleanup...)
			setSuffix(b, 4080)
		}, ht.ErrDamaged, "4080 bytes of MEL and VLC"},
		{"numbers too long", func(b *ht.Block) { b.MissingBitPlanes = 0 }, ht.ErrDamaged, "more than 2 bits in row 0"},
		{"empty refinement", func(b *ht.Block) { b.Refinement = nil }, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := sound()
			test.change(b)
			err := new(ht.Decoder).Decode(b, make([]int32, ht.MaxSamples))
			if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %v containing %q", err, test.want, test.says)
			}
		})
	}
	if err := new(ht.Decoder).Decode(sound(), make([]int32, 47)); err == nil || errors.Is(err, ht.ErrDamaged) {
		t.Errorf("with too little room: error %v, want one other than ErrDamaged", err)
	}
}

func setSuffix(b *ht.Block, length int) {
	end := b.Cleanup[len(b.Cleanup)-2:]
	end[0], end[1] = end[0]&0xF0|byte(length&15), byte(length>>4)
}

func TestBlockOfPlaceholdersIsZeros(t *testing.T) {
	b := &ht.Block{Width: 3, Height: 3, BitPlanes: 9}
	for i, got := range mustDecode(t, new(ht.Decoder), b) {
		if got != 0 {
			t.Errorf("sample %d is %d, want 0", i, got)
		}
	}
}

// TestEmptyRefinementIsSkipped compares a set whose refining passes have no bytes with its cleanup
// pass.
func TestEmptyRefinementIsSkipped(t *testing.T) {
	s := httest.Samples{Width: 9, Height: 7, BitPlanes: 9, Plane: 2, Passes: 1}
	s.Values = laplacian(rand.New(rand.NewPCG(8, 8)), 63, 9, 20)
	b := s.Encode()
	b.Passes = 3
	checkValues(t, "three passes, two without bytes", &s, mustDecode(t, new(ht.Decoder), b))
}

// TestRefinementBelowTheLastPlaneIsSkipped compares a set that refines a plane that does not exist
// with its cleanup pass.
func TestRefinementBelowTheLastPlaneIsSkipped(t *testing.T) {
	s := httest.Samples{Width: 9, Height: 7, BitPlanes: 9, Plane: 0, Passes: 1}
	s.Values = laplacian(rand.New(rand.NewPCG(8, 9)), 63, 9, 20)
	b := s.Encode()
	want := mustDecode(t, new(ht.Decoder), b)
	for passes := 2; passes <= 3; passes++ {
		b.Passes, b.Refinement = passes, []byte{0x55, 0xAA, 0x55}
		got := make([]int32, len(want))
		if err := new(ht.Decoder).Decode(b, got); !errors.Is(err, ht.ErrUnrefined) {
			t.Errorf("%d passes: error %v, want %v", passes, err, ht.ErrUnrefined)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d passes: got %v, want %v", passes, got, want)
		}
	}
}

func TestDecodingAllocatesNothing(t *testing.T) {
	s := httest.Samples{Width: 64, Height: 64, BitPlanes: 9, Plane: 1, Passes: 3}
	s.Values = laplacian(rand.New(rand.NewPCG(9, 9)), 4096, 9, 20)
	b, d, out := s.Encode(), new(ht.Decoder), make([]int32, 4096)
	if got := testing.AllocsPerRun(10, func() {
		if err := d.Decode(b, out); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}
