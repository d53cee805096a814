package decoder

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/codec/jpeg"
)

// sameTransform reports whether the fast transform and its Go twin produce the same samples and
// blocks.
func sameTransform(blocks []block, lastIndexes []uint8, q *quantizer) bool {
	stride := 8*len(blocks) + 3
	fast, plain := bytes.Repeat([]byte{7}, 8*stride), bytes.Repeat([]byte{7}, 8*stride)
	copied := slices.Clone(blocks)
	transformRow8(fast, stride, blocks, lastIndexes, q)
	transformRow8Go(plain, stride, copied, lastIndexes, q)
	for i := range blocks {
		if blocks[i] != (block{}) || copied[i] != (block{}) {
			return false
		}
	}
	return bytes.Equal(fast, plain)
}

func TestTransformTwins(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		var q quantizer
		blocks, lastIndexes := make([]block, 1+round%5), make([]uint8, 5)
		for i := range q {
			q[i] = uint16(random.Uint32() >> (16 + random.IntN(16)))
		}
		for i := range blocks {
			lastIndexes[i] = 63
			for range 1 + random.IntN(64) {
				blocks[i][random.IntN(64)] = int16(random.Uint32()) >> random.IntN(16)
			}
			if random.IntN(4) == 0 {
				blocks[i], lastIndexes[i] = block{blocks[i][0]}, 0
			}
		}
		if !sameTransform(blocks, lastIndexes, &q) {
			t.Fatalf("round %d: other samples", round)
		}
	}
}

// TestFlatBlocks compares the shortcut for blocks with a DC coefficient only with the full
// transform.
func TestFlatBlocks(t *testing.T) {
	for mean := -1 << 15; mean < 1<<15; mean++ {
		flat, whole := block{int16(mean)}, block{int16(mean)}
		got, want := make([]uint8, 64), make([]uint8, 64)
		q := quantizer{1}
		flatBlock8(got, 8, &flat, &q)
		transformBlock8Go(want, 8, &whole, &q)
		if !bytes.Equal(got, want) {
			t.Fatalf("mean %d: %d, want %d", mean, got[0], want[0])
		}
	}
}

// sameRows reports whether the fast row functions and their Go twins agree.
func sameRows(y, cb, cr []uint8, left, right uint16) bool {
	n := len(y)
	rows := func() [][]uint8 { return [][]uint8{make([]uint8, n), make([]uint8, n), make([]uint8, n)} }
	fast, plain := rows(), rows()
	rgbRow8(fast[0], fast[1], fast[2], y, cb, cr)
	rgbRow8Go(plain[0], plain[1], plain[2], y, cb, cr)
	for i := range fast {
		if !bytes.Equal(fast[i], plain[i]) {
			return false
		}
	}
	sums, plainSums := make([]uint16, n), make([]uint16, n)
	sumRows8(sums, cb, cr)
	sumRowsGo(plainSums, cb, cr)
	if !slices.Equal(sums, plainSums) || n == 0 {
		return n == 0
	}
	wide, plainWide := make([]uint8, 2*n), make([]uint8, 2*n)
	widenSums8(wide, sums, left, right)
	widenSumsGo(plainWide, sums, left, right)
	return bytes.Equal(wide, plainWide)
}

func TestRowTwins(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 200 {
		rows := make([][]uint8, 3)
		for i := range rows {
			rows[i] = make([]uint8, n)
			for x := range rows[i] {
				rows[i][x] = uint8(random.Uint32())
			}
		}
		if !sameRows(rows[0], rows[1], rows[2], 7, 8) || !sameRows(rows[0], rows[1], rows[2], 8, 4) {
			t.Fatalf("%d samples: other samples", n)
		}
	}
}

func TestAllColors(t *testing.T) {
	luma, cb, cr := make([]uint8, 256), make([]uint8, 256), make([]uint8, 256)
	for i := range luma {
		luma[i] = uint8(i)
	}
	for u := range 256 {
		for v := range 256 {
			for i := range luma {
				cb[i], cr[i] = uint8(u), uint8(v)
			}
			if !sameRows(luma, cb, cr, 7, 8) {
				t.Fatalf("chroma %d,%d: other colors", u, v)
			}
		}
	}
}

func FuzzTwins(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, []byte{3, 0, 255, 1})
	f.Fuzz(func(t *testing.T, coefficients, factors []byte) {
		var b block
		var q quantizer
		for i := range min(len(coefficients)/2, jpeg.BlockSize) {
			b[i] = int16(binary.LittleEndian.Uint16(coefficients[2*i:]))
		}
		for i := range min(len(factors)/2, jpeg.BlockSize) {
			q[i] = binary.LittleEndian.Uint16(factors[2*i:])
		}
		if !sameTransform([]block{b}, []uint8{63}, &q) {
			t.Errorf("block %v times %v: other samples", b, q)
		}
		n := min(len(coefficients), len(factors))
		if !sameRows(coefficients[:n], factors[:n], coefficients[len(coefficients)-n:], 7, 8) {
			t.Error("rows: other samples")
		}
	})
}
