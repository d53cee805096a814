// Package nitftest writes small NITF files for tests: NITF 2.0 and 2.1 and NSIF 1.0, images of every
// layout and most compressions, masks, extensions. Its output is deterministic. It must never
// import the package that reads them, so that a mistake cannot cancel out.
//
// The zero value of each type is sound: File{} is a file with one gray image. Fields replace any
// field of a header by its name in the standard, to make files that lie. What a test cannot mean,
// such as a block without columns, panics.
package nitftest

import (
	"fmt"
	"io"
	"slices"
)

// Version is what the file says that it is.
type Version int

// The versions.
const (
	NITF21 Version = iota
	NITF20
	NSIF10 // has the layout of NITF 2.1
)

func (v Version) profile() string { return [...]string{"NITF02.10", "NITF02.00", "NSIF01.00"}[v] }

// File describes a file.
type File struct {
	Version Version
	Title   string

	Images        []Image // nil means one image of zero value
	WithoutImages bool    // the file has no image at all
	Graphics      []Segment
	Labels        []Segment // of NITF 2.0
	Texts         []Segment
	Extensions    []Extension // data extension segments

	UserTREs []TRE // in UDHD
	TREs     []TRE // in XHD
	// Overflow and UserOverflow are written into data extension segments of their own, to which the
	// header points.
	UserOverflow []TRE
	Overflow     []TRE

	Fields Fields // of the file header
}

// Segment is a segment that is written as it is.
type Segment struct {
	Subheader, Data []byte
	Length          int // of the data; 0 means that of Data
}

// length returns the length of the data.
func (s *Segment) length() int { return max(s.Length, len(s.Data)) }

// Bytes returns the file.
func (f File) Bytes() []byte {
	head, p := f.encode()
	out := head
	for _, s := range p.all() {
		out = append(append(out, s.Subheader...), s.Data...)
		out = append(out, make([]byte, s.length()-len(s.Data))...)
	}
	return out
}

// SparseFile is what a file of any size can be written to, such as an os.File.
type SparseFile interface {
	io.WriterAt
	Truncate(size int64) error
}

// WriteSparse writes the file and leaves holes where the length of a segment exceeds its data. It
// returns where the data of each image begin.
func (f File) WriteSparse(to SparseFile) (images []int64, err error) {
	head, p := f.encode()
	if _, err := to.WriteAt(head, 0); err != nil {
		return nil, err
	}
	at := int64(len(head))
	for i, s := range p.all() {
		if _, err := to.WriteAt(slices.Concat(s.Subheader, s.Data), at); err != nil {
			return nil, err
		}
		at += int64(len(s.Subheader))
		if i < len(p.images) {
			images = append(images, at)
		}
		at += int64(s.length())
	}
	return images, to.Truncate(at)
}

// encode returns the file header and the segments.
func (f File) encode() (head []byte, p *parts) {
	if f.Images == nil && !f.WithoutImages {
		f.Images = []Image{{}}
	}
	p = f.parts()
	head = f.header(p, 0, 0)
	return f.header(p, len(head)+p.size(), len(head)), p
}

// parts holds the segments of a file by their kind, in the order of the file.
type parts struct {
	images, graphics, labels, texts, extensions []Segment

	// Numbers of the extensions that hold what overflows from the file header; 0 for none.
	userOverflow, overflow int
}

// all returns the segments in the order of the file.
func (p *parts) all() []Segment {
	return slices.Concat(p.images, p.graphics, p.labels, p.texts, p.extensions)
}

func (p *parts) size() (n int) {
	for _, s := range p.all() {
		n += len(s.Subheader) + s.length()
	}
	return n
}

// parts writes the segments.
func (f *File) parts() *parts {
	p := &parts{graphics: f.Graphics, labels: f.Labels, texts: f.Texts}
	for _, e := range f.Extensions {
		p.extensions = append(p.extensions, e.segment(f.Version))
	}
	p.userOverflow = f.addOverflow(p, "UDHD", 0, f.UserOverflow)
	p.overflow = f.addOverflow(p, "XHD", 0, f.Overflow)
	for i, m := range f.Images {
		m = m.withDefaults(i + 1)
		user := f.addOverflow(p, "UDID", i+1, m.UserOverflow)
		extended := f.addOverflow(p, "IXSHD", i+1, m.Overflow)
		data := m.data()
		p.images = append(p.images, Segment{m.subheader(f.Version, user, extended), data, m.Length})
	}
	return p
}

// addOverflow adds an extension with what overflows from a field of a header, and returns its
// number, or 0 if nothing overflows.
func (f *File) addOverflow(p *parts, field string, item int, overflow []TRE) int {
	if overflow == nil {
		return 0
	}
	p.extensions = append(p.extensions, overflowOf(f.Version, field, item, overflow).segment(f.Version))
	return len(p.extensions)
}

// header returns the file header for given lengths of the file and of itself.
func (f *File) header(p *parts, fileBytes, headerBytes int) []byte {
	h := newHeader(f.Fields)
	h.text("FHDR", 9, f.Version.profile())
	h.number("CLEVEL", 2, 3)
	h.text("STYPE", 4, "BF01")
	h.text("OSTAID", 10, "TEST")
	h.text("FDT", 14, f.Version.time())
	h.text("FTITLE", 80, f.Title)
	h.security(f.Version, "F")
	h.number("FSCOP", 5, 0)
	h.number("FSCPYS", 5, 0)
	h.number("ENCRYP", 1, 0)
	if f.Version == NITF20 {
		h.text("ONAME", 27, "")
	} else {
		h.raw("FBKGC", []byte{0, 0, 0})
		h.text("ONAME", 24, "")
	}
	h.text("OPHONE", 18, "")
	h.number("FL", 12, fileBytes)
	h.number("HL", 6, headerBytes)
	h.lengths("I", 6, 10, p.images)
	h.lengths("S", 4, 6, p.graphics)
	if f.Version == NITF20 {
		h.lengths("L", 4, 3, p.labels)
	} else {
		h.number("NUMX", 3, 0)
	}
	h.lengths("T", 4, 5, p.texts)
	h.lengths("D", 4, 9, p.extensions)
	h.number("NUMRES", 3, 0)
	h.extensions("UDHDL", "UDHOFL", "UDHD", f.UserTREs, p.userOverflow)
	h.extensions("XHDL", "XHDLOFL", "XHD", f.TREs, p.overflow)
	return h.bytes
}

// time returns a date in the notation of the version.
func (v Version) time() string {
	if v == NITF20 {
		return "02030405ZJAN20"
	}
	return "20200102030405"
}

// security writes the fields of security, which have the same length in all versions. Their names
// begin with F in the file header and with IS or DES in others.
func (h *header) security(v Version, prefix string) {
	h.text(prefix+"SCLAS", 1, "U")
	if v == NITF20 {
		for _, name := range []string{"SCODE", "SCTLH", "SREL"} {
			h.text(prefix+name, 40, "")
		}
		h.text(prefix+"SCAUT", 20, "")
		h.text(prefix+"SCTLN", 20, "")
		h.text(prefix+"SDWNG", 6, "")
		return
	}
	for _, field := range []struct {
		name  string
		width int
	}{
		{"SCLSY", 2}, {"SCODE", 11}, {"SCTLH", 2}, {"SREL", 20}, {"SDCTP", 2}, {"SDCDT", 8}, {"SDCXM", 4}, {"SDG", 1},
		{"SDGDT", 8}, {"SCLTX", 43}, {"SCATP", 1}, {"SCAUT", 40}, {"SCRSN", 1}, {"SSRDT", 8}, {"SCTLN", 15},
	} {
		h.text(prefix+field.name, field.width, "")
	}
}

// lengths writes how many segments of a kind there are, and the lengths of each. The names of the
// fields follow from the letter of the kind, as in NUMI, LISH001 and LI001.
func (h *header) lengths(kind string, headerWidth, dataWidth int, segments []Segment) {
	count := "NUM" + kind
	if kind == "D" {
		count = "NUMDES"
	}
	h.number(count, 3, len(segments))
	for i, s := range segments {
		h.number(fmt.Sprintf("L%sSH%03d", kind, i+1), headerWidth, len(s.Subheader))
		h.number(fmt.Sprintf("L%s%03d", kind, i+1), dataWidth, s.length())
	}
}
