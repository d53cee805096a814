package lossless

// Minimum lengths of runs in differences. Differences take few bits, so only longer runs take more
// bits than a copy; those of indexes take even fewer, as they have one sample.
const (
	minRun        = 4
	minIndexedRun = 7
)

// tokenize finds copies. The tokens are valid until the next call.
func (m *matcher) tokenize(p *picture) []token {
	bitsPerPixel := bitsOfPixel
	if p.packed {
		bitsPerPixel = bitsOfPacked
	}
	m.begin(p.pixels, p.width, bitsPerPixel)
	switch {
	case p.predicted && p.isIndexed:
		return m.runs(minIndexedRun)
	case p.predicted:
		return m.runs(minRun)
	}
	return m.matches()
}

// runs copies only from the left and from above. In differences, other copies are rare.
func (m *matcher) runs(minLength int) []token {
	n := 0
	for at := 0; at < len(m.pixels); n++ {
		p := m.pixels[at]
		if at > 0 && p == m.pixels[at-1] || at >= m.width && p == m.pixels[at-m.width] {
			if run := m.repeated(at); run.length >= minLength {
				m.tokens[n] = token{run.code, uint16(run.length)}
				at += run.length
				continue
			}
		}
		m.tokens[n] = token{value: p}
		at++
	}
	return m.tokens[:n]
}

// matches copies from anywhere. It emits a literal instead if a copy that starts one pixel later
// saves more.
func (m *matcher) matches() []token {
	m.reset()
	n := 0
	here := m.find(0)
	for at := 0; at < len(m.pixels); n++ {
		if here.saving <= 0 {
			m.tokens[n] = token{value: m.pixels[at]}
			at++
			here = m.find(at)
			continue
		}
		var next match
		if here.length < goodMatch {
			next = m.find(at + 1)
		}
		if next.saving > here.saving {
			m.tokens[n] = token{value: m.pixels[at]}
			at++
			here = next
			continue
		}
		m.tokens[n] = token{here.code, uint16(here.length)}
		m.insertCopied(at, here.length)
		at += here.length
		here = m.find(at)
	}
	return m.tokens[:n]
}
