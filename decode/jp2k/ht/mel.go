package ht

// melExponents are how many events of 0 a run has at most, as a power of two, by the state of the coder.
var melExponents = [16]uint8{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5}

const lastMelState = 12

// mel decodes the runs of the MEL segment.
type mel struct {
	suffix []byte // of the cleanup segment: MEL from its beginning on, VLC from its end
	next   int
	bits   uint64 // the next one is the highest
	count  int
	last   byte
	state  uint8
}

// run is twice the number of events of 0 before the next event of 1, and one more. Where the longest run of the state goes by
// without one, it is two less than twice its number.
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

// byte is the next one. The last twelve bits of the suffix are its length, and read as ones, as does what lies behind.
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
