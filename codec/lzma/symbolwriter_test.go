package lzma

import (
	"math/rand/v2"
)

// rangeEncoder is the counterpart of rangeDecoder.
type rangeEncoder struct {
	out    []byte
	low    uint64
	span   uint32
	cached byte
	behind int // bytes that wait for a carry
}

func (r *rangeEncoder) shift() {
	if r.low < 0xff000000 || r.low >= 1<<32 {
		carry := byte(r.low >> 32)
		for next := r.cached; r.behind > 0; r.behind-- {
			r.out = append(r.out, next+carry)
			next = 0xff
		}
		r.cached = byte(r.low >> 24)
	}
	r.behind++
	r.low = r.low << 8 & 0xffffffff
}

func (r *rangeEncoder) widen() {
	for r.span < rangeTop {
		r.span <<= 8
		r.shift()
	}
}

func (r *rangeEncoder) bit(p *uint16, bit int) {
	bound := r.span >> 11 * uint32(*p)
	if bit == 0 {
		r.span = bound
		*p += (2048 - *p) / 32
	} else {
		r.low += uint64(bound)
		r.span -= bound
		*p -= *p / 32
	}
	r.widen()
}

func (r *rangeEncoder) direct(value uint32, bits int) {
	for i := bits - 1; i >= 0; i-- {
		r.span /= 2
		if value>>i&1 == 1 {
			r.low += uint64(r.span)
		}
		r.widen()
	}
}

// probabilities are looked up by keys, so that the writer shares nothing with the decoder's tables.
type probabilities map[[4]int]*uint16

const (
	kindMatch = iota
	kindRepeat
	kindRepeat1
	kindRepeat2
	kindRepeat3
	kindLong
	kindLiteral
	kindSlot
	kindDistance
	kindAlign
	kindLength
	kindRepeatLength
)

func (p probabilities) at(key ...int) *uint16 {
	var k [4]int
	copy(k[:], key)
	if p[k] == nil {
		half := uint16(1024)
		p[k] = &half
	}
	return p[k]
}

// symbolWriter chooses symbols and encodes them.
type symbolWriter struct {
	encoder
	rangeEncoder
	data   []byte
	start  int // start of the data that matches may refer to
	random *rand.Rand
	p      probabilities
	state  int
	last   [4]int // last distances
}

func (s *symbolWriter) begin() {
	s.p, s.state, s.last = probabilities{}, 0, [4]int{1, 1, 1, 1}
}

func (s *symbolWriter) chunk(at, end int) []byte {
	s.rangeEncoder = rangeEncoder{span: 1<<32 - 1, behind: 1}
	for at < end {
		at += s.symbol(at, end)
	}
	for range 5 {
		s.shift()
	}
	return s.out
}

// symbol encodes one symbol: mostly the longest of a few candidate matches, sometimes a shorter one
// or a literal.
func (s *symbolWriter) symbol(at, end int) int {
	position := (at - s.start) & (1<<s.pb - 1)
	best, bestLength := -1, 0 // 0 to 3 are the last distances
	for i, distance := range s.last {
		if length := s.matching(at, end, distance); length > bestLength {
			best, bestLength = i, length
		}
	}
	distance := 0
	for range 12 {
		if at == s.start {
			break
		}
		tried := 1 + s.random.IntN(min(at-s.start, 1<<s.random.IntN(20)))
		if length := s.matching(at, end, tried); length > bestLength+1 {
			best, bestLength, distance = 4, length, tried
		}
	}
	if bestLength > 2 && s.random.IntN(10) == 0 {
		bestLength = 2 + s.random.IntN(bestLength-1)
	}
	switch {
	case best >= 0 && s.random.IntN(30) == 0:
		best = -1
	case best == 0 && (bestLength == 1 || s.random.IntN(20) == 0):
		s.bits(kindMatch, position, 1)
		s.repeat(0, position, true)
		s.state = following(s.state, 9, 11)
		return 1
	case bestLength < 2:
		best = -1
	}
	if best < 0 {
		s.literal(at)
		return 1
	}
	s.bits(kindMatch, position, 1)
	if best == 4 {
		s.rangeEncoder.bit(s.p.at(kindRepeat, s.state), 0)
		s.length(kindLength, position, bestLength)
		s.distance(distance, bestLength)
		s.last = [4]int{distance, s.last[0], s.last[1], s.last[2]}
		s.state = following(s.state, 7, 10)
	} else {
		s.repeat(best, position, false)
		s.length(kindRepeatLength, position, bestLength)
		s.state = following(s.state, 8, 11)
	}
	return bestLength
}

func following(state, afterLiteral, afterMatch int) int {
	if state < 7 {
		return afterLiteral
	}
	return afterMatch
}

// matching returns the length of a match at this distance.
func (s *symbolWriter) matching(at, end, distance int) int {
	length := 0
	for distance <= at-s.start && at+length < end && length < 273 && s.data[at+length] == s.data[at+length-distance] {
		length++
	}
	return length
}

func (s *symbolWriter) bits(kind, position, bit int) {
	s.rangeEncoder.bit(s.p.at(kind, s.state, position), bit)
}

func (s *symbolWriter) repeat(index, position int, short bool) {
	s.rangeEncoder.bit(s.p.at(kindRepeat, s.state), 1)
	if index == 0 {
		s.rangeEncoder.bit(s.p.at(kindRepeat1, s.state), 0)
		long := 1
		if short {
			long = 0
		}
		s.bits(kindLong, position, long)
		return
	}
	s.rangeEncoder.bit(s.p.at(kindRepeat1, s.state), 1)
	s.rangeEncoder.bit(s.p.at(kindRepeat2, s.state), min(index-1, 1))
	if index >= 2 {
		s.rangeEncoder.bit(s.p.at(kindRepeat3, s.state), index-2)
	}
	distance := s.last[index]
	copy(s.last[1:], s.last[:index])
	s.last[0] = distance
}

func (s *symbolWriter) literal(at int) {
	position := (at - s.start) & (1<<s.pb - 1)
	s.bits(kindMatch, position, 0)
	previous := byte(0)
	if at > s.start {
		previous = s.data[at-1]
	}
	context := (at-s.start)&(1<<s.lp-1)<<s.lc + int(previous)>>(8-s.lc)
	node, literal := 1, int(s.data[at])
	tracking := s.state >= 7
	for i := 7; i >= 0; i-- {
		bit := literal >> i & 1
		expected := 2 // no expectation
		if tracking {
			expected = int(s.data[at-s.last[0]]) >> i & 1
		}
		s.rangeEncoder.bit(s.p.at(kindLiteral, context, expected, node), bit)
		node = node<<1 | bit
		tracking = tracking && bit == expected
	}
	s.state = []int{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5}[s.state]
}

func (s *symbolWriter) length(kind, position, length int) {
	length -= 2
	switch {
	case length < 8:
		s.rangeEncoder.bit(s.p.at(kind, 0), 0)
		s.tree(length, 3, kind, 2, position)
	case length < 16:
		s.rangeEncoder.bit(s.p.at(kind, 0), 1)
		s.rangeEncoder.bit(s.p.at(kind, 1), 0)
		s.tree(length-8, 3, kind, 3, position)
	default:
		s.rangeEncoder.bit(s.p.at(kind, 0), 1)
		s.rangeEncoder.bit(s.p.at(kind, 1), 1)
		s.tree(length-16, 8, kind, 4, 0)
	}
}

func (s *symbolWriter) tree(value, bits int, key ...int) {
	node := 1
	for i := bits - 1; i >= 0; i-- {
		s.rangeEncoder.bit(s.p.at(append(key[:len(key):len(key)], node)...), value>>i&1)
		node = node<<1 | value>>i&1
	}
}

func (s *symbolWriter) reverseTree(value, bits int, key ...int) {
	node := 1
	for i := range bits {
		s.rangeEncoder.bit(s.p.at(append(key[:len(key):len(key)], node)...), value>>i&1)
		node = node<<1 | value>>i&1
	}
}

func (s *symbolWriter) distance(distance, length int) {
	distance--
	slot, bits := distance, 0
	if distance >= 4 {
		for distance>>bits > 3 {
			bits++
		}
		slot = 2*bits + distance>>bits
	}
	s.tree(slot, 6, kindSlot, min(length-2, 3))
	low := distance & (1<<bits - 1)
	switch {
	case slot < 4:
	case slot < 14:
		s.reverseTree(low, bits, kindDistance, slot)
	default:
		s.direct(uint32(low>>4), bits-4)
		s.reverseTree(low&15, 4, kindAlign)
	}
}
