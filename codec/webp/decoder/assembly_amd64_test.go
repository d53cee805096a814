//go:build !purego

package decoder

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"tileserver/codec/webp/vp8"
	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// TestFiltersAreAsInGo filters edges between samples that range from flat to rough.
func TestFiltersAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(7, 8))
	changed := 0
	for range 3000 {
		var planes [4]plane // two per routine
		noise, base := 1<<random.IntN(9), random.IntN(256)
		for i := range planes {
			planes[i].reset(48, 48)
		}
		for i := range planes[0].samples {
			planes[0].samples[i] = vp8.Clamp(int32(base + random.IntN(noise) - noise/2))
			planes[1].samples[i] = vp8.Clamp(int32(base + random.IntN(noise) - noise/2))
		}
		before := bytes.Clone(planes[0].samples)
		copy(planes[2].samples, planes[0].samples)
		copy(planes[3].samples, planes[1].samples)
		s := strength{
			limit: int32(random.IntN(190)), interior: int32(random.IntN(64)), rough: int32(random.IntN(3)),
		}
		want := edge16{&planes[0], &planes[1], planes[0].at(16, 16), planes[1].at(20, 12)}
		got := want
		got.first, got.second = &planes[2], &planes[3]
		name := ""
		switch random.IntN(4) {
		case 0:
			name = "columns, 6"
			want.smoothColumns6InGo(&s)
			got.smoothColumns6(&s)
		case 1:
			name = "columns, 4"
			want.smoothColumns4InGo(&s)
			got.smoothColumns4(&s)
		case 2:
			name = "rows, 6"
			want.smoothRows6InGo(&s)
			got.smoothRows6(&s)
		default:
			name = "rows, 4"
			want.smoothRows4InGo(&s)
			got.smoothRows4(&s)
		}
		if !bytes.Equal(planes[0].samples, planes[2].samples) || !bytes.Equal(planes[1].samples, planes[3].samples) {
			t.Fatalf("%s, noise of %d, %+v: other samples", name, noise, s)
		}
		if !bytes.Equal(before, planes[0].samples) {
			changed++
		}
	}
	if changed < 500 {
		t.Errorf("only %d edges were smoothed", changed)
	}
}

// TestPixelsAreAsInGo writes rows of all widths from random planes.
func TestPixelsAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(9, 10))
	noise := func(n int) []uint8 {
		row := make([]uint8, n)
		for i := range row {
			// Samples are often at the ends of the range, where results must be clamped.
			row[i] = vp8.Clamp(int32(random.IntN(384)) - 64)
		}
		return row
	}
	for width := 1; width < 300; width++ {
		for _, samples := range []int{3, 4} {
			chroma := (width + 1) / 2
			w := rowWriter{
				dst: make([]byte, width*samples), samples: samples, luma: noise(width),
				nearU: noise(chroma), farU: noise(chroma), nearV: noise(chroma), farV: noise(chroma),
			}
			inGo := w
			inGo.dst = make([]byte, width*samples)
			inGo.writePairsInGo(0)
			w.writePairsInGo(w.writePairs())
			for x := range width - 1 + width&1 {
				if x > 0 && [3]uint8(w.dst[x*samples:]) != [3]uint8(inGo.dst[x*samples:]) {
					t.Fatalf("%d pixels of %d: number %d is %v, want %v", width, samples, x, w.dst[x*samples:][:3], inGo.dst[x*samples:][:3])
				}
			}
		}
	}
}

// TestTransformIsAsInGo adds blocks of arbitrary 16-bit coefficients.
func TestTransformIsAsInGo(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for range 20_000 {
		var in [16]int16
		size := 1 << random.IntN(17)
		for i := range in {
			in[i] = int16(random.IntN(size) - size/2)
		}
		got := make([]uint8, 3*7+4)
		for i := range got {
			got[i] = uint8(random.Uint32())
		}
		want := bytes.Clone(got)
		vp8.AddBlock(want, 7, &in)
		addWhole(got, 7, &in)
		if !bytes.Equal(got, want) {
			t.Fatalf("%v gives %v, want %v", in, got, want)
		}
	}
}

// TestBlocksAreReadAsInGo decodes random data with random probabilities up to the end of the data.
func TestBlocksAreReadAsInGo(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		data := make([]byte, 3000)
		for i := range data {
			first, second := random.Uint32(), random.Uint32()
			data[i] = uint8(first & second) // bits are 1 with a probability of a quarter
		}
		var bands [8][3][11]uint8
		for i := range bands {
			for j := range bands[i] {
				for k := range bands[i][j] {
					bands[i][j][k] = uint8(random.Uint32())
				}
			}
		}
		step := [2]int32{random.Int32N(157) + 4, random.Int32N(284) + 4}
		got, want := newBoolReader(data), newBoolReader(data)
		for !want.ended {
			var gotBlock, wantBlock [16]int16
			context, first := random.IntN(3), random.IntN(2)
			wantEnd := want.readBlockInGo(&wantBlock, &bands, context, first, &step)
			gotEnd := got.readBlock(&gotBlock, &bands, context, first, &step)
			if gotEnd != wantEnd || gotBlock != wantBlock {
				t.Fatalf("at byte %d: got %d, %v; want %d, %v", want.at, gotEnd, gotBlock, wantEnd, wantBlock)
			}
		}
		if !got.ended {
			t.Fatal("only the Go code came to the end")
		}
	}
}
