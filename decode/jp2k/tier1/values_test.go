package tier1

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestArrangingAssemblyMatchesGo(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for width := 1; width < 70; width++ {
		slots := make([]int32, stripeRows*width)
		for i := range slots {
			slots[i] = []int32{int32(r.Uint32()), 0, math.MinInt32, math.MaxInt32, -1}[r.IntN(5)]
		}
		got, want := make([]int32, len(slots)+1), make([]int32, len(slots)+1)
		wholeStripe32(got[:len(slots)], slots, width)
		wholeStripe(want[:len(slots)], slots, width)
		if !slices.Equal(got, want) {
			t.Fatalf("%d columns: %v, want %v", width, got, want)
		}
	}
}
