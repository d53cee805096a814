package lossy

import (
	"encoding/binary"
	"slices"
)

// The kinds of blocks that have probabilities of their own.
const (
	lumaWithoutMean = iota
	lumaMean
	chromaBlock
	lumaWhole
)

// A token is a bit to be written, above it the place of its probability: two bytes, the lower first.
type token uint16

const (
	tokenBytes = 2

	// A state is what is known before a coefficient: the kind of its block, its band, and whether the one before was 0, 1
	// or more. Each state has probabilities of its own, one after the other.
	statesOfKind  = 8 * 3
	states        = 4 * statesOfKind
	probabilities = 11 // of a state

	adaptive   = states * probabilities // places of probabilities that frames may change
	constant   = adaptive               // those behind them never change: their place tells the probability
	emptyPlace = constant + 256         // of the flag that a macroblock has no coefficients
	places     = emptyPlace + 1
	evenBit    = token(constant + 128) // the place of a sign

	// mostBlockTokens is more than what the levels of a block can take: for each a check, ten bits of a tree, eleven more
	// and a sign.
	mostBlockTokens = 16 * 24
)

// bandStates are the states of coefficients behind a zero, in blocks of the first kind. Behind the last coefficient there
// is one more, which is never used.
var bandStates = [17]uint8{0, 3, 6, 9, 18, 12, 15, 18, 18, 18, 18, 18, 18, 18, 18, 21, 0}

// tokens are those of the coefficients of a frame. They are written when the probabilities that suit them are known.
type tokens struct {
	lists  [2][]byte         // of even rows of macroblocks and of odd ones, or all in the first
	to     int               // the list to add to
	counts [places][2]uint32 // of 0 and 1, but for those of steps
	steps  [states]steps
}

func (t *tokens) reset() {
	t.lists[0], t.lists[1], t.to = t.lists[0][:0], t.lists[1][:0], 0
	t.counts = [places][2]uint32{}
	t.steps = [states]steps{}
}

// addBlock adds the levels of a block from the first one up to end, behind the last that is not zero. before is how many
// of the blocks above and to the left have any. This is RFC 6386, 13. Small values go without a branch: nobody can
// foresee which of them comes next.
func (t *tokens) addBlock(levels *block, kind, before, first, end int) {
	list := slices.Grow(t.lists[t.to], mostBlockTokens*tokenBytes)
	n := len(list)
	list = list[:cap(list)]
	of := bandStates[:]
	base := kind * statesOfKind
	state, checked := base+int(of[first])+before, 1
	for i := first; i < end; i++ {
		v := int(levels[i&15])
		at := token(state * probabilities)
		binary.LittleEndian.PutUint16(list[n:], uint16(at<<1|1)) // it is not the end, if that must be told
		n += checked * tokenBytes
		next := base + int(of[i+1])
		if uint(v+largestPattern) > 2*largestPattern {
			t.counts[at][1] += uint32(checked)
			t.lists[t.to] = list[:n]
			t.addLarge(at, v)
			n = len(t.lists[t.to])
			state, checked = next+2, 1
			continue
		}
		p := &patterns[v+largestPattern]
		to := list[n:][:16]
		binary.LittleEndian.PutUint64(to, p.tokens[0]+uint64(at<<1)*p.moves[0])
		binary.LittleEndian.PutUint64(to[8:], p.tokens[1]+uint64(at<<1)*p.moves[1])
		n += int(p.bytes)
		t.steps[state][(int(p.step)+checked*checkedStep)&(len(steps{})-1)]++
		state, checked = next+int(p.size), int(p.size+1)>>1
	}
	if end < 16 {
		binary.LittleEndian.PutUint16(list[n:], uint16(state*probabilities<<1))
		n += tokenBytes
		t.steps[state][endStep]++
	}
	t.lists[t.to] = list[:n]
}

// put adds a bit whose probability stands at a place. There is room for it.
func (t *tokens) put(place token, bit int) {
	t.lists[t.to] = binary.LittleEndian.AppendUint16(t.lists[t.to], uint16(place)<<1|uint16(bit))
	t.counts[place][bit&1]++
}

// largeValueBits are the probabilities of the bits of values in the four ranges from 11 on.
var largeValueBits = [4][]uint8{
	{173, 148, 140},
	{176, 155, 140, 135},
	{180, 157, 141, 134, 130},
	{254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129},
}

// addLarge adds a value of more than four, and its sign.
func (t *tokens) addLarge(at token, v int) {
	t.put(at+1, 1)
	t.put(at+2, 1)
	t.put(at+3, 1)
	negative := 0
	if v < 0 {
		v, negative = -v, 1
	}
	switch {
	case v <= 6:
		t.put(at+6, 0)
		t.put(at+7, 0)
		t.put(constant+159, v-5)
	case v <= 10:
		t.put(at+6, 0)
		t.put(at+7, 1)
		t.put(constant+165, (v-7)>>1)
		t.put(constant+145, (v-7)&1)
	default:
		t.put(at+6, 1)
		t.addRange(at, v)
	}
	t.put(evenBit, negative)
}

// addRange adds in which range a value from 11 on is, and where in it.
func (t *tokens) addRange(at token, v int) {
	category := 0
	for category < 3 && v >= 3+16<<category {
		category++
	}
	high := category >> 1
	t.put(at+8, high)
	t.put(at+9+token(high), category&1)
	rest, bits := v-3-8<<category, largeValueBits[category]
	for i, p := range bits {
		t.put(constant+token(p), rest>>(len(bits)-1-i)&1)
	}
}
