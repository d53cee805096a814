package lossy

// bitCosts are what bits cost whose probability is p/256, in parts of 256 of a bit. There is no probability of 0.
var bitCosts = makeBitCosts()

const wholeBit = 256 // the cost of an even bit

func makeBitCosts() (costs [257]uint16) {
	for p := 1; p <= 256; p++ {
		costs[p] = uint16(8*wholeBit - log2(uint64(p)))
	}
	return costs
}

// log2 is the logarithm of n up to 256, in parts of 256, by squaring: it is the same on every machine.
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

// bitCost is that of a bit whose probability of being 0 is p/256.
func bitCost(bit int, p uint8) int {
	if bit == 0 {
		return int(bitCosts[p])
	}
	return int(bitCosts[256-int(p)])
}
