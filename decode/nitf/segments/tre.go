package segments

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// TRE is a tagged record extension.
type TRE struct {
	Tag   string
	Place string // the area that holds it: UDHD, XHD, UDID, IXSHD, …, or TRE_OVERFLOW
	Data  []byte
}

// FindTRE returns the first TRE of a tag, or nil.
func FindTRE(all []TRE, tag string) *TRE {
	for i := range all {
		if all[i].Tag == tag {
			return &all[i]
		}
	}
	return nil
}

// readAreas reads the TREs in areas of a header. Each area begins with its length and the number of
// the data extension that continues it.
func (w *walk) readAreas(c *cursor, owner string, names ...string) (all []TRE) {
	for _, name := range names {
		const overflow = 3
		length := w.length(c, name+"L of "+owner, 5)
		switch {
		case length <= 0:
		case length < overflow:
			w.note("%sL of %s is %d, too few to say what continues it", name, owner, length)
		case !c.has(length):
			w.note("%s of %s is left out: it has %d bytes, more than there are", name, owner, length)
		default:
			c.skip(name+"OFL", overflow)
			all = append(all, w.parseTREs(c.bytes(name, int(length)-overflow), name, owner)...)
		}
	}
	return all
}

// parseTREs parses the TREs in an area. It leaves out what follows one whose length is wrong.
func (w *walk) parseTREs(area []byte, place, owner string) (all []TRE) {
	const tagBytes, lengthBytes = 6, 5
	for len(area) >= tagBytes+lengthBytes {
		tag := strings.TrimSpace(string(area[:tagBytes]))
		length, err := strconv.Atoi(strings.TrimSpace(string(area[tagBytes : tagBytes+lengthBytes])))
		rest := area[tagBytes+lengthBytes:]
		if err != nil || length < 0 || length > len(rest) || tag == "" {
			w.note("%s of %s: %.6q says a length of %.5q, with %d bytes left; it and what follows is left out",
				place, owner, tag, area[tagBytes:tagBytes+lengthBytes], len(rest))
			return all
		}
		const overhead = 64
		if w.extensionBytes += int64(length) + overhead; w.extensionBytes > w.limits.ExtensionBytes {
			w.note("%s of %s: TREs beyond %d bytes are left out", place, owner, w.limits.ExtensionBytes)
			return all
		}
		all = append(all, TRE{tag, place, bytes.Clone(rest[:length])})
		area = rest[length:]
	}
	return all
}

// readOverflow adds the TREs of a data extension to the header that it continues.
func (w *walk) readOverflow(s Segment) error {
	owner := fmt.Sprintf("the data extension for %s", s.Title)
	if s.Content.Length > w.limits.ExtensionBytes {
		w.note("%s has %d bytes and is left out", owner, s.Content.Length)
		return nil
	}
	area, err := w.r.Peek(s.Content.Offset, int(s.Content.Length))
	if err != nil {
		return err
	}
	more := w.parseTREs(area[:min(int64(len(area)), s.Content.Length)], "TRE_OVERFLOW", owner)
	if all := w.overflowing(s.Title); all != nil {
		*all = append(*all, more...)
		return nil
	}
	w.note("%s continues a header that is not there", owner)
	return nil
}

// overflowing returns the TREs of the header that a data extension continues, or nil. The title is
// the name of an area and the number of the segment.
func (w *walk) overflowing(title string) *[]TRE {
	var area string
	var number int
	_, _ = fmt.Sscan(title, &area, &number)
	f := w.file
	in := func(all []Segment) *[]TRE {
		if number < 1 || number > len(all) {
			return nil
		}
		return &all[number-1].TREs
	}
	switch area {
	case "UDHD", "XHD":
		return &f.TREs
	case "UDID", "IXSHD":
		if number < 1 || number > len(f.Images) {
			return nil
		}
		return &f.Images[number-1].TREs
	case "SXSHD":
		return in(f.Graphics)
	case "LXSHD":
		return in(f.Labels)
	case "TXSHD":
		return in(f.Texts)
	}
	return nil
}
