package nitftest

import "fmt"

// TRE is a tagged record extension.
type TRE struct {
	Tag  string
	Data []byte
}

// bytesOf returns extensions one after the other, each with its tag and length.
func bytesOf(list []TRE) []byte {
	var out []byte
	for _, t := range list {
		out = fmt.Appendf(out, "%-6s%05d", t.Tag, len(t.Data))
		out = append(out, t.Data...)
	}
	return out
}

// Extension is a data extension segment.
type Extension struct {
	ID     string
	Header []byte // user-defined fields of the subheader
	Data   []byte
	Fields Fields // of the subheader

	overflowOf string // the field that Data continues
	item       int    // number of the segment that has the field; 0 for the file header
}

// overflowOf returns the extension with what overflows from a field.
func overflowOf(v Version, field string, item int, list []TRE) Extension {
	id := "TRE_OVERFLOW"
	if v == NITF20 {
		id = "Registered Extensions"
		if field == "XHD" || field == "IXSHD" {
			id = "Controlled Extensions"
		}
	}
	return Extension{ID: id, Data: bytesOf(list), overflowOf: field, item: item}
}

func (e Extension) segment(v Version) Segment {
	h := newHeader(e.Fields)
	h.text("DE", 2, "DE")
	h.text("DESID", 25, e.ID)
	h.number("DESVER", 2, 1)
	h.security(v, "DE")
	if e.overflowOf != "" {
		h.text("DESOFLW", 6, e.overflowOf)
		h.number("DESITEM", 3, e.item)
	}
	h.number("DESSHL", 4, len(e.Header))
	h.raw("DESSHF", e.Header)
	return Segment{Subheader: h.bytes, Data: e.Data}
}
