package lerc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// oldEncoder writes CntZImage streams.
type oldEncoder struct {
	tileRows, tileColumns int
	tiledCounts           bool
	seed                  uint64
}

func (e oldEncoder) stream(p picture) []byte {
	random := rand.New(rand.NewPCG(e.seed, 1))
	pixels := p.width * p.height
	var out []byte
	for band := range p.bands {
		out = append(out, oldMagic...)
		for _, v := range []int{oldVersion, oldImageType, p.height, p.width} {
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		}
		out = number(out, Float64, 0.5)
		if band == 0 {
			out = append(out, e.counts(p, random)...)
		}
		values := e.section(p, func(samples []float64, valid []bool) []byte {
			var present []float64
			for i, sample := range samples {
				if valid[i] {
					present = append(present, sample)
				}
			}
			return oldTile(present, random)
		}, p.samples[band*pixels:])
		out = append(out, oldPartHead(e.tileRows, e.tileColumns, len(values), slices.Max(p.samples))...)
		out = append(out, values...)
	}
	return out
}

func oldPartHead(rows, columns, size int, highest float64) (head []byte) {
	for _, v := range []int{rows, columns, size} {
		head = binary.LittleEndian.AppendUint32(head, uint32(v))
	}
	return number(head, Float32, highest)
}

func (e oldEncoder) counts(p picture, random *rand.Rand) []byte {
	mask := p.valid[:p.width*p.height]
	switch {
	case e.tiledCounts:
		tiles := e.section(p, func(_ []float64, valid []bool) []byte { return oldCountTile(valid, random) }, p.samples)
		return append(oldPartHead(e.tileRows, e.tileColumns, len(tiles), 1), tiles...)
	case !slices.Contains(mask, false):
		return oldPartHead(0, 0, 0, 1)
	case !slices.Contains(mask, true):
		return oldPartHead(0, 0, 0, 0)
	}
	packed := packMask(mask)
	return append(oldPartHead(0, 0, len(packed), 1), packed...)
}

// section cuts a band into tiles. Some tiles remain at the right and the bottom.
func (e oldEncoder) section(p picture, tile func(samples []float64, valid []bool) []byte, samples []float64) (out []byte) {
	cuts := func(size, count int) []int {
		var at []int
		for i := range count + 1 {
			at = append(at, i*(size/count))
		}
		if size%count > 0 {
			at = append(at, size)
		}
		return at
	}
	rows, columns := cuts(p.height, e.tileRows), cuts(p.width, e.tileColumns)
	for i := range rows[1:] {
		for j := range columns[1:] {
			var inside []float64
			var valid []bool
			for y := rows[i]; y < rows[i+1]; y++ {
				inside = append(inside, samples[y*p.width+columns[j]:y*p.width+columns[j+1]]...)
				valid = append(valid, p.valid[y*p.width+columns[j]:y*p.width+columns[j+1]]...)
			}
			out = append(out, tile(inside, valid)...)
		}
	}
	return out
}

func oldTile(samples []float64, random *rand.Rand) (out []byte) {
	if len(samples) == 0 {
		return []byte{oldZero}
	}
	low, high := slices.Min(samples), slices.Max(samples)
	switch {
	case low == 0 && high == 0:
		return []byte{oldZero}
	case low == high:
		return oldOffset(oldConstant, low, random)
	case random.IntN(4) == 0:
		out = []byte{oldRaw}
		for _, sample := range samples {
			out = number(out, Float32, sample)
		}
		return out
	}
	quanta := make([]uint32, len(samples))
	for i, sample := range samples {
		quanta[i] = uint32(sample - low)
	}
	out = oldOffset(oldStuffed, low, random)
	width := bitsFor(slices.Max(quanta))
	out = appendQuantaHead(out, width, len(quanta), random.IntN(3))
	return stuffHighFirst(out, quanta, width)
}

func oldOffset(flags byte, offset float64, random *rand.Rand) []byte {
	switch {
	case offset == float64(int8(offset)) && random.IntN(3) > 0:
		return []byte{flags | 2<<6, byte(int8(offset))}
	case offset == float64(int16(offset)) && random.IntN(3) > 0:
		return binary.LittleEndian.AppendUint16([]byte{flags | 1<<6}, uint16(int16(offset)))
	}
	return number([]byte{flags}, Float32, offset)
}

// oldCountTile writes the count of each pixel: zero, negative or positive.
func oldCountTile(valid []bool, random *rand.Rand) (out []byte) {
	switch {
	case !slices.Contains(valid, true):
		return []byte{byte(oldZero + random.IntN(2))}
	case !slices.Contains(valid, false) && random.IntN(2) == 0:
		return []byte{oldAllCounted}
	}
	counts := make([]uint32, len(valid))
	for i, v := range valid {
		if v {
			counts[i] = 1 + random.Uint32N(3)
		}
	}
	if random.IntN(2) == 0 {
		out = []byte{oldRaw}
		for _, count := range counts {
			out = number(out, Float32, float64(count))
		}
		return out
	}
	out = oldOffset(oldStuffed, 0, random)
	out = appendQuantaHead(out, 2, len(counts), random.IntN(3))
	return stuffHighFirst(out, counts, 2)
}

// oldPicture returns p as a CntZImage can represent it: one value per pixel, and the same mask in
// all bands.
func oldPicture(p picture) (picture, bool) {
	p.valid = slices.Clone(p.valid)
	pixels := p.width * p.height
	for i := range p.valid {
		p.valid[i] = p.valid[i%pixels]
	}
	return p, p.depth == 1
}

func oldEncoders(p picture) map[string]oldEncoder {
	return map[string]oldEncoder{
		"one tile":     {tileRows: 1, tileColumns: 1},
		"a few tiles":  {tileRows: min(2, p.height), tileColumns: min(4, p.width), seed: 1},
		"many tiles":   {tileRows: (p.height + 7) / 8, tileColumns: (p.width + 7) / 8, seed: 2},
		"tiny tiles":   {tileRows: p.height, tileColumns: p.width, seed: 3},
		"tiled counts": {tileRows: (p.height + 7) / 8, tileColumns: (p.width + 7) / 8, tiledCounts: true, seed: 4},
	}
}

func TestDecodeOld(t *testing.T) {
	var decoder Decoder
	for pictureName, p := range pictures(Float32) {
		p, fits := oldPicture(p)
		if !fits {
			continue
		}
		for encoderName, e := range oldEncoders(p) {
			t.Run(fmt.Sprint(pictureName, "/", encoderName), func(t *testing.T) {
				src := e.stream(p)
				header, err := ReadHeader(append(bytes.Clone(src), "more"...))
				if err != nil {
					t.Fatal(err)
				}
				want := Header{
					Version: OldVersion, Type: Float32, Width: p.width, Height: p.height, Depth: 1, Bands: p.bands,
					MaxZError: 0.5, AllValid: header.AllValid, ValidPixels: header.ValidPixels, Bytes: len(src),
				}
				allValid := !slices.Contains(p.valid, false)
				if header != want || header.AllValid && !allValid || allValid && !e.tiledCounts && header.ValidPixels != p.width*p.height {
					t.Errorf("got %+v, want %+v", header, want)
				}
				wantSamples, wantMask := expected(p)
				samples, mask := memory(len(wantSamples)), memory(len(wantMask))
				if err := decoder.Decode(samples, mask, src); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(mask, wantMask) || !bytes.Equal(samples, wantSamples) {
					t.Fatalf("the mask is right: %v; the samples: %v", bytes.Equal(mask, wantMask), bytes.Equal(samples, wantSamples))
				}
			})
		}
	}
}

func TestDecodeOldTruncated(t *testing.T) {
	p, _ := oldPicture(pictures(Float32)["dots"])
	for name, e := range oldEncoders(p) {
		src := e.stream(p)
		one := len(e.stream(picture{p.kind, p.width, p.height, 1, 1, p.samples[:p.width*p.height], p.valid[:p.width*p.height]}))
		for length := range one {
			if header, err := ReadHeader(src[:length]); err == nil {
				t.Fatalf("%s, %d of %d bytes: %+v", name, length, one, header)
			}
		}
	}
}

func TestOldHeaderRejects(t *testing.T) {
	p := pictures(Float32)["ramp"]
	src := oldEncoder{tileRows: 2, tileColumns: 3}.stream(p)
	const firstField = len(oldMagic)
	for name, test := range map[string]struct {
		at    int
		value uint32
		want  error
	}{
		"another version":       {0, 12, ErrUnsupported},
		"another kind":          {4, 3, ErrUnsupported},
		"no rows":               {8, 0, ErrCorrupt},
		"negative columns":      {12, 1 << 31, ErrCorrupt},
		"too many columns":      {12, 40_001, ErrCorrupt},
		"a negative error":      {20, 0xbf000000, ErrCorrupt},
		"counts beyond the end": {32, 1 << 20, ErrTruncated},
		"negative counts":       {32, 1<<32 - 1, ErrTruncated},
		"more tiles than rows":  {40, 22, ErrCorrupt},
		"no tiles":              {44, 0, ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			src := bytes.Clone(src)
			binary.LittleEndian.PutUint32(src[firstField+test.at:], test.value)
			samples, mask := expected(p)
			var decoder Decoder
			if err := decoder.Decode(samples, mask, src); !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
		})
	}
}
