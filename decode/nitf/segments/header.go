package segments

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tileserver/decode"
)

// Header holds the fields of the file header that people ask for.
type Header struct {
	ComplexityLevel int
	Station         string // that made the file
	Date            string // as written: CCYYMMDDhhmmss, or DDHHMMSSZMONYY in NITF 2.0
	Title           string
	Security        Security
	Encrypted       bool
	Originator      string
	Phone           string

	length, fileLength int64 // of the header and of the file, as the header says
	counts             int   // where the counts and lengths of segments begin in the header
	end                int64 // of its fields
}

// lengths are those of one segment, as the file header says.
type lengths struct{ subheader, content int64 }

// unknown is a length that the header does not say, since its field has no number.
const unknown = -1

// length reads a length, or notes that it is none.
func (w *walk) length(c *cursor, name string, width int) int64 {
	text := c.text(name, width)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		w.note("%s is %.20q and no length", name, text)
		return unknown
	}
	return n
}

// streamed is how a writer that did not know a length fills its field.
func isStreamed(length int64, digits int) bool {
	nines := int64(1)
	for range digits {
		nines *= 10
	}
	return length == nines-1
}

// readHeader reads the file header, or the one that replaces it. It returns the lengths of the
// segments, by kind.
func (w *walk) readHeader() (all [kinds][]lengths, err error) {
	if all, err = w.readFirstHeader(); err != nil {
		return all, err
	}
	const digits = 12
	if !isStreamed(w.file.Header.fileLength, digits) {
		return all, nil
	}
	at, err := w.replacement()
	if err != nil || at == unknown {
		return all, err
	}
	first := *w
	*w = newWalk(w.r, w.limits)
	replaced, err := w.readHeaderAt(at)
	if err == nil {
		*first.file = *w.file
		w.file = first.file
		w.note("the header was written before the length of the file was known; the one at its end replaces it")
		return replaced, nil
	}
	*w = first
	if errors.Is(err, decode.ErrUnsupported) {
		return all, nil
	}
	return all, unlessDamage(err)
}

// readFirstHeader reads the header at the beginning of the file. If it does not end where it says, its
// number of images may be wrong. Then the number is taken with which it ends there.
func (w *walk) readFirstHeader() (all [kinds][]lengths, err error) {
	all, err = w.readHeaderAt(0)
	h := w.file.Header
	if err != nil && !isDamage(err) || err == nil && h.end == h.length {
		return all, err
	}
	count, failure := w.countImages()
	if failure != nil {
		return all, failure
	}
	if count == 0 {
		return all, err
	}
	again := newWalk(w.r, w.limits)
	again.images = count
	counted, failure := again.readHeaderAt(0)
	if failure != nil || again.file.Header.end != h.length {
		return all, cmp.Or(unlessDamage(failure), err)
	}
	again.note("NUMI is wrong: with the lengths of %d images, the file header ends where it says", count)
	*w.file, again.file = *again.file, w.file
	*w = again
	return counted, nil
}

// replacement returns where the header is that replaces the first one, at the end of a file that was
// written as a stream. After it come a mark and its length. It returns unknown if there is none.
func (w *walk) replacement() (at int64, err error) {
	const (
		mark        = "\x0e\xca\x14\xbf"
		lengthBytes = 7
	)
	size := w.r.Size()
	end := size - int64(len(mark)) - lengthBytes
	tail, err := w.r.Peek(end, len(mark)+lengthBytes)
	if err != nil || len(tail) < len(mark)+lengthBytes || string(tail[:len(mark)]) != mark {
		return unknown, err
	}
	length, err := strconv.Atoi(strings.TrimSpace(string(tail[len(mark):][:lengthBytes])))
	if err != nil || length <= 0 || int64(length) > end {
		return unknown, nil
	}
	return end - int64(length), nil
}

// readHeaderAt reads the file header at an offset.
func (w *walk) readHeaderAt(at int64) (all [kinds][]lengths, err error) {
	c := &cursor{r: w.r, start: at, limit: w.limits.SubheaderBytes}
	f := w.file
	mark := string(c.bytes("the name of the format", 9))
	if c.err != nil {
		return all, c.err
	}
	if f.Version, err = versionOf(mark); err != nil {
		return all, err
	}
	h := &f.Header
	level := c.text("CLEVEL", 2)
	_, _ = fmt.Sscanf(level, "%d", &h.ComplexityLevel) // some writers leave it out
	c.skip("STYPE", 4)
	h.Station, h.Date, h.Title = c.text("OSTAID", 10), c.text("FDT", 14), c.text("FTITLE", 80)
	h.Security = c.readSecurity(f.Version)
	c.skip("FSCOP and FSCPYS", 10)
	h.Encrypted = c.text("ENCRYP", 1) == "1"
	if f.Version.hasShortSecurity() {
		c.skip("FBKGC", 3)
		h.Originator = c.text("ONAME", 24)
	} else {
		h.Originator = c.text("ONAME", 27)
	}
	h.Phone = c.text("OPHONE", 18)
	h.fileLength, h.length = w.length(c, "FL", 12), w.length(c, "HL", 6)
	h.counts = c.at
	for k := range all {
		if all[k], err = w.readLengths(c, kind(k)); err != nil {
			return all, err
		}
	}
	f.TREs = w.readAreas(c, "the file header", "UDHD", "XHD")
	if c.err != nil {
		return all, c.err
	}
	h.end = int64(c.at)
	w.at, err = w.afterHeader(h.end, all)
	w.noteFileLength()
	return all, err
}

// readLengths reads how many segments of a kind the file has, and their lengths.
func (w *walk) readLengths(c *cursor, k kind) ([]lengths, error) {
	names := kindNames[k]
	count := w.images
	if k != image || count == asSaid {
		count = c.count("the number of "+names.plural, 3)
	} else {
		c.skip("the number of "+names.plural, 3)
	}
	if k == label && w.file.Version != NITF20 {
		if count > 0 {
			w.note("NUMX is %d, a number that is reserved", count)
		}
		return nil, c.err
	}
	var all []lengths
	for i := range count {
		of := fmt.Sprintf(" of %s %d", names.name, i+1)
		all = append(all, lengths{w.length(c, "the length of the subheader"+of, names.subheader), w.length(c, "the length"+of, names.content)})
		if c.err != nil {
			return nil, c.err
		}
	}
	return all, c.err
}

// afterHeader returns where the first segment is. That is behind the fields, unless it is where the
// header says that it ends.
func (w *walk) afterHeader(parsed int64, all [kinds][]lengths) (int64, error) {
	said := w.file.Header.length
	if said == parsed || said == unknown {
		return parsed, nil
	}
	first := slices.IndexFunc(all[:], func(of []lengths) bool { return len(of) > 0 })
	if first >= 0 {
		if is, err := w.beginsOnlyAt(said, parsed, kind(first)); err != nil {
			return 0, err
		} else if is {
			w.note("the file header has %d bytes, but says %d, and the segments follow there", parsed, said)
			return said, nil
		}
	}
	w.note("the file header has %d bytes, but says %d", parsed, said)
	return parsed, nil
}

// beginsOnlyAt reports whether a segment of a kind begins at an offset, and none at another one.
func (w *walk) beginsOnlyAt(offset, other int64, k kind) (bool, error) {
	if is, err := w.begins(offset, k); err != nil || !is {
		return false, err
	}
	is, err := w.begins(other, k)
	return !is, err
}

func (w *walk) noteFileLength() {
	const digits = 12
	said, size := w.file.Header.fileLength, w.r.Size()
	switch {
	case said == size, said == unknown:
	case isStreamed(said, digits):
		w.note("the header was written before the length of the file was known")
	case said > size:
		w.note("the file has %d bytes, but says %d: it is cut off", size, said)
	default:
		w.note("the file has %d bytes, but says %d", size, said)
	}
}
