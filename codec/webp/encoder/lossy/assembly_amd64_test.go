//go:build !purego

package lossy

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"tileserver/codec/webp/vp8"
	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

const testStride = 37

// square returns 16x16 samples with a column before each, from flat to rough. They are often at the
// ends of the range.
func square(random *rand.Rand) []uint8 {
	samples := make([]uint8, 16*testStride)
	base, noise := random.IntN(256), 1<<random.IntN(10)
	for i := range samples {
		samples[i] = vp8.Clamp(int32(base + random.IntN(noise) - noise/2))
	}
	return samples
}

func TestChoiceIsAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(1, 2))
	var chosen [vp8.SubblockModes]int
	for range 50_000 {
		src := square(random)
		var e edges
		copy(e[:], square(random))
		e[1], e[14] = e[0], e[13]
		var scores [16]int32
		for i := range scores {
			scores[i] = invalidModeEffort
			if i < vp8.SubblockModes {
				scores[i] = random.Int32N(5000)
			}
		}
		var got, want predictions
		wantKey := e.chooseInGo(&want, src, testStride, &scores)
		gotKey := e.choose(&got, src, testStride, &scores)
		if got != want || gotKey != wantKey {
			t.Fatalf("%v: got %v, %x; want %v, %x", e, got, gotKey, want, wantKey)
		}
		chosen[gotKey&15]++
	}
	for m, n := range chosen {
		if n == 0 {
			t.Errorf("mode %d was never the best", m)
		}
	}
}

func TestBlocksAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 50_000 {
		src, dst := square(random), square(random)
		s := settingsOfQuantizer(random.IntN(maxQuantizer + 1))
		q := &s.subblock
		other := bytes.Clone(dst)

		if got, want := effort16(src, dst, testStride), effort16InGo(src, dst, testStride); got != want {
			t.Fatalf("%d: effort: got %d, want %d", i, got, want)
		}
		var got, want [16]block
		transformWholeInGo(&want, src, dst, testStride)
		transformWhole(&got, src, dst, testStride)
		if got != want {
			t.Fatalf("%d: transform: got %v, want %v", i, got, want)
		}
		var gotLevels, wantLevels block
		for j := range got {
			gotEnd, wantEnd := q.quantize(&gotLevels, &got[j]), q.quantizeInGo(&wantLevels, &want[j])
			if gotEnd != wantEnd || gotLevels != wantLevels || got[j] != want[j] {
				t.Fatalf("%d: quantize: got %v %d, want %v %d", i, gotLevels, gotEnd, wantLevels, wantEnd)
			}
		}
		addWholeInGo(dst, testStride, &want)
		addWhole(other, testStride, &got)
		if !bytes.Equal(dst, other) {
			t.Fatalf("%d: inverse: got %v, want %v", i, other, dst)
		}
	}
}

func TestEncodedBlocksAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 50_000 {
		src, dst := square(random), square(random)
		s := settingsOfQuantizer(random.IntN(maxQuantizer + 1))
		predicted := [16]uint8(square(random))
		other := bytes.Clone(dst)
		var got, want [2]block
		wantEnd := s.subblock.encodeBlockInGo(&predicted, src, dst, testStride, &want[0])
		gotEnd := s.subblock.encodeBlock(&predicted, src, other, testStride, &got[0])
		if got != want || gotEnd != wantEnd || !bytes.Equal(dst, other) {
			t.Fatalf("%d: block: got %v %d %v, want %v %d %v", i, got[0], gotEnd, other, want[0], wantEnd, dst)
		}
		want0, want1 := s.chroma.encodePairInGo(src[5:], dst[5:], testStride, &want)
		got0, got1 := s.chroma.encodePair(src[5:], other[5:], testStride, &got)
		if got != want || got0 != want0 || got1 != want1 || !bytes.Equal(dst, other) {
			t.Fatalf("%d: pair: got %v %d %d, want %v %d %d", i, got, got0, got1, want, want0, want1)
		}
	}
}

// TestTokensAreWrittenAsInGo writes two lists of different lengths with all probabilities.
// Probabilities near one produce many carries.
func TestTokensAreWrittenAsInGo(t *testing.T) {
	processor.Require(t, canRunAssembly(), "BMI2 and LZCNT")
	random := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		var p probabilityTable
		for i := range p {
			p[i] = uint8(1 + random.IntN(255) | random.IntN(2)*255)
		}
		var lists [2][]byte
		for i := range lists {
			rare := random.IntN(8) == 0
			for range random.IntN(40_000) {
				k := uint16(random.IntN(2 * indexCount))
				if rare {
					k |= 1
				}
				lists[i] = append(lists[i], uint8(k), uint8(k>>8))
			}
		}
		var got, want [2]boolWriter
		for i := range got {
			got[i].start([]byte("before"))
			want[i].start([]byte("before"))
			want[i].tokensInGo(lists[i], &p)
		}
		writeTokens(&got[0], &got[1], lists[0], lists[1], &p)
		for i := range got {
			if got, want := got[i].finish(), want[i].finish(); !bytes.Equal(got, want) {
				t.Fatalf("list %d of %d tokens: got %d bytes, want %d, or others", i, len(lists[i])/tokenBytes, len(got), len(want))
			}
		}
	}
}

// TestAssemblyOfTokensNeedsBothExtensions checks that the assembly requires both BMI2 and LZCNT, since
// processors may have only one of them.
func TestAssemblyOfTokensNeedsBothExtensions(t *testing.T) {
	for _, has := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		restore := cpu.Use(cpu.Features{BMI2: has[0], LZCNT: has[1]})
		if got, want := canRunAssembly(), has[0] && has[1]; got != want {
			t.Errorf("BMI2 %v and LZCNT %v: got %v, want %v", has[0], has[1], got, want)
		}
		restore()
	}
}

func TestPixelsAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(9, 10))
	for width := 1; width < 150; width++ {
		for _, f := range []Format{RGB, RGBA} {
			noise := func(n int) []uint8 {
				row := make([]uint8, n)
				for i := range row {
					row[i] = vp8.Clamp(int32(random.IntN(384)) - 64) // often at the ends of the range
				}
				return row
			}
			luma, chroma := (width+1)&^1, (width+1)/2
			got := rowPair{
				format: f, width: width, upper: noise(width * f.samples()), lower: noise(width * f.samples()),
				upperLuma: noise(luma), lowerLuma: noise(luma), u: noise(chroma), v: noise(chroma),
			}
			want := got
			want.upperLuma, want.lowerLuma, want.u, want.v = noise(luma), noise(luma), noise(chroma), noise(chroma)
			got.convert()
			want.convertPairsInGo(0)
			if !bytes.Equal(got.upperLuma, want.upperLuma) || !bytes.Equal(got.lowerLuma, want.lowerLuma) {
				t.Fatalf("format %d, %d pixels: other luma", f, width)
			}
			if !bytes.Equal(got.u, want.u) || !bytes.Equal(got.v, want.v) {
				t.Fatalf("format %d, %d pixels: other chroma", f, width)
			}
		}
	}
}

func TestPredictionsAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	random := rand.New(rand.NewPCG(11, 12))
	for i := range 50_000 {
		src, srcV := square(random), square(random)
		var around, aroundV neighbors
		for _, n := range []*neighbors{&around, &aroundV} {
			samples := square(random)
			copy(n.above[:], samples)
			copy(n.left[:], samples[testStride:])
			n.corner, n.mean, n.size = samples[20], samples[21], 16
		}
		var got, want [vp8.WholeModes]int32
		distances16(&got, &around, src, testStride)
		distances16InGo(&want, &around, src, testStride)
		if got != want {
			t.Fatalf("%d: luma: got %v, want %v", i, got, want)
		}
		for _, size := range []int{16, 8} {
			m, dst := vp8.Mode(random.IntN(vp8.WholeModes)), square(random)
			other := bytes.Clone(dst)
			around.size, aroundV.size = size, size
			around.predictInGo(dst, testStride, m)
			around.predict(other, testStride, m)
			if !bytes.Equal(dst, other) {
				t.Fatalf("%d: mode %d of %d: got %v, want %v", i, m, size, other, dst)
			}
		}
		distances8(&got, &around, &aroundV, src, srcV, testStride)
		distances8InGo(&want, &around, &aroundV, src, srcV, testStride)
		if got != want {
			t.Fatalf("%d: chroma: got %v, want %v", i, got, want)
		}
	}
}

// TestFramesAreAsInGo encodes with all assembly and with none.
func TestFramesAreAsInGo(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2 && canRunAssembly(), "AVX2, BMI2 and LZCNT")
	all := cpu.Has
	defer cpu.Use(all)()
	var e Encoder
	for i, scene := range scenes {
		for _, quality := range []int{3, 50, 75, 95, 100} {
			img := paint(RGB, 150, 77, uint64(i), scene.pixel)
			var frames [2][]byte
			for j, features := range []cpu.Features{all, {}} {
				cpu.Use(features)
				var err error
				if frames[j], err = e.Encode(nil, img, quality); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(frames[0], frames[1]) {
				t.Errorf("%s, quality %d: %d bytes, in Go %d, or others", scene.name, quality, len(frames[0]), len(frames[1]))
			}
		}
	}
}
