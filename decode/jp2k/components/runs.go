package components

import "tileserver/decode/jp2k/ht"

// runSamples is how many samples of high throughput a task decodes at most: so many that beginning and
// ending it takes no time to speak of, even where a code-block has only one.
const runSamples = 16 << 10

// runs divides an order of code-blocks into runs.
func runs(order []int, blocks []codeBlock) (all [][]int) {
	samples := runSamples
	for i, block := range order {
		more := blocks[block].runSamples()
		if samples+more > runSamples {
			all, samples = append(all, order[i:i]), 0
		}
		last := len(all) - 1
		all[last] = all[last][:len(all[last])+1]
		samples += more
	}
	return all
}

// runSamples returns how many of a run's samples count for a code-block. One of another kind is a run of
// its own: it takes long, or no decoder supports it, and the error of a task names the first in it.
func (b *codeBlock) runSamples() int {
	if !b.HT || b.coded() > ht.MaxBitPlanes {
		return runSamples
	}
	return b.width * b.height
}
