//go:build !purego

package ht

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// FuzzRows compares the rows that vectors decode with those of the Go code, row after row: samples,
// numbers, U and positions, for arbitrary quads and bits.
func FuzzRows(f *testing.F) {
	processor.Require(f, cpu.Has.AVX2, "AVX2")
	for seed := range uint64(300) {
		f.Add(seed, uint16(seed*7), uint16(seed*31), uint8(seed), uint8(seed/3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, width, length uint16, plane, bound uint8) {
		random := rand.New(rand.NewPCG(seed, 1))
		columns := 1 + int(width)%MaxSide
		segment := make([]byte, length%8192)
		for i := range segment {
			segment[i] = byte(random.Uint32()) | byte(random.Uint32())&byte(-(seed&1))
		}
		var vectors, plain magnitudeReader
		vectors.begin(segment, int(plane%31), 2+int(bound)%MaxBitPlanes, columns)
		plain.begin(segment, int(plane%31), vectors.bound, columns)
		for row := range 4 {
			longest := 1 + vectors.bound/8
			if row == 0 && seed&2 != 0 {
				longest = vectors.bound // which is sound, as nothing is predicted
			}
			if !sameRow(t, random, &vectors, &plain, columns, longest) {
				return
			}
		}
	})
}

// sameRow decodes a row in both ways and compares the results. It reports whether the row was
// sound.
func sameRow(t *testing.T, random *rand.Rand, vectors, plain *magnitudeReader, columns, longest int) bool {
	t.Helper()
	count := (columns + 3) / 4
	pairs := randomPairs(random, columns, longest)
	same := slices.Clone(pairs)
	var upper, lower, wantUpper, wantLower [MaxSide + rowPadding]int32
	sound, want := vectors.row(pairs[:count], upper[:], lower[:]), plain.rowInGo(same[:count], wantUpper[:], wantLower[:])
	if sound != want {
		t.Fatalf("sound: %v, want %v", sound, want)
	}
	if !sound {
		return false
	}
	if !slices.Equal(pairs[:count], same[:count]) {
		t.Errorf("U differs: %x, want %x", pairs[:count], same[:count])
	}
	if !slices.Equal(upper[:columns], wantUpper[:columns]) || !slices.Equal(lower[:columns], wantLower[:columns]) {
		t.Errorf("samples differ:\n%v\n%v, want\n%v\n%v", upper[:columns], lower[:columns], wantUpper[:columns], wantLower[:columns])
	}
	if !slices.Equal(vectors.lower[:columns+1], plain.lower[:columns+1]) {
		t.Errorf("numbers differ: %x, want %x", vectors.lower[:columns+1], plain.lower[:columns+1])
	}
	if vectors.position != plain.position {
		t.Errorf("the next row begins at bit %d, want %d", vectors.position, plain.position)
	}
	return !t.Failed()
}

// randomPairs returns random quads, most with u below longest, followed by empty pairs.
func randomPairs(random *rand.Rand, columns, longest int) []uint64 {
	quad := func() uint64 {
		significant := random.Uint64() & 15
		if random.IntN(3) == 0 {
			significant &= random.Uint64()
		}
		known := significant & random.Uint64()
		u := random.Uint64() % uint64(longest)
		if random.IntN(5000) == 0 {
			u = random.Uint64() % 99
		}
		return u<<upperBit | known<<knownBit | known&random.Uint64()<<onesBit | significant<<significantBit | random.Uint64()&15
	}
	pairs := make([]uint64, (columns+3)/4+pairsAtOnce)
	for i := range (columns + 1) / 2 {
		pairs[i/2] |= quad() << (32 * (i % 2))
	}
	return pairs
}
