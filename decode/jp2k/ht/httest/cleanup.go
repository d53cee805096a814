package httest

import (
	"math/bits"

	"tileserver/decode/jp2k/ht/internal/vlc"
)

// cleanup holds the three streams of a cleanup pass while they are written.
type cleanup struct {
	*Samples
	magnitudes *forward
	mel        *mel
	vlc        *backward
}

// quad is four samples: upper left, lower left, upper right, lower right.
type quad struct {
	numbers     [4]uint32 // 2 * (magnitude - 1) + sign
	lengths     [4]int    // of the numbers with their lowest bit set; 0 for insignificant samples
	significant uint32
	first       bool // first row
	code        vlc.Code
	prediction  int
	u           int
}

func (s *Samples) cleanup() []byte {
	c := cleanup{s, newForward(), newMEL(), &backward{last: 0xFF}}
	c.vlc.write(15, 4) // the place of the length
	for y := 0; y < s.Height; y += 2 {
		for x := 0; x < s.Width; x += 4 {
			c.pair(x, y)
		}
	}
	segment := append(c.magnitudes.finish(1), c.mel.finish()...)
	start := len(c.magnitudes.bytes)
	segment = append(append(segment, c.vlc.finish()...), 0xFF)
	length := len(segment) - start
	segment[len(segment)-1] = byte(length >> 4)
	segment[len(segment)-2] = segment[len(segment)-2]&0xF0 | byte(length&15)
	return segment
}

// pair encodes two quads, or the last one of a row.
func (c *cleanup) pair(x, y int) {
	first, second := c.quad(x, y), quad{}
	c.codeword(&first, c.context(x, y))
	if x+2 < c.Width {
		second = c.quad(x+2, y)
		c.codeword(&second, c.context(x+2, y))
	}
	if y == 0 {
		c.firstRowU(first.u, second.u)
	} else {
		c.u(first.u, second.u)
	}
	c.samples(&first)
	c.samples(&second)
}

func (c *cleanup) quad(x, y int) (q quad) {
	q.first = y == 0
	longest := 0
	for i := range q.numbers {
		size, sign := c.at(x+i/2, y+i%2)
		if size == 0 {
			continue
		}
		q.significant |= 1 << i
		q.numbers[i] = 2*(size-1) | sign
		q.lengths[i] = bits.Len32(2*size - 1)
		longest = max(longest, q.lengths[i])
	}
	q.prediction = 1
	if bits.OnesCount32(q.significant) > 1 && y > 0 {
		for i := -1; i < 3; i++ {
			if size, _ := c.at(x+i, y-1); size > 0 {
				q.prediction = max(q.prediction, bits.Len32(2*size-1)-1)
			}
		}
	}
	q.u = max(longest-q.prediction, 0)
	return q
}

// context returns the significance around a quad, as far as a decoder knows it already.
func (c *cleanup) context(x, y int) (context uint32) {
	significant := func(x, y int) uint32 {
		size, _ := c.at(x, y)
		return min(size, 1)
	}
	if y == 0 {
		return significant(x-2, 0) | significant(x-2, 1) | significant(x-1, 0)<<1 | significant(x-1, 1)<<2
	}
	return significant(x-1, y-1) | significant(x, y-1) |
		(significant(x-1, y)|significant(x-1, y+1))<<1 |
		(significant(x+1, y-1)|significant(x+2, y-1))<<2
}

// codeword chooses the code that saves the most bits of the samples.
func (c *cleanup) codeword(q *quad, context uint32) {
	if context == 0 {
		c.mel.event(q.significant != 0)
		if q.significant == 0 {
			return
		}
	}
	ones := uint32(0)
	for i, length := range q.lengths {
		if length == q.prediction+q.u {
			ones |= 1 << i
		}
	}
	codes := &vlc.OtherRows
	if q.first {
		codes = &vlc.FirstRow
	}
	cost := func(code vlc.Code) int { return int(code.Length()) - bits.OnesCount32(code.Known()) }
	for _, code := range codes[context] {
		fits := code.Significant() == q.significant && (code.HasU() != 0) == (q.u > 0) && code.Ones() == ones&code.Known()
		if fits && (q.code == 0 || cost(code) < cost(q.code)) {
			q.code = code
		}
	}
	c.vlc.write(q.code.Codeword(), int(q.code.Length()))
}

// firstRowU encodes the u of a pair in the first row, which has no prediction. They tend to be
// large, so an event says whether both are.
func (c *cleanup) firstRowU(first, second int) {
	if first == 0 || second == 0 {
		c.u(first, second)
		return
	}
	large := min(first, second) > 2
	c.mel.event(large)
	switch {
	case large:
		c.u(first-2, second-2)
	case first > 2:
		c.prefix(first)
		c.vlc.write(uint32(second-1), 1)
		c.suffix(first)
	default:
		c.u(first, second)
	}
}

func (c *cleanup) u(first, second int) {
	c.prefix(first)
	c.prefix(second)
	c.suffix(first)
	c.suffix(second)
}

func (c *cleanup) prefix(u int) {
	switch {
	case u >= 5:
		c.vlc.write(0, 3)
	case u >= 3:
		c.vlc.write(4, 3)
	case u >= 1:
		c.vlc.write(uint32(u), u)
	}
}

func (c *cleanup) suffix(u int) {
	switch {
	case u >= 5:
		c.vlc.write(uint32(u-5), 5)
	case u >= 3:
		c.vlc.write(uint32(u-3), 1)
	}
}

// samples writes the numbers of a quad, without the bits that the code gives.
func (c *cleanup) samples(q *quad) {
	for i, number := range q.numbers {
		if q.significant>>i&1 != 0 {
			c.magnitudes.write(uint64(number), q.prediction+q.u-int(q.code.Known()>>i&1))
		}
	}
}
