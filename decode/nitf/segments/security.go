package segments

import "strings"

// Security says who may see a segment, as far as the file says.
type Security struct {
	Classification string // U, R, C, S or T
	Codewords      string
	Releasable     string // to which countries
}

// readSecurity reads the security fields of a header. Those of NITF 2.0 end with a field that is
// only there if another one announces it.
func (c *cursor) readSecurity(v Version) (s Security) {
	s.Classification = c.text("the classification", 1)
	if v.hasShortSecurity() {
		c.skip("the classification system", 2)
		s.Codewords = c.text("the codewords", 11)
		c.skip("control and handling", 2)
		s.Releasable = c.text("the releasing instructions", 20)
		c.skip("the security fields", 2+8+4+1+8+43+1+40+1+8+15)
		return s
	}
	s.Codewords = c.text("the codewords", 40)
	c.skip("control and handling", 40)
	s.Releasable = c.text("the releasing instructions", 40)
	c.skip("the security fields", 20+20)
	const hasEvent = "999998"
	if strings.TrimSpace(c.text("the downgrade", 6)) == hasEvent {
		c.skip("the downgrading event", 40)
	}
	return s
}
