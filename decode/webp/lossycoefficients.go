package webp

// The kinds of blocks that have probabilities of their own.
const (
	lumaWithoutMean = iota
	lumaMean
	chromaBlock
	lumaWhole
)

// bandOf is the band of a coefficient; behind the last there is one more, which is never used.
var bandOf = [17]uint8{0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0}

// zigzag is the place of a coefficient in its block.
var zigzag = [16]uint8{0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15}

// largeValueBits are the probabilities of the bits of values in the four ranges from 11 on, each up to a zero.
var largeValueBits = [4][12]uint8{
	{173, 148, 140},
	{176, 155, 140, 135},
	{180, 157, 141, 134, 130},
	{254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129},
}

// readBlockInGo reads the coefficients of a block from the first one on, multiplied by their steps, to their places. It
// returns how many there are, zeros between them counted, and first where there are none. before is how many of the
// blocks above and to the left have any. This is RFC 6386, 13.
func (r *boolReader) readBlockInGo(block *[16]int16, bands *[8][3][11]uint8, before, first int, step *[2]int32) int {
	n := first
	p := &bands[bandOf[n&15]][before]
	for n < 16 {
		if r.bit(p[0]) == 0 {
			return n
		}
		for r.bit(p[1]) == 0 {
			if n++; n == 16 {
				return 16
			}
			p = &bands[bandOf[n]][0]
		}
		value := 1
		next := &bands[bandOf[n+1]]
		if r.bit(p[2]) == 0 {
			p = &next[1]
		} else {
			value = r.largeValue(p)
			p = &next[2]
		}
		if r.bit(128) == 1 {
			value = -value
		}
		block[zigzag[n]] = int16(int32(value) * step[min(n, 1)])
		n++
	}
	return 16
}

// largeValue is that of a coefficient of at least 2.
func (r *boolReader) largeValue(p *[11]uint8) int {
	if r.bit(p[3]) == 0 {
		if r.bit(p[4]) == 0 {
			return 2
		}
		return 3 + r.bit(p[5])
	}
	if r.bit(p[6]) == 0 {
		if r.bit(p[7]) == 0 {
			return 5 + r.bit(159)
		}
		high := r.bit(165)
		return 7 + 2*high + r.bit(145)
	}
	high := r.bit(p[8])
	category := 2*high + r.bit(p[9+high])
	value := 0
	for _, probability := range largeValueBits[category] {
		if probability == 0 {
			break
		}
		value = 2*value + r.bit(probability)
	}
	return value + 3 + 8<<category
}

// coefficients are those of a macroblock: 16 blocks of luma, 4 of each chroma.
type coefficients struct {
	blocks [24][16]int16
	ends   [24]uint8 // 0: all of the block is zero; 1: only its first coefficient is not
	luma   bool      // any of the blocks of luma is not zero
	chroma bool
}

// edge is which blocks along an edge have coefficients: four of luma, two of each chroma, and the one of means.
type edge struct {
	luma   [4]uint8
	chroma [4]uint8
	means  uint8
}

// clear is for a macroblock without coefficients; one in subblocks leaves no word on means.
func (e *edge) clear(detailed bool) {
	means := e.means
	*e = edge{}
	if detailed {
		e.means = means
	}
}

// readCoefficients reads those of a macroblock.
func (c *coefficients) read(r *boolReader, h *frameHeader, m *macroblock, above, left *edge) {
	*c = coefficients{}
	s := &h.steps[m.segment]
	kind, first := lumaWhole, 0
	if !m.detailed {
		var means [16]int16
		end := r.readBlock(&means, &h.coefficients[lumaMean], int(above.means+left.means), 0, &s.lumaMeans)
		above.means = min(uint8(end), 1)
		left.means = above.means
		if end > 0 {
			c.spreadMeans(&means)
		}
		kind, first = lumaWithoutMean, 1
	}
	for i := range 16 {
		a, l := &above.luma[i&3], &left.luma[i>>2]
		end := r.readBlock(&c.blocks[i], &h.coefficients[kind], int(*a+*l), first, &s.luma)
		*a = 0
		if end > first {
			*a = 1
		}
		*l = *a
		c.luma = c.note(i, end) || c.luma
	}
	for i := range 8 {
		plane := i >> 2
		a, l := &above.chroma[2*plane+i&1], &left.chroma[2*plane+i>>1&1]
		end := r.readBlock(&c.blocks[16+i], &h.coefficients[chromaBlock], int(*a+*l), 0, &s.chroma)
		*a = min(uint8(end), 1)
		*l = *a
		c.chroma = c.note(16+i, end) || c.chroma
	}
}

// note keeps how far a block goes, and tells whether it has anything.
func (c *coefficients) note(block, end int) bool {
	switch {
	case end > 1:
		c.ends[block] = uint8(end)
	case c.blocks[block][0] != 0:
		c.ends[block] = 1
	}
	return c.ends[block] > 0
}

// spreadMeans gives the blocks of luma their first coefficients, which are transformed once more: RFC 6386, 14.3.
func (c *coefficients) spreadMeans(in *[16]int16) {
	var half [16]int32
	for i := range 4 {
		outer, inner := int32(in[i])+int32(in[12+i]), int32(in[4+i])+int32(in[8+i])
		innerLess, outerLess := int32(in[4+i])-int32(in[8+i]), int32(in[i])-int32(in[12+i])
		half[i], half[4+i], half[8+i], half[12+i] = outer+inner, outerLess+innerLess, outer-inner, outerLess-innerLess
	}
	for i := range 4 {
		row := half[4*i:][:4]
		first := row[0] + 3
		outer, inner := first+row[3], row[1]+row[2]
		innerLess, outerLess := row[1]-row[2], first-row[3]
		c.blocks[4*i][0] = int16((outer + inner) >> 3)
		c.blocks[4*i+1][0] = int16((outerLess + innerLess) >> 3)
		c.blocks[4*i+2][0] = int16((outer - inner) >> 3)
		c.blocks[4*i+3][0] = int16((outerLess - innerLess) >> 3)
	}
}
