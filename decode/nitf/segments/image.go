package segments

import (
	"bytes"
	"fmt"

	"tileserver/source"
)

// Image is the subheader of an image. The names of the standard are in parentheses.
type Image struct {
	Subheader source.Range
	Content   source.Range

	ID        string // IID1
	Date      string // IDATIM
	Target    string // TGTID
	Title     string // IID2
	Security  Security
	Encrypted bool
	Source    string // ISORCE

	Rows, Columns int
	SampleType    string // PVTYPE
	Colors        string // IREP
	Category      string // ICAT
	UsedBits      int    // ABPP
	LeftAligned   bool   // PJUST is L

	Coordinates string // ICORDS: empty if there are none
	Corners     string // IGEOLO: sixty characters, with their spaces
	Comments    []string

	Compression string // IC
	Rate        string // COMRAT
	Bands       []Band
	Mode        string // IMODE

	BlockColumns, BlockRows int // NBPR, NBPC
	BlockWidth, BlockHeight int // NPPBH, NPPBV; 0 stands for the whole width or height
	Bits                    int // NBPP

	DisplayLevel, AttachmentLevel int // IDLVL, IALVL
	Row, Column                   int // ILOC, relative to the image that it is attached to
	Magnification                 string

	TREs []TRE

	// Damage says why the subheader cannot be read to its end. The fields behind the damage are zero.
	// It is nil for a sound one.
	Damage error
}

// Band is one band of an image.
type Band struct {
	Color       string   // IREPBAND
	Subcategory string   // ISUBCAT
	Tables      [][]byte // lookup tables (LUTD), all of one length
}

// readImage reads the subheader of an image.
func (w *walk) readImage(c *cursor, name string) (m Image) {
	v := w.file.Version
	c.skip("IM", 2)
	m.ID, m.Date, m.Target, m.Title = c.text("IID1", 10), c.text("IDATIM", 14), c.text("TGTID", 17), c.text("IID2", 80)
	m.Security = c.readSecurity(v)
	m.Encrypted = c.text("ENCRYP", 1) == "1"
	m.Source = c.text("ISORCE", 42)
	m.Rows, m.Columns = w.side(c, "NROWS", 8), w.side(c, "NCOLS", 8)
	m.SampleType, m.Colors, m.Category = c.text("PVTYPE", 3), c.text("IREP", 8), c.text("ICAT", 8)
	m.UsedBits = c.count("ABPP", 2)
	m.LeftAligned = c.text("PJUST", 1) == "L"
	m.readCorners(c, v)
	for range c.count("NICOM", 1) {
		m.Comments = append(m.Comments, c.text("ICOM", 80))
	}
	if m.Compression = c.text("IC", 2); m.Compression != "NC" && m.Compression != "NM" {
		m.Rate = c.text("COMRAT", 4)
	}
	w.readBands(c, &m)
	c.skip("ISYNC", 1)
	m.Mode = c.text("IMODE", 1)
	m.BlockColumns, m.BlockRows = c.count("NBPR", 4), c.count("NBPC", 4)
	m.BlockWidth, m.BlockHeight = c.count("NPPBH", 4), c.count("NPPBV", 4)
	m.Bits = c.count("NBPP", 2)
	m.DisplayLevel, m.AttachmentLevel = c.count("IDLVL", 3), c.count("IALVL", 3)
	m.Row, m.Column = int(c.number("ILOC", 5)), int(c.number("ILOC", 5))
	m.Magnification = c.text("IMAG", 4)
	m.TREs = w.readAreas(c, name, "UDID", "IXSHD")
	return m
}

func (w *walk) side(c *cursor, name string, width int) int {
	n := c.count(name, width)
	if n == 0 || int64(n) > w.limits.Side {
		c.fail(fmt.Errorf("%s is %d: %w", name, n, ErrCorrupt))
	}
	return n
}

// readCorners reads the coordinates of the corners. In NITF 2.0, N says that there are none, and C
// means the same as G.
func (m *Image) readCorners(c *cursor, v Version) {
	m.Coordinates = c.text("ICORDS", 1)
	if v == NITF20 {
		switch m.Coordinates {
		case "N":
			m.Coordinates = ""
		case "C":
			m.Coordinates = "G"
		}
	}
	if m.Coordinates != "" {
		m.Corners = string(c.bytes("IGEOLO", 60))
	}
}

// readBands reads the bands. More than nine are counted in a field of their own.
func (w *walk) readBands(c *cursor, m *Image) {
	count := c.count("NBANDS", 1)
	if count == 0 && w.file.Version != NITF20 {
		count = c.count("XBANDS", 5)
	}
	if w.bands += int64(count); c.err != nil || w.bands > w.limits.Bands {
		c.fail(fmt.Errorf("%d bands: %w", count, ErrLimit))
		return
	}
	for range count {
		b := Band{Color: c.text("IREPBAND", 2), Subcategory: c.text("ISUBCAT", 6)}
		c.skip("IFC and IMFLT", 4)
		w.readTables(c, &b)
		if c.err != nil {
			return
		}
		m.Bands = append(m.Bands, b)
	}
}

// readTables reads the lookup tables of a band.
func (w *walk) readTables(c *cursor, b *Band) {
	count := c.count("NLUTS", 1)
	if count == 0 {
		return
	}
	entries := c.count("NELUT", 5)
	if w.tableBytes += int64(count) * int64(entries); w.tableBytes > w.limits.TableBytes {
		c.fail(fmt.Errorf("lookup tables of %d bytes: %w", w.tableBytes, ErrLimit))
		return
	}
	for range count {
		b.Tables = append(b.Tables, bytes.Clone(c.bytes("LUTD", entries)))
	}
}
