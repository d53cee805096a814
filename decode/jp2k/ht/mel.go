package ht

// melExponents is the base-2 logarithm of the longest run of events 0, by the state of the coder.
var melExponents = [16]uint8{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5}

const lastMelState = 12

// mel decodes the runs of the MEL segment.
type mel struct {
	suffix []byte // of the cleanup segment: MEL starts at its beginning, VLC at its end
	next   int
	bits   uint64 // the next bit is the highest
	count  int
	last   byte
	state  uint8
}

// run returns twice the number of events 0 before the next event 1, plus one. If the longest run of
// the state ends without an event 1, it returns twice the number of events, minus two.
func (m *mel) run() int {
	if m.count < 6 {
		m.fill()
	}
	exponent := melExponents[m.state&15]
	if int64(m.bits) < 0 {
		m.bits <<= 1
		m.count--
		m.state = min(m.state+1, lastMelState)
		return 2<<exponent - 2
	}
	zeros := m.bits << 1 >> 1 >> (63 - exponent)
	m.bits <<= 1 + exponent
	m.count -= 1 + int(exponent)
	m.state = max(m.state, 1) - 1
	return int(zeros)<<1 | 1
}

func (m *mel) fill() {
	for m.count <= 56 {
		count := 8
		if m.last == 0xFF {
			count = 7
		}
		m.last = m.byte()
		m.bits |= uint64(m.last) << (64 - count) >> m.count
		m.count += count
	}
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
