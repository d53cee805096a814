package lossy

import (
	"bytes"
	"encoding/binary"
	"slices"

	"tileserver/codec/webp/vp8"
)

// token is a bit to be written, plus the index of its probability shifted left by one. It is stored
// as two bytes, low byte first.
type token uint16

const (
	tokenBytes = 2

	// A state is the context of a coefficient: the kind of its block, its band, and whether the
	// previous coefficient was 0, 1 or larger. Each state has its own probabilities, which are
	// adjacent.
	statesOfKind  = 8 * 3
	states        = 4 * statesOfKind
	probabilities = 11 // per state

	adaptive = states * probabilities // number of probabilities that frames may change
	// constant probabilities follow; their index encodes the probability
	constant   = adaptive
	emptyIndex = constant + 256 // of the flag for macroblocks without coefficients
	indexCount = emptyIndex + 1
	evenBit    = token(constant + 128) // index of an even probability, used for signs

	// maxBlockTokens bounds the tokens of a block. A level takes at most one check, ten bits of the
	// tree, eleven extra bits and a sign.
	maxBlockTokens = 16 * 24
)

// bandStates maps a coefficient index to its state after a zero, for blocks of the first kind. It
// has an unused extra entry for index 16.
var bandStates = func() (states [17]uint8) {
	for i, band := range vp8.Bands {
		states[i] = 3 * band
	}
	return states
}()

// tokens collects the tokens of the coefficients of a frame. They are written once their counts
// have determined the probabilities.
type tokens struct {
	lists  [2][]byte             // of even and odd rows of macroblocks, or all in the first
	to     int                   // index of the list to append to
	counts [indexCount][2]uint32 // counts of 0 and 1, without those of steps
	steps  [states]steps
}

func (t *tokens) reset() {
	t.lists[0], t.lists[1], t.to = t.lists[0][:0], t.lists[1][:0], 0
	t.counts = [indexCount][2]uint32{}
	t.steps = [states]steps{}
}

// addBlock adds the levels of a block from first up to end (RFC 6386, section 13). context is the
// number of blocks, out of the ones above and to the left, that have coefficients. Small values are
// added without branches, because they are unpredictable.
func (t *tokens) addBlock(levels *block, kind, context, first, end int) {
	list := slices.Grow(t.lists[t.to], maxBlockTokens*tokenBytes)
	n := len(list)
	list = list[:cap(list)]
	of := bandStates[:]
	base := kind * statesOfKind
	state, checked := base+int(of[first])+context, 1
	for i := first; i < end; i++ {
		v := int(levels[i&15])
		at := token(state * probabilities)
		// Not the end of the block, kept only if a check is due.
		binary.LittleEndian.PutUint16(list[n:], uint16(at<<1|1))
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

// put adds a bit with the probability of the given index. The list must have capacity for it.
func (t *tokens) put(position token, bit int) {
	t.lists[t.to] = binary.LittleEndian.AppendUint16(t.lists[t.to], uint16(position)<<1|uint16(bit))
	t.counts[position][bit&1]++
}

// largeValueBits holds the lists of vp8.LargeValueBits without the zeros that end them.
var largeValueBits = func() (lists [4][]uint8) {
	for i := range lists {
		lists[i] = vp8.LargeValueBits[i][:bytes.IndexByte(vp8.LargeValueBits[i][:], 0)]
	}
	return lists
}()

// addLarge adds a value whose magnitude exceeds four, and its sign.
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

// addRange adds the range of a magnitude from 11 on, and its offset in the range.
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
