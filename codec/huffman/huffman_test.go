package huffman

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// optimalBits returns the number of bits of all symbols in an optimal code without a limit: the sum
// of all inner nodes of the tree.
func optimalBits(weights []uint32) (bits int) {
	weights = slices.Clone(weights)
	for len(weights) > 1 {
		slices.Sort(weights)
		sum := weights[0] + weights[1]
		bits += int(sum)
		weights = append(weights[2:], sum)
	}
	return bits
}

// bitsOf returns the number of bits of all symbols, of which the rarest have the longest codes.
func bitsOf(weights []uint32, counts [MaxBits + 1]int) (bits int) {
	next := 0
	for length := MaxBits; length > 0; length-- {
		for range counts[length] {
			bits += length * int(weights[next])
			next++
		}
	}
	return bits
}

func TestCodesAreCompleteAndOptimal(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		weights := make([]uint32, 2+random.IntN(300))
		for i := range weights {
			weights[i] = 1 + random.Uint32N(1<<(1+random.IntN(8)))
		}
		slices.Sort(weights)
		limit := 9 + random.IntN(MaxBits-8)
		counts := LengthCounts(slices.Clone(weights), limit)
		used, symbols := 0, 0
		for length, count := range counts {
			used += count << (MaxBits - length)
			symbols += count
			if count > 0 && (length == 0 || length > limit) {
				t.Fatalf("a code of %d bits, of at most %d", length, limit)
			}
		}
		if used != 1<<MaxBits || symbols != len(weights) {
			t.Fatalf("%d codes of %d symbols use %d of %d", symbols, len(weights), used, 1<<MaxBits)
		}
		if got, least := bitsOf(weights, counts), optimalBits(weights); got < least || limit == MaxBits && got != least {
			t.Fatalf("%v: %d bits, want %d", weights, got, least)
		}
	}
}

func TestLongCodesAreShortened(t *testing.T) {
	weights := []uint32{1, 1}
	for len(weights) < 25 { // Fibonacci numbers give the deepest tree
		weights = append(weights, weights[len(weights)-1]+weights[len(weights)-2])
	}
	for limit := 5; limit <= MaxBits; limit++ {
		counts := LengthCounts(slices.Clone(weights), limit)
		used := 0
		for length, count := range counts[:limit+1] {
			used += count << (limit - length)
		}
		if used != 1<<limit {
			t.Errorf("limit %d: the codes use %d of %d", limit, used, 1<<limit)
		}
	}
}
