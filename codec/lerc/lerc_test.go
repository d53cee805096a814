package lerc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var allTypes = []Type{Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64}

// pictures returns pictures that suit every type and steps of 1. Their samples are integers from 0
// to 120, and also negative and large ones if the type has them.
func pictures(kind Type) map[string]picture {
	all := make(map[string]picture)
	add := func(name string, width, height, depth, bands int, sample func(x, y, i int) float64, valid func(x, y, band int) bool) {
		p := picture{kind: kind, width: width, height: height, depth: depth, bands: bands}
		for band := range bands {
			for y := range height {
				for x := range width {
					p.valid = append(p.valid, valid(x, y, band))
					for value := range depth {
						p.samples = append(p.samples, sample(x, y, band*depth+value))
					}
				}
			}
		}
		all[name] = p
	}
	random := rand.New(rand.NewPCG(7, 8))
	lowest, highest := 0.0, 120.0
	switch kind {
	case Int8:
		lowest = -128
	case Uint8:
		highest = 255
	case Int16:
		lowest, highest = -30_000, 32_767
	case Uint16:
		highest = 65_535
	case Int32, Float32, Float64:
		lowest, highest = -1_000_000, 1<<23
	case Uint32:
		highest = 1 << 30
	}
	everywhere := func(int, int, int) bool { return true }
	circle := func(x, y, _ int) bool { return (x-15)*(x-15)+(y-10)*(y-10) < 120 }
	dots := func(_, _, band int) bool { return random.IntN(3+band) > 0 }
	ramp := func(x, y, i int) float64 { return math.Round(40 + 20*math.Sin(float64(x+i)/9) + float64(y)) }
	noise := func(int, int, int) float64 { return math.Floor(lowest + random.Float64()*(highest-lowest)) }
	classes := func(x, y, i int) float64 { return float64((x/5 + y/7 + i) % 3 * 17) }
	add("one pixel", 1, 1, 1, 1, ramp, everywhere)
	add("ramp", 37, 21, 1, 1, ramp, everywhere)
	add("classes", 40, 33, 1, 1, classes, everywhere)
	add("noise", 31, 35, 1, 1, noise, everywhere)
	add("constant", 20, 11, 1, 1, func(int, int, int) float64 { return 7 }, everywhere)
	add("a constant a value", 20, 11, 3, 2, func(_, _, i int) float64 { return float64(7 * i) }, circle)
	add("three values", 35, 18, 3, 1, ramp, everywhere)
	add("three bands", 35, 18, 1, 3, ramp, everywhere)
	add("circle", 33, 22, 1, 1, ramp, circle)
	add("circle of noise", 33, 22, 2, 1, noise, circle)
	add("three circles", 33, 22, 2, 3, ramp, circle)
	add("dots", 33, 22, 1, 3, ramp, dots)
	add("dots of four values", 19, 22, 4, 1, classes, dots)
	add("nothing valid", 13, 9, 2, 2, ramp, func(int, int, int) bool { return false })
	add("wide", 300, 3, 1, 1, ramp, everywhere)
	add("large", 130, 129, 1, 1, ramp, everywhere)
	return all
}

// encoders returns the encoders that can encode a type with a step of 1 or losslessly.
func encoders(kind Type) map[string]encoder {
	all := make(map[string]encoder)
	for version := 1; version <= newestVersion; version++ {
		name := func(how string) string { return fmt.Sprintf("version %d, %s", version, how) }
		all[name("raw")] = encoder{version: version, method: methodRaw, maxZError: 0.5, blockSize: 8}
		all[name("blocks of 8")] = encoder{version: version, maxZError: 0.5, blockSize: 8}
		all[name("blocks of 16")] = encoder{version: version, maxZError: 0.5, blockSize: 16, seed: 1}
		all[name("blocks of 11")] = encoder{version: version, maxZError: 0.5, blockSize: 11, seed: 2}
		all[name("blocks of 32")] = encoder{version: version, maxZError: 0.5, blockSize: 32, seed: 3}
		if version >= 5 {
			all[name("differences")] = encoder{version: version, maxZError: 0.5, blockSize: 8, relative: true}
		}
		if kind <= Uint8 && version >= 2 {
			all[name("delta Huffman")] = encoder{version: version, method: methodDeltaHuffman, maxZError: 0.5, blockSize: 8}
			all[name("long delta Huffman")] = encoder{version: version, method: methodDeltaHuffman, maxZError: 0.5, blockSize: 8, skewed: true}
		}
		if kind <= Uint8 && version >= 4 {
			all[name("Huffman")] = encoder{version: version, method: methodHuffman, maxZError: 0.5, blockSize: 8}
			all[name("long Huffman")] = encoder{version: version, method: methodHuffman, maxZError: 0.5, blockSize: 8, skewed: true}
		}
		if kind >= Float32 {
			all[name("lossless blocks")] = encoder{version: version, blockSize: 8}
			all[name("quarters")] = encoder{version: version, maxZError: 0.125, blockSize: 8}
		}
		for predictor := byte(0); predictor < 3 && kind >= Float32 && version >= 6; predictor++ {
			all[name(fmt.Sprint("planes ", predictor))] = encoder{version: version, method: methodPlanes, predictor: predictor, blockSize: 8}
			all[name(fmt.Sprint("long planes ", predictor))] = encoder{
				version: version, method: methodPlanes, predictor: predictor, blockSize: 8, skewed: true, seed: 3,
			}
		}
	}
	return all
}

// expected returns the samples and the mask that Decode must return for p.
func expected(p picture) (samples, mask []byte) {
	for i, sample := range p.samples {
		if !p.valid[i/p.depth] {
			sample = 0
		}
		samples = number(samples, p.kind, sample)
	}
	copyStored(samples, bytes.Clone(samples), p.kind.Bytes())
	mask = make([]byte, len(p.valid))
	for i, v := range p.valid {
		if v {
			mask[i] = valid
		}
	}
	return samples, mask
}

// memory returns n bytes aligned for samples of any type. None of them is zero.
func memory(n int) []byte {
	b := bytesOf(make([]uint64, n/8+1))[:n]
	fill(b, 0xa5)
	return b
}

func TestDecode(t *testing.T) {
	var decoder Decoder
	for _, kind := range allTypes {
		for pictureName, p := range pictures(kind) {
			for encoderName, e := range encoders(kind) {
				if e.version < 4 && p.depth > 1 {
					continue
				}
				t.Run(fmt.Sprintf("%v/%s/%s", kind, pictureName, encoderName), func(t *testing.T) {
					src := e.stream(p)
					wantSamples, wantMask := expected(p)
					samples, mask := memory(len(wantSamples)), memory(len(wantMask))
					if err := decoder.Decode(samples, mask, src); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(mask, wantMask) {
						t.Fatal("another mask")
					}
					for i := range samples {
						if samples[i] != wantSamples[i] {
							t.Fatalf("byte %d is %#x, want %#x", i, samples[i], wantSamples[i])
						}
					}
				})
			}
		}
	}
}

func TestDecodeWithoutMask(t *testing.T) {
	all := pictures(Uint16)
	var decoder Decoder
	e := encoder{version: 4, maxZError: 0.5, blockSize: 8}
	want, _ := expected(all["three values"])
	samples := memory(len(want))
	if err := decoder.Decode(samples, nil, e.stream(all["three values"])); err != nil || !bytes.Equal(samples, want) {
		t.Errorf("all valid: %v", err)
	}
	masked, _ := expected(all["circle"])
	if err := decoder.Decode(memory(len(masked)), nil, e.stream(all["circle"])); !errors.Is(err, ErrDestination) {
		t.Errorf("not all valid: %v", err)
	}
}

// TestDecodeLossy uses steps other than 1, and checks that samples are clamped to the maximum.
func TestDecodeLossy(t *testing.T) {
	var decoder Decoder
	for _, kind := range []Type{Uint8, Int16, Int32, Uint32, Float32, Float64} {
		for _, step := range []float64{2, 6, 14} {
			p := pictures(kind)["noise"]
			for i := range p.samples {
				p.samples[i] = math.Mod(math.Abs(p.samples[i]), 17) * step
			}
			for version := 1; version <= newestVersion; version++ {
				e := encoder{version: version, maxZError: step / 2, blockSize: 8}
				want, mask := expected(p)
				samples := memory(len(want))
				if err := decoder.Decode(samples, mask, e.stream(p)); err != nil || !bytes.Equal(samples, want) {
					t.Errorf("%v, version %d, step %v: %v", kind, version, step, err)
				}
			}
		}
	}
}

func TestDecodeClampsToMaximum(t *testing.T) {
	p := pictures(Uint8)["ramp"]
	e := encoder{version: 2, maxZError: 0.5, blockSize: 8, method: methodBlocks}
	src := e.stream(p)
	h, err := readBlobHeader(src)
	if err != nil {
		t.Fatal(err)
	}
	const highest = 50
	binary.LittleEndian.PutUint64(src[h.bodyAt-8:], math.Float64bits(highest))
	samples, mask := memory(len(p.samples)), memory(len(p.samples))
	var decoder Decoder
	if err := decoder.Decode(samples, mask, src); err != nil {
		t.Fatal(err)
	}
	cut := 0
	for i, sample := range samples {
		switch want := byte(p.samples[i]); {
		case want <= highest && sample != want:
			t.Fatalf("sample %d is %d, want %d", i, sample, want)
		case want > highest && sample == highest:
			cut++
		}
	}
	if cut == 0 {
		t.Error("nothing was cut off")
	}
}

func TestDecodeNoData(t *testing.T) {
	var decoder Decoder
	for _, kind := range []Type{Int16, Float32, Float64} {
		p := pictures(kind)["three circles"]
		random := rand.New(rand.NewPCG(1, 1))
		for i := range p.samples {
			if random.IntN(4) == 0 {
				p.samples[i] = -9999
			}
		}
		e := encoder{version: 6, maxZError: 0.5, blockSize: 8, noData: &noData{value: -9999, stored: 0}}
		src := e.stream(p)
		header, err := ReadHeader(src)
		if err != nil || !header.HasNoData || header.NoData != -9999 {
			t.Errorf("%v: %+v, %v", kind, header, err)
		}
		want, mask := expected(p)
		samples := memory(len(want))
		if err := decoder.Decode(samples, mask, src); err != nil || !bytes.Equal(samples, want) {
			t.Errorf("%v: %v", kind, err)
		}
	}
}

func TestDecodeUnfitDestination(t *testing.T) {
	p := pictures(Float64)["ramp"]
	src := encoder{version: 4, maxZError: 0.5, blockSize: 8}.stream(p)
	samples, mask := memory(len(p.samples)*8+8), memory(len(p.valid))
	var decoder Decoder
	for name, test := range map[string]struct{ samples, mask []byte }{
		"no room":      {nil, mask},
		"too short":    {samples[:len(samples)-16], mask},
		"too long":     {samples, mask},
		"not aligned":  {samples[4 : len(samples)-4], mask},
		"another mask": {samples[:len(samples)-8], mask[1:]},
	} {
		if err := decoder.Decode(test.samples, test.mask, src); !errors.Is(err, ErrDestination) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecodeAllocates(t *testing.T) {
	var decoder Decoder
	for _, kind := range allTypes {
		for _, name := range []string{"three circles", "ramp", "noise"} {
			p := pictures(kind)[name]
			for encoderName, e := range encoders(kind) {
				if e.version < 4 && p.depth > 1 {
					continue
				}
				src := e.stream(p)
				want, mask := expected(p)
				samples := memory(len(want))
				allocations := testing.AllocsPerRun(2, func() {
					if err := decoder.Decode(samples, mask, src); err != nil {
						t.Fatal(err)
					}
				})
				if allocations != 0 {
					t.Errorf("%v, %s, %s: %v allocations", kind, name, encoderName, allocations)
				}
			}
		}
	}
}

func TestFletcher32(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for length := range 3000 {
		data := make([]byte, length)
		for i := range data {
			data[i] = byte(random.Uint32())
			if length%3 == 0 {
				data[i] = 0xff
			}
		}
		if got, want := Fletcher32(data), slowFletcher32(data); got != want {
			t.Fatalf("%d bytes: got %#x, want %#x", length, got, want)
		}
	}
}
