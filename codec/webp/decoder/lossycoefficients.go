package decoder

import "tileserver/codec/webp/vp8"

// largeValueBits is vp8.LargeValueBits under a name that the assembly reaches.
var largeValueBits = vp8.LargeValueBits

// readBlockInGo decodes the coefficients of a block from index first on, dequantizes them, and
// stores them in block (RFC 6386, section 13). It returns the index after the last coefficient, or
// first if it finds none. context is the number of blocks, out of the ones above and to the left,
// that have coefficients.
func (r *boolReader) readBlockInGo(block *[16]int16, bands *[8][3][11]uint8, context, first int, step *[2]int32) int {
	n := first
	p := &bands[vp8.Bands[n&15]][context]
	for n < 16 {
		if r.bit(p[0]) == 0 {
			return n
		}
		for r.bit(p[1]) == 0 {
			if n++; n == 16 {
				return 16
			}
			p = &bands[vp8.Bands[n]][0]
		}
		value := 1
		next := &bands[vp8.Bands[n+1]]
		if r.bit(p[2]) == 0 {
			p = &next[1]
		} else {
			value = r.largeValue(p)
			p = &next[2]
		}
		if r.bit(128) == 1 {
			value = -value
		}
		block[vp8.Zigzag[n]] = int16(int32(value) * step[min(n, 1)])
		n++
	}
	return 16
}

// largeValue decodes the magnitude of a coefficient of at least 2.
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

// coefficients holds the coefficients of a macroblock: 16 luma blocks and 4 blocks for each chroma
// plane.
type coefficients struct {
	blocks [24][16]int16
	ends   [24]uint8 // 0: the block is zero; 1: only its first coefficient is not
	luma   bool      // some luma block is nonzero
	chroma bool
}

// edge records which blocks along an edge of a macroblock have coefficients: four luma blocks, two
// blocks for each chroma plane, and the block of luma DC values.
type edge struct {
	luma     [4]uint8
	chroma   [4]uint8
	dcValues uint8
}

// clear records a macroblock without coefficients. A macroblock with subblock modes has no DC block
// and leaves that entry unchanged.
func (e *edge) clear(hasSubblocks bool) {
	dcValues := e.dcValues
	*e = edge{}
	if hasSubblocks {
		e.dcValues = dcValues
	}
}

// read decodes the coefficients of a macroblock.
func (c *coefficients) read(r *boolReader, h *frameHeader, m *macroblock, above, left *edge) {
	*c = coefficients{}
	s := &h.steps[m.segment]
	kind, first := vp8.LumaFullBlock, 0
	if !m.hasSubblocks {
		var dcValues [16]int16
		end := r.readBlock(&dcValues, &h.coefficients[vp8.LumaDCBlock], int(above.dcValues+left.dcValues), 0, &s.lumaDC)
		above.dcValues = min(uint8(end), 1)
		left.dcValues = above.dcValues
		if end > 0 {
			c.distributeDC(&dcValues)
		}
		kind, first = vp8.LumaACBlock, 1
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
		end := r.readBlock(&c.blocks[16+i], &h.coefficients[vp8.ChromaBlock], int(*a+*l), 0, &s.chroma)
		*a = min(uint8(end), 1)
		*l = *a
		c.chroma = c.note(16+i, end) || c.chroma
	}
}

// note records the end of a block, and reports whether the block is nonzero.
func (c *coefficients) note(block, end int) bool {
	switch {
	case end > 1:
		c.ends[block] = uint8(end)
	case c.blocks[block][0] != 0:
		c.ends[block] = 1
	}
	return c.ends[block] > 0
}

// distributeDC transforms the block of DC values and stores the results as the first coefficients
// of the luma blocks (RFC 6386, section 14.3).
func (c *coefficients) distributeDC(in *[16]int16) {
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
