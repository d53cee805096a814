package codestream_test

import (
	"errors"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
)

func TestStepsAndBitPlanes(t *testing.T) {
	tests := []struct {
		name         string
		bits         int
		irreversible bool
		steps        codestreamtest.Steps
		bitPlanes    []int // of LL, then HL, LH, HH of two levels
		sizes        []float32
	}{
		{
			name: "reversible", bits: 8, steps: codestreamtest.ReversibleSteps(8, 2),
			bitPlanes: []int{9, 10, 10, 11, 10, 10, 11}, sizes: []float32{1, 1, 1, 1, 1, 1, 1},
		},
		{
			name: "expounded", bits: 8, irreversible: true,
			steps: codestreamtest.Steps{
				GuardBits: 1, Style: 2, Exponents: []int{8, 8, 9, 10, 10, 9, 11}, Mantissas: []int{0, 1024, 0, 512, 0, 0, 2047},
			},
			bitPlanes: []int{8, 8, 9, 10, 10, 9, 11}, sizes: []float32{1, 3, 1, 1.25, 0.5, 1, 0.999755859375},
		},
		{
			name: "derived", bits: 12, irreversible: true,
			steps:     codestreamtest.Steps{GuardBits: 3, Style: 1, Exponents: []int{13}, Mantissas: []int{1024}},
			bitPlanes: []int{15, 15, 15, 15, 14, 14, 14}, sizes: []float32{0.75, 1.5, 1.5, 3, 3, 3, 6},
		},
		{
			name: "irreversible without steps", bits: 8, irreversible: true, steps: codestreamtest.ReversibleSteps(8, 2),
			bitPlanes: []int{9, 10, 10, 11, 10, 10, 11}, sizes: []float32{1, 1, 1, 1, 1, 1, 1},
		},
		{
			name: "reversible with steps", bits: 8,
			steps:     codestreamtest.Steps{GuardBits: 2, Style: 1, Exponents: []int{9}, Mantissas: []int{77}},
			bitPlanes: []int{10, 10, 10, 10, 9, 9, 9}, sizes: []float32{1, 1, 1, 1, 1, 1, 1},
		},
		{
			name: "zero exponents", bits: 38, irreversible: true,
			steps:     codestreamtest.Steps{Style: 1, Exponents: []int{0}},
			bitPlanes: []int{0, 0, 0, 0, 0, 0, 0}, sizes: []float32{1 << 38, 1 << 39, 1 << 39, 1 << 40, 1 << 39, 1 << 39, 1 << 40},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, tile := readTile(t, codestreamtest.Codestream(codestreamtest.Header{
				Image: rect{X1: 33, Y1: 17}, Components: gray(test.bits),
				Coding: codestreamtest.Coding{Levels: 2, Irreversible: test.irreversible}, Steps: test.steps,
			}, codestreamtest.TilePart{}), 0)
			var bitPlanes []int
			var sizes []float32
			for _, resolution := range tile.Components[0].Resolutions {
				for _, band := range resolution.Bands {
					bitPlanes = append(bitPlanes, band.BitPlanes)
					sizes = append(sizes, band.Step)
				}
			}
			if !slices.Equal(bitPlanes, test.bitPlanes) {
				t.Errorf("bit-planes: got %v, want %v", bitPlanes, test.bitPlanes)
			}
			if !slices.Equal(sizes, test.sizes) {
				t.Errorf("steps: got %v, want %v", sizes, test.sizes)
			}
		})
	}
}

func TestBandsWithoutStepsAreRejected(t *testing.T) {
	data := codestreamtest.Codestream(codestreamtest.Header{
		Image: rect{X1: 33, Y1: 17}, Components: gray(8),
		Coding: codestreamtest.Coding{Levels: 3}, Steps: codestreamtest.ReversibleSteps(8, 2),
	}, codestreamtest.TilePart{})
	if _, err := readAll(codestreamtest.NewReader(data), codestream.Limits{}); !errors.Is(err, codestream.ErrCorrupt) {
		t.Errorf("got %v, want %v", err, codestream.ErrCorrupt)
	}
}
