package nitftest

import (
	"fmt"
	"strings"
)

// subheader returns the subheader. The last two numbers are those of the extension segments that
// continue UDID and IXSHD.
func (m *Image) subheader(v Version, userOverflow, overflow int) []byte {
	h := newHeader(m.Fields)
	h.text("IM", 2, "IM")
	h.text("IID1", 10, m.Name)
	h.text("IDATIM", 14, v.time())
	h.text("TGTID", 17, "")
	h.text("IID2", 80, "")
	h.security(v, "I")
	h.number("ENCRYP", 1, 0)
	h.text("ISORCE", 42, "")
	m.appendSamples(h)
	m.appendPlace(h, v)
	h.number("NICOM", 1, len(m.Comments))
	for i, comment := range m.Comments {
		h.text(fmt.Sprintf("ICOM%d", i+1), 80, comment)
	}
	h.text("IC", 2, m.Compression)
	if m.compressed() {
		h.text("COMRAT", 4, m.Rate)
	}
	m.appendBands(h, v)
	m.appendBlocks(h)
	h.number("IDLVL", 3, m.DisplayLevel)
	h.number("IALVL", 3, m.AttachmentLevel)
	h.text("ILOC", 10, fmt.Sprintf("%05d%05d", m.Row, m.Column))
	h.text("IMAG", 4, m.Magnification)
	h.extensions("UDIDL", "UDOFL", "UDID", m.UserTREs, userOverflow)
	h.extensions("IXSHDL", "IXSOFL", "IXSHD", m.TREs, overflow)
	return h.bytes
}

// appendSamples writes the size of the image and what its samples are.
func (m *Image) appendSamples(h *header) {
	h.number("NROWS", 8, m.Height)
	h.number("NCOLS", 8, m.Width)
	h.text("PVTYPE", 3, m.ValueType)
	h.text("IREP", 8, m.Representation)
	h.text("ICAT", 8, m.Category)
	h.number("ABPP", 2, m.ActualBits)
	justification := "R"
	if m.LeftJustified {
		justification = "L"
	}
	h.text("PJUST", 1, justification)
}

// appendBlocks writes how the samples are arranged.
func (m *Image) appendBlocks(h *header) {
	const maxSide = 8192
	h.number("ISYNC", 1, 0)
	h.text("IMODE", 1, m.Mode)
	h.number("NBPR", 4, m.columns())
	h.number("NBPC", 4, m.rows())
	width, height := m.BlockWidth, m.BlockHeight
	if m.columns() == 1 && width > maxSide {
		width = 0
	}
	if m.rows() == 1 && height > maxSide {
		height = 0
	}
	h.number("NPPBH", 4, width)
	h.number("NPPBV", 4, height)
	h.number("NBPP", 2, m.Bits)
}

// appendBands writes the bands with their tables. More than nine are counted in a field of their
// own.
func (m *Image) appendBands(h *header, v Version) {
	const maxShort = 9
	if len(m.Bands) <= maxShort {
		h.number("NBANDS", 1, len(m.Bands))
	} else {
		if v == NITF20 {
			panic("NITF 2.0 has at most nine bands")
		}
		h.number("NBANDS", 1, 0)
		h.number("XBANDS", 5, len(m.Bands))
	}
	for i, band := range m.Bands {
		suffix := fmt.Sprint(i + 1)
		h.text("IREPBAND"+suffix, 2, band.Representation)
		h.text("ISUBCAT"+suffix, 6, band.Subcategory)
		h.text("IFC"+suffix, 1, "N")
		h.text("IMFLT"+suffix, 3, "")
		h.number("NLUTS"+suffix, 1, len(band.LUTs))
		if len(band.LUTs) == 0 {
			continue
		}
		h.number("NELUT"+suffix, 5, len(band.LUTs[0]))
		for j, table := range band.LUTs {
			h.raw(fmt.Sprintf("LUTD%d%d", i+1, j+1), table)
		}
	}
}

// appendPlace writes the corners. NITF 2.0 says with a letter that there are none, and later
// versions with a space.
func (m *Image) appendPlace(h *header, v Version) {
	coordinates := m.Coordinates
	if coordinates == "" && v == NITF20 {
		coordinates = "N"
	}
	h.text("ICORDS", 1, coordinates)
	if m.Coordinates == "" {
		return
	}
	var corners strings.Builder
	for _, corner := range m.Corners {
		if m.Coordinates == "D" {
			fmt.Fprintf(&corners, "%+07.3f%+08.3f", corner[0], corner[1])
		} else {
			corners.WriteString(sexagesimal(corner[0], 2, "NS") + sexagesimal(corner[1], 3, "EW"))
		}
	}
	h.text("IGEOLO", 60, corners.String())
}

// sexagesimal returns an angle as degrees, minutes, seconds and one of two letters.
func sexagesimal(degrees float64, width int, letters string) string {
	letter := letters[:1]
	if degrees < 0 {
		degrees, letter = -degrees, letters[1:]
	}
	seconds := int(degrees*3600 + 0.5)
	return fmt.Sprintf("%0*d%02d%02d%s", width, seconds/3600, seconds/60%60, seconds%60, letter)
}
