package segments

import (
	"bytes"
	"strings"
)

// readOther reads the subheader of a segment that is no image. Of a reserved one only the name is
// read, since its fields are its own.
func (w *walk) readOther(c *cursor, k kind, name string) (s Segment) {
	c.skip(kindNames[k].tag, 2)
	switch k {
	case graphic:
		s.ID, s.Title = c.text("SID", 10), c.text("SNAME", 20)
		s.Security = c.readSecurity(w.file.Version)
		c.skip("ENCRYP", 1)
		w.skipGraphic(c)
		s.TREs = w.readAreas(c, name, "SXSHD")
	case label:
		s.ID = c.text("LID", 10)
		s.Security = c.readSecurity(w.file.Version)
		c.skip("the fields of the label", 1+1+2+2+3+3+10+3+3)
		s.TREs = w.readAreas(c, name, "LXSHD")
	case text:
		w.readText(c, &s, name)
	case data:
		w.readData(c, &s)
	case reserved:
		s.ID, s.Version = c.text("RESID", 25), c.text("RESVER", 2)
		s.Security = c.readSecurity(w.file.Version)
		s.Parameters = bytes.Clone(c.bytes("RESSHF", c.count("RESSHL", 4)))
	}
	return s
}

func (w *walk) skipGraphic(c *cursor) {
	if w.file.Version.hasShortSecurity() {
		c.skip("the fields of the graphic", 1+13+3+3+10+10+1+10+2)
		return
	}
	c.skip("the fields of the symbol", 1+4+4+4+1+3+3+10+10+1+6+3)
	c.skip("the colors of the symbol", 3*c.count("NELUT", 3))
}

func (w *walk) readText(c *cursor, s *Segment, name string) {
	if w.file.Version.hasShortSecurity() {
		s.ID = c.text("TEXTID", 7)
		c.skip("TXTALVL", 3)
	} else {
		s.ID = c.text("TEXTID", 10)
	}
	c.skip("TXTDT", 14)
	s.Title = c.text("TXTITL", 80)
	s.Security = c.readSecurity(w.file.Version)
	c.skip("ENCRYP and TXTFMT", 4)
	s.TREs = w.readAreas(c, name, "TXSHD")
}

// readData reads the subheader of a data extension. One that continues TREs also says whose; that
// becomes the Title.
func (w *walk) readData(c *cursor, s *Segment) {
	s.ID, s.Version = c.text("DESID", 25), c.text("DESVER", 2)
	s.Security = c.readSecurity(w.file.Version)
	if isOverflow(s.ID) {
		s.Title = c.text("DESOFLW", 6) + " " + c.text("DESITEM", 3)
	}
	s.Parameters = bytes.Clone(c.bytes("DESSHF", c.count("DESSHL", 4)))
}

// isOverflow reports whether a data extension continues the TREs of another header. NITF 2.0 has
// two of them.
func isOverflow(id string) bool {
	switch strings.ToUpper(id) {
	case "TRE_OVERFLOW", "REGISTERED EXTENSIONS", "CONTROLLED EXTENSIONS":
		return true
	}
	return false
}
