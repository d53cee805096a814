package wavelet

import "math"

// MaxShort is the maximum magnitude of samples with which Synthesize53 does not overflow int16.
const MaxShort = (math.MaxInt16 - 2) / 2

// MaxOf53 returns the maximum magnitude of the samples that Synthesize53 computes from bands, which
// are indexed by Orientation, of the given maximum magnitudes. All sums on the way, of two samples and 2, are at most twice as large,
// and 2.
func MaxOf53(bands [4]int) int {
	return max53(max53(bands[LL], bands[HL]), max53(bands[LH], bands[HH]))
}

// max53 is MaxOf53 for one direction. An even sample is a low one less half a high one, rounded; an
// odd sample is a high one and an even one.
func max53(low, high int) int { return low + high/2 + 1 + high }
