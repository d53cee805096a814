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
	clear(m.events[:])
	m.end, m.position = 0, 0
}

// decode makes sure that count more events are decoded.
func (m *mel) decode(count int) {
	until, end, bits, left, state := m.position+uint(count), m.end, m.bits, m.count, m.state
	for end < until {
		if left < melCodeBits {
			bits, left = m.fill(bits, left)
		}
		run := &melRuns[(state|uint16(bits>>(64-melCodeBits)))%uint16(len(melRuns))]
		bits <<= run.length
		left -= int(run.length)
		state = run.state
		end += uint(run.zeros)
		m.events[end/8%(maxEvents/8)] |= run.one << (end % 8)
		end += uint(run.one)
	}
	m.end, m.bits, m.count, m.state = end, bits, left, state
}

// fetch returns at least 57 events. Those after the end are zeros.
func (m *mel) fetch() uint64 {
	return binary.LittleEndian.Uint64(m.events[m.position/8%(maxEvents/8):]) >> (m.position % 8)
}

// event returns the next event: 0 or 1.
func (m *mel) event() uint32 {
	event := uint32(m.fetch() & 1)
	m.position++
	return event
}

// fill appends bytes to the bits that are left.
func (m *mel) fill(bits uint64, left int) (uint64, int) {
	for left <= 56 {
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

// melRun is a decoded run of events.
type melRun struct {
	length uint8 // of its code in bits
	zeros  uint8
	one    uint8  // 1 if an event 1 follows the zeros
	state  uint16 // of the coder afterwards, above the bits of a code
}

// melCodeBits is the maximum length of the code of a run.
const melCodeBits = 6

// melRuns is indexed by the state of the coder and the next bits.
var melRuns = newMelRuns([]uint8{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5})

// newMelRuns takes the base-2 logarithms of the longest runs, by state.
func newMelRuns(exponents []uint8) *[16 << melCodeBits]melRun {
	var runs [16 << melCodeBits]melRun
	for state, exponent := range exponents {
		higher, lower := min(state+1, len(exponents)-1), max(state-1, 0)
		for bits := range 1 << melCodeBits {
			run := melRun{length: 1, zeros: 1 << exponent, state: uint16(higher) << melCodeBits}
			if bits>>(melCodeBits-1) == 0 {
				zeros := uint8(bits) << (8 - melCodeBits + 1) >> (8 - exponent)
				run = melRun{length: 1 + exponent, zeros: zeros, one: 1, state: uint16(lower) << melCodeBits}
			}
			runs[state<<melCodeBits|bits] = run
		}
	}
	return &runs
}
