package lossless

// Differences from predictions are so small that only longer runs take more bits than a copy, all the more if each is but
// one sample.
const (
	minRun        = 4
	minRunNumbers = 7
)

// tokenize finds what is to be copied. The tokens are valid until the next call.
func (m *matcher) tokenize(p *picture) []token {
	bitsPerPixel := bitsOfPixel
	if p.packed {
		bitsPerPixel = bitsOfPacked
	}
	m.begin(p.pixels, p.width, bitsPerPixel)
	switch {
	case p.predicted && p.numbers:
		return m.runs(minRunNumbers)
	case p.predicted:
		return m.runs(minRun)
	}
	return m.matches()
}

// runs copies only what is to the left or above: all that is to be found in differences from predictions.
func (m *matcher) runs(shortest int) []token {
	n := 0
	for at := 0; at < len(m.pixels); n++ {
		p := m.pixels[at]
		if at > 0 && p == m.pixels[at-1] || at >= m.width && p == m.pixels[at-m.width] {
			if run := m.repeated(at); run.length >= shortest {
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

// matches copies from anywhere; but not where a copy that begins a pixel later saves more.
func (m *matcher) matches() []token {
	m.forget()
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
