package lossy

// largestPattern is the largest magnitude that has a precomputed pattern.
const largestPattern = 4

// steps counts the events at a coefficient. Elements up to largestPattern count magnitudes after a
// zero. Elements from checkedStep on count magnitudes that follow an end-of-block check; the check
// is omitted after a zero. The element endStep counts ends of blocks.
type steps [16]uint32

const (
	checkedStep = largestPattern + 1
	endStep     = 2 * checkedStep
)

// pattern holds the tokens of a value, relative to the first probability of its state.
type pattern struct {
	tokens [2]uint64
	moves  [2]uint64 // mask of the tokens to which the index of the state must be added
	bytes  uint8     // length of all tokens
	step   uint8     // magnitude
	size   uint8     // 0, 1, or 2 for larger magnitudes
}

// patterns holds the patterns of the values from -largestPattern on.
var patterns = makePatterns()

func makePatterns() (all [2*largestPattern + 1]pattern) {
	for i := range all {
		value := i - largestPattern
		size := max(value, -value)
		list := valueTokens[size]
		switch {
		case value > 0:
			list = append(list[:len(list):len(list)], evenBit<<1)
		case value < 0:
			list = append(list[:len(list):len(list)], evenBit<<1|1)
		}
		p := &all[i]
		p.bytes, p.step, p.size = uint8(len(list)*tokenBytes), uint8(size), uint8(min(size, 2))
		for j, k := range list {
			p.tokens[j/4] |= uint64(k) << (16 * (j % 4))
			if k < constant<<1 {
				p.moves[j/4] |= 1 << (16 * (j % 4))
			}
		}
	}
	return all
}

// valueTokens lists the bits of each magnitude in the tree of values (RFC 6386, section 13.2).
var valueTokens = [largestPattern + 1][]token{
	{1 << 1},
	{1<<1 | 1, 2 << 1},
	{1<<1 | 1, 2<<1 | 1, 3 << 1, 4 << 1},
	{1<<1 | 1, 2<<1 | 1, 3 << 1, 4<<1 | 1, 5 << 1},
	{1<<1 | 1, 2<<1 | 1, 3 << 1, 4<<1 | 1, 5<<1 | 1},
}

// countSteps adds the bits of all steps to the counts of their probabilities.
func (t *tokens) countSteps() {
	for s := range t.steps {
		counts := t.counts[s*probabilities:][:probabilities]
		steps := &t.steps[s]
		counts[0][0] += steps[endStep]
		for size, list := range valueTokens {
			counts[0][1] += steps[checkedStep+size]
			for _, k := range list {
				counts[k>>1][k&1] += steps[size] + steps[checkedStep+size]
			}
		}
	}
}
