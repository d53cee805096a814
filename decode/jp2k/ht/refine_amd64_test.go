//go:build !purego

package ht

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// FuzzChange compares the samples of a stripe that assembly changes with those of the Go code, for
// arbitrary bits, and checks that nothing beside the stripe is changed.
func FuzzChange(f *testing.F) {
	processor.Require(f, cpu.Has.AVX2 && cpu.Has.BMI2, "AVX2 or BMI2")
	for seed := range uint64(200) {
		f.Add(seed, uint16(seed*11), uint8(seed), uint8(seed/2))
	}
	f.Fuzz(func(t *testing.T, seed uint64, width uint16, plane, passes uint8) {
		random := rand.New(rand.NewPCG(seed, 3))
		b := &Block{Width: 1 + int(width)%MaxSide, Height: stripeRows, BitPlanes: MaxBitPlanes, Passes: 2 + int(passes%2)}
		b.MissingBitPlanes = int(plane) % (MaxBitPlanes - 1)
		b.Refinement = make([]byte, maxRefinementBytes)
		for i := range b.Refinement {
			b.Refinement[i] = byte(random.Uint32())
		}
		var assembly, plain refiner
		assembly.begin(b)
		var here stripe
		out := make([]int32, stripeRows*b.Width+changedAtOnce)
		for x := range b.Width {
			word, at := x/wordColumns+1, x%wordColumns*stripeRows
			for row := range stripeRows {
				switch random.IntN(3) {
				case 0: // found
					here[word] |= 1 << (at + row)
					out[row*b.Width+x] = (2*int32(random.IntN(9)) - 9) << b.plane()
				case 1:
					here[word] |= 1 << (at + row)
					assembly.fresh[word] |= 1 << (at + row)
				}
			}
			assembly.signs[word] = random.Uint64()
		}
		plain = assembly
		same := slices.Clone(out)
		assembly.change(b, 0, &here, out)
		plain.changeInGo(b, 0, &here, same)
		if !slices.Equal(out, same) {
			t.Errorf("samples differ: %v, want %v", out, same)
		}
		if b.Passes > 2 && assembly.refinement.position != plain.refinement.position {
			t.Errorf("ends at bit %d, want %d", assembly.refinement.position, plain.refinement.position)
		}
	})
}
