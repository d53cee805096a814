package tier1test

import "math/rand/v2"

// Coefficients returns coefficients distributed as in a band of an image: most are small, and their
// size varies from place to place. scale is roughly the largest.
func Coefficients(n int, scale float64, seed uint64) []int64 {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]int64, n)
	local := scale
	for i := range out {
		local = 0.95*local + 0.05*scale*2*random.ExpFloat64()*random.Float64()
		out[i] = int64(random.ExpFloat64() * local)
		if random.IntN(2) == 0 {
			out[i] = -out[i]
		}
	}
	return out
}
