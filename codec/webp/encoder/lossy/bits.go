package lossy

// bitCosts holds the cost of a bit of probability p/256, in 256ths of a bit. A probability of 0
// does not occur.
var bitCosts = makeBitCosts()

const wholeBit = 256 // cost of a bit of even probability

func makeBitCosts() (costs [257]uint16) {
	for p := 1; p <= 256; p++ {
		costs[p] = uint16(8*wholeBit - log2(uint64(p)))
	}
	return costs
}

// log2 returns the logarithm of n, for n up to 256, in 256ths. It uses integer arithmetic so that
// the result is the same on every machine.
func log2(n uint64) int {
	const one = 1 << 30
	whole := 0
	x := n * one
	for x >= 2*one {
		x /= 2
		whole++
	}
	result := whole
	for range 8 {
		x = x * x / one
		result *= 2
		if x >= 2*one {
			x /= 2
			result++
		}
	}
	return result
}

// bitCost returns the cost of a bit that is 0 with probability p/256.
func bitCost(bit int, p uint8) int {
	if bit == 0 {
		return int(bitCosts[p])
	}
	return int(bitCosts[256-int(p)])
}
