package httest

import "slices"

// forward writes bits, lowest first. After 0xFF a byte has seven bits.
type forward struct {
	bytes    []byte
	bits     uint32
	count    int
	capacity int
}

func newForward() *forward { return &forward{capacity: 8} }

func (f *forward) write(bits uint64, count int) {
	for ; count > 0; count-- {
		f.bits |= uint32(bits&1) << f.count
		bits >>= 1
		if f.count++; f.count == f.capacity {
			f.flush()
		}
	}
}

func (f *forward) flush() {
	f.bytes = append(f.bytes, byte(f.bits))
	f.capacity = 8
	if f.bits == 0xFF {
		f.capacity = 7
	}
	f.bits, f.count = 0, 0
}

// finish fills up the last byte with the bits that a decoder finds after the end. No stream ends
// with 0xFF.
func (f *forward) finish(fill uint64) []byte {
	for f.count != 0 || fill == 0 && f.capacity == 7 {
		f.write(fill, 1)
	}
	for len(f.bytes) > 0 && f.bytes[len(f.bytes)-1] == 0xFF {
		f.bytes = f.bytes[:len(f.bytes)-1]
	}
	return f.bytes
}

// backward writes bytes from the last to the first. After a byte above 0x8F, a byte whose lower
// seven bits are all ones has only these seven.
type backward struct {
	bytes []byte // the last byte first
	bits  uint32
	count int
	last  uint32
}

func (b *backward) write(bits uint32, count int) {
	for ; count > 0; count-- {
		b.bits |= bits & 1 << b.count
		bits >>= 1
		if b.count++; b.count == 8 || b.count == 7 && b.bits == 0x7F && b.last > 0x8F {
			b.flush()
		}
	}
}

func (b *backward) flush() {
	b.bytes = append(b.bytes, byte(b.bits))
	b.last, b.bits, b.count = b.bits, 0, 0
}

func (b *backward) finish() []byte {
	if b.count > 0 {
		b.flush()
	}
	slices.Reverse(b.bytes)
	return b.bytes
}

// melExponents is the base-2 logarithm of the run of events 0 that one bit codes, by the state of
// the coder.
var melExponents = []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5}

// mel codes events, most of which are 0. Its bits go from the highest to the lowest. After 0xFF a
// byte has seven bits.
type mel struct {
	bytes      []byte
	bits       uint32
	count      int
	capacity   int
	run, state int
}

func newMEL() *mel { return &mel{capacity: 8} }

func (m *mel) event(happens bool) {
	exponent := melExponents[m.state]
	if happens {
		m.write(uint32(m.run), exponent+1)
		m.run, m.state = 0, max(m.state-1, 0)
		return
	}
	if m.run++; m.run == 1<<exponent {
		m.write(1, 1)
		m.run, m.state = 0, min(m.state+1, len(melExponents)-1)
	}
}

func (m *mel) write(bits uint32, count int) {
	for count--; count >= 0; count-- {
		m.bits = m.bits<<1 | bits>>count&1
		if m.count++; m.count == m.capacity {
			m.bytes = append(m.bytes, byte(m.bits))
			m.capacity = 8
			if m.bits == 0xFF {
				m.capacity = 7
			}
			m.bits, m.count = 0, 0
		}
	}
}

// finish ends the run. The stream never ends with 0xFF.
func (m *mel) finish() []byte {
	if m.run > 0 {
		m.write(1, 1)
	}
	for m.count != 0 || m.capacity == 7 {
		m.write(0, 1)
	}
	return m.bytes
}
