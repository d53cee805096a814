//go:build !purego

package ht

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// FuzzPairs compares the pairs of quads that assembly decodes with those of the Go code, row after row,
// for arbitrary bits of VLC and MEL.
func FuzzPairs(f *testing.F) {
	processor.Require(f, cpu.Has.AVX2 && cpu.Has.BMI2, "AVX2 or BMI2")
	for seed := range uint64(300) {
		f.Add(seed, uint16(seed*7), uint16(seed*31))
	}
	f.Fuzz(func(t *testing.T, seed uint64, columns, length uint16) {
		random := rand.New(rand.NewPCG(seed, 2))
		whole := 1 + int(columns)%(MaxSide/4)
		const rows = 3
		stride := (whole + pairsAtOnce) / pairsAtOnce * pairsAtOnce
		suffix := make([]byte, 2+length%4000)
		for i := range suffix {
			suffix[i] = byte(random.Uint32() & (random.Uint32() | -uint32(seed&1)))
		}
		var assembly, plain quadReader
		pairs := make([]uint64, (rows+1)*stride)
		for i := range whole {
			pairs[i] = random.Uint64() & -(seed >> 1 & 1)
		}
		same := slices.Clone(pairs)
		assembly.begin(suffix, rows*whole)
		plain.begin(suffix, rows*whole)
		for row := range rows {
			above, at := row*stride, (row+1)*stride
			assembly.mel.decode(2 * whole)
			plain.mel.decode(2 * whole)
			got := assembly.wholePairs(pairs[at:], pairs[above:], whole)
			clear(pairs[at+whole : at+stride])
			if want := plain.wholePairsInGo(same[at:][:whole], same[above:]); got != want {
				t.Errorf("row %d leaves %#x to the context of the next quad, want %#x", row, got, want)
			}
		}
		if !slices.Equal(pairs, same) {
			t.Errorf("pairs differ: %x, want %x", pairs, same)
		}
		if assembly.position != plain.position || assembly.mel.position != plain.mel.position {
			t.Errorf("ends at bit %d, event %d, want %d, %d",
				assembly.position, assembly.mel.position, plain.position, plain.mel.position)
		}
	})
}
