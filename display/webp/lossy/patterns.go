package lossy

// largestPattern is the largest value that is added by a pattern.
const largestPattern = 4

// steps counts what came at a coefficient: the sizes of values from 0 to largestPattern; from checkedStep on the same,
// with a check before them that it is not the end, which there is but behind a zero; and the end.
type steps [16]uint32

const (
	checkedStep = largestPattern + 1
	endStep     = 2 * checkedStep
)

// pattern is the tokens of a value, as if the probabilities of its state stood at the beginning.
type pattern struct {
	tokens [2]uint64
	moves  [2]uint64 // one for each token to which the place of the state is to be added
	bytes  uint8     // of all tokens
	step   uint8     // the size of the value
	size   uint8     // 0, 1, or 2 for all larger values
}

// patterns are those of the values from -largestPattern on.
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

// valueTokens are the bits in the tree of values, by their sizes: RFC 6386, 13.2.
var valueTokens = [largestPattern + 1][]token{
	{1 << 1},
	{1<<1 | 1, 2 << 1},
	{1<<1 | 1, 2<<1 | 1, 3 << 1, 4 << 1},
	{1<<1 | 1, 2<<1 | 1, 3 << 1, 4<<1 | 1, 5 << 1},
	{1<<1 | 1, 2<<1 | 1, 3 << 1, 4<<1 | 1, 5<<1 | 1},
}

// countSteps adds what steps are made of to the counts of their probabilities.
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
