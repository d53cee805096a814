package ht

import "encoding/binary"

// maxEvents is more than the events of any block, with those that are decoded ahead: there is one
// for each of up to 1230 quads, and one for each of up to 256 pairs in the first row.
const maxEvents = 4096

// mel decodes the MEL segment into events, ahead of their use. A run of zeros ends with an event 1
// unless it is the longest of its state.
type mel struct {
	suffix []byte // of the cleanup segment: MEL starts at its beginning, VLC at its end
	next   int
	last   byte
	bits   uint64 // the next bit is the highest
	count  int
	state  uint16

	events   [maxEvents/8 + 8]byte // lowest first
	end      uint                  // of the decoded events
	position uint                  // of the next event
}

// begin takes the suffix of a cleanup segment.
func (m *mel) begin(suffix []byte) {
	m.suffix, m.next, m.last, m.bits, m.count, m.state = suffix, 0, 0, 0, 0, 0
	m.events[0] = 0
	m.end, m.position = 0, 0
}

// decode makes sure that count more events are decoded.
func (m *mel) decode(count int) {
	until, end, bits, left, state := m.position+uint(count), m.end, m.bits, m.count, m.state
	if end >= until {
		return
	}
	events := uint64(m.events[end/8])
	for end < until {
		if left < melBits {
			bits, left = m.fill(bits, left, melBits*int(until-end))
		}
		runs := &melRuns[(state|uint16(bits>>(64-melBits)))%uint16(len(melRuns))]
		bits <<= runs.length & 63
		left -= int(runs.length)
		state = runs.state
		events |= runs.events << (end % 8)
		binary.LittleEndian.PutUint64(m.events[end/8%(maxEvents/8):], events)
		whole := (end%8 + uint(runs.count)) &^ 7
		events >>= whole
		end += uint(runs.count)
	}
	m.end, m.bits, m.count, m.state = end, bits, left, state
}

// fetch returns at least 57 events. Those after the end are undefined.
func (m *mel) fetch() uint64 {
	return binary.LittleEndian.Uint64(m.events[m.position/8%(maxEvents/8):]) >> (m.position % 8)
}

// event returns the next event: 0 or 1.
func (m *mel) event() uint32 {
	event := uint32(m.fetch() & 1)
	m.position++
	return event
}

// fill appends bytes to the bits that are left, until there are more than wanted or there is no room.
func (m *mel) fill(bits uint64, left, wanted int) (uint64, int) {
	for left <= min(wanted, 56) {
		count := 8
		if m.last == 0xFF {
			count = 7
		}
		m.last = m.byte()
		bits |= uint64(m.last) << (64 - count) >> left
		left += count
	}
	return bits, left
}

// byte returns the next byte. The last twelve bits of the suffix are its length. They read as ones,
// and so does everything after the suffix.
func (m *mel) byte() byte {
	i := m.next
	m.next++
	switch {
	case i < len(m.suffix)-2:
		return m.suffix[i]
	case i == len(m.suffix)-2:
		return m.suffix[i] | 0x0F
	}
	return 0xFF
}

// melRunsOf is what one lookup decodes: as many whole runs as the bits hold.
type melRunsOf struct {
	events uint64 // lowest first
	count  uint8  // of events
	length uint8  // of the codes in bits
	state  uint16 // of the coder afterwards, above the bits of a lookup
}

// A lookup takes as many bits as the longest code has. Its events fit into a word beside part of a byte.
const (
	melBits       = 6
	maxEventsOnce = 56
)

// melExponents is the base-2 logarithm of the longest run of events 0, by the state of the coder.
var melExponents = [13]int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5}

// melRuns is indexed by the state of the coder and the next bits.
var melRuns = newMelRuns()

func newMelRuns() *[16 << melBits]melRunsOf {
	var lookup [16 << melBits]melRunsOf
	for state := range melExponents {
		for bits := range 1 << melBits {
			lookup[state<<melBits|bits] = decodeRuns(state, bits)
		}
	}
	return &lookup
}

// decodeRuns decodes all runs whose codes are within the bits, as long as there is room for the longest
// run.
func decodeRuns(state, bits int) (runs melRunsOf) {
	for left := melBits; left > 0; {
		exponent := melExponents[state]
		zeros, one, taken, next := 1<<exponent, 0, 1, min(state+1, len(melExponents)-1)
		if bits>>(left-1)&1 == 0 {
			one, taken, next = 1, 1+exponent, max(state-1, 0)
		}
		if taken > left || int(runs.count)+zeros >= maxEventsOnce {
			break
		}
		left -= taken
		if one == 1 {
			zeros = bits >> left & (1<<exponent - 1)
		}
		runs.events |= uint64(one) << (int(runs.count) + zeros)
		runs.count += uint8(zeros + one)
		runs.length += uint8(taken)
		runs.state = uint16(next) << melBits
		state = next
	}
	return runs
}
