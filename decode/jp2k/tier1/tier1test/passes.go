package tier1test

// pass codes one pass of a bit-plane: significance (0), refinement (1) or cleanup (2).
func (m *model) pass(number, plane int, raw bool) {
	switch number {
	case 0:
		m.significancePass(plane, raw)
	case 1:
		m.refinementPass(plane, raw)
	default:
		m.cleanupPass(plane)
	}
}

// bit codes and stores one bit of a magnitude.
func (m *model) bit(c *cell, plane, context int, raw bool) int {
	bit := int(c.magnitude >> plane & 1)
	if raw {
		bit = m.symbols.raw(bit)
	} else {
		bit = m.symbols.arithmetic(context, bit)
	}
	c.magnitude = c.magnitude&^(1<<plane) | int64(bit)<<plane
	return bit
}

// sign codes the sign of a coefficient that became significant.
func (m *model) sign(x, y int, c *cell, plane int, raw bool) {
	negative := 0
	if c.negative {
		negative = 1
	}
	if raw {
		negative = m.symbols.raw(negative)
	} else {
		context, flip := m.signContext(x, y)
		negative = m.symbols.arithmetic(context, negative^flip) ^ flip
	}
	c.negative = negative == 1
	c.lowest = uint8(plane)
	m.becomeSignificant(x, y)
}

func (m *model) significancePass(plane int, raw bool) {
	m.scan(func(x, y int, c *cell) {
		if c.significant || c.quiet() {
			return
		}
		if m.bit(c, plane, m.zeroContext(c), raw) == 1 {
			m.sign(x, y, c, plane, raw)
		}
		c.visited = true
	})
}

func (m *model) refinementPass(plane int, raw bool) {
	m.scan(func(x, y int, c *cell) {
		if c.significant && !c.visited {
			m.bit(c, plane, magnitudeContext(c), raw)
			c.refined = true
			c.lowest = uint8(plane)
		}
	})
}

func (m *model) cleanupPass(plane int) {
	run := 0 // cells of the column that the run still determines
	m.scan(func(x, y int, c *cell) {
		if y%stripeRows == 0 {
			run = 0
			if y+stripeRows <= m.height && m.quiet(x, y) {
				run = m.codeRun(x, y, plane)
			}
		}
		switch {
		case run > 1: // the run says that this cell is not significant
			run--
		case run == 1:
			run--
			c.magnitude |= 1 << plane
			m.sign(x, y, c, plane, false)
		case !c.significant && !c.visited:
			if m.bit(c, plane, m.zeroContext(c), false) == 1 {
				m.sign(x, y, c, plane, false)
			}
		}
	})
	for i := range m.cells {
		m.cells[i].visited = false
	}
}

// quiet reports whether nothing is significant in a column of a stripe and around it.
func (m *model) quiet(x, top int) bool {
	for y := top; y < top+stripeRows; y++ {
		if c := &m.cells[y*m.width+x]; c.significant || c.visited || !c.quiet() {
			return false
		}
	}
	return true
}

// codeRun codes the number of cells of a quiet column before the first one that becomes
// significant. It returns that number plus one.
func (m *model) codeRun(x, top, plane int) int {
	length := 0
	for length < stripeRows && m.cells[(top+length)*m.width+x].magnitude>>plane&1 == 0 {
		length++
	}
	broken := 0
	if length < stripeRows {
		broken = 1
	}
	if m.symbols.arithmetic(runContext, broken) == 0 {
		return stripeRows + 1
	}
	high := m.symbols.arithmetic(uniformContext, length>>1)
	low := m.symbols.arithmetic(uniformContext, length&1)
	return high<<1 + low + 1
}
