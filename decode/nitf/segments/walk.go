package segments

import (
	"cmp"
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/source"
)

// kind is a kind of segment.
type kind int

const (
	image kind = iota
	graphic
	label
	text
	data
	reserved
	kinds
)

// kindNames has what the header says of each kind, in the order of the file.
var kindNames = [kinds]struct {
	name, plural       string
	tag                string // a subheader begins with
	subheader, content int    // digits of the lengths
}{
	image:    {"image segment", "images", "IM", 6, 10},
	graphic:  {"graphic", "graphics", "SY", 4, 6},
	label:    {"label", "labels", "LA", 4, 3},
	text:     {"text", "texts", "TE", 4, 5},
	data:     {"data extension", "data extensions", "DE", 4, 9},
	reserved: {"reserved extension", "reserved extensions", "RE", 4, 7},
}

// walk goes from segment to segment.
type walk struct {
	file   *File
	r      Reader
	limits Limits
	at     int64 // of the next segment
	after  int64 // bytes of all segments behind it, or unknown
	images int   // how many the file has, or asSaid

	extensionBytes, tableBytes, bands int64 // taken so far
}

// asSaid is the number of images that the header says.
const asSaid = -1

func newWalk(r Reader, limits Limits) walk {
	return walk{file: new(File), r: r, limits: limits, images: asSaid}
}

func (w *walk) note(format string, values ...any) {
	const maxNotes = 20
	if len(w.file.Notes) < maxNotes {
		w.file.Notes = append(w.file.Notes, fmt.Sprintf(format, values...))
	}
}

// begins reports whether a segment of a kind begins at an offset. An error is one of reading.
func (w *walk) begins(offset int64, k kind) (bool, error) {
	bytes, err := w.r.Peek(offset, 2)
	return len(bytes) >= 2 && string(bytes[:2]) == kindNames[k].tag, err
}

// readSegments reads the subheaders of all segments. Damage ends it with a note; only errors of
// reading are returned.
func (w *walk) readSegments(all [kinds][]lengths) error {
	var order []kind
	var flat []lengths
	for k, of := range all {
		for _, l := range of {
			order, flat = append(order, kind(k)), append(flat, l)
		}
	}
	if err := w.readAhead(flat); err != nil {
		return err
	}
	numbers := [kinds]int{}
	for i, k := range order {
		numbers[k]++
		next := kinds
		if i+1 < len(order) {
			next = order[i+1]
		}
		name := fmt.Sprintf("%s %d", kindNames[k].name, numbers[k])
		w.after = sum(flat[i+1:])
		err := w.readSegment(k, name, flat[i], next)
		switch {
		case err == nil:
		case isDamage(err):
			w.note("%s is left out, and all after it: %v", name, err)
			return nil
		default:
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// readAhead tells the reader where the subheaders are, if the lengths in the file header are right, with what is
// behind them: masks and other headers.
func (w *walk) readAhead(all []lengths) error {
	const maxBytes, behindBytes, maxSegments = 64 << 10, 16 << 10, 64
	reader, ok := w.r.(interface{ Ahead([]source.Range) error })
	if !ok {
		return nil
	}
	var ranges []source.Range
	at := w.at
	for _, l := range all[:min(len(all), maxSegments)] {
		if at >= w.r.Size() || l.subheader < 0 || l.content < 0 {
			break
		}
		ranges = append(ranges, source.Range{Offset: at, Length: min(min(l.subheader, maxBytes)+behindBytes, w.r.Size()-at)})
		at += l.subheader + l.content
	}
	return reader.Ahead(ranges)
}

func isDamage(err error) bool { return errors.Is(err, decode.ErrCorrupt) || errors.Is(err, ErrLimit) }

// sum returns how long segments are together, or unknown.
func sum(all []lengths) (n int64) {
	for _, l := range all {
		if l.subheader == unknown || l.content == unknown {
			return unknown
		}
		n += l.subheader + l.content
	}
	return n
}

// readSegment reads the segment at the current place and finds the next one, which is of the kind
// next.
func (w *walk) readSegment(k kind, name string, said lengths, next kind) error {
	if w.at >= w.r.Size() {
		return fmt.Errorf("the file ends before it: %w", ErrCorrupt)
	}
	is, err := w.begins(w.at, k)
	if err != nil {
		return err
	}
	c := &cursor{r: w.r, start: w.at, limit: w.limits.SubheaderBytes}
	var s Segment
	var m Image
	switch {
	case !is:
		c.fail(fmt.Errorf("at %d is no %s: %w", w.at, kindNames[k].tag, ErrCorrupt))
	case k == image:
		m = w.readImage(c, name)
	default:
		s = w.readOther(c, k, name)
	}
	if c.err != nil {
		return w.keepDamaged(k, m, name, said, next, c.err)
	}
	if s.Subheader, s.Content, err = w.extents(k, name, said, int64(c.at), next); err != nil {
		return err
	}
	w.at = s.Content.End()
	if k == image {
		m.Subheader, m.Content = s.Subheader, s.Content
		w.file.Images = append(w.file.Images, m)
		return nil
	}
	return w.keep(k, s)
}

// keepDamaged adds a segment whose subheader cannot be read, if the lengths in the file header lead
// to the next one. Those after it so keep their numbers.
func (w *walk) keepDamaged(k kind, m Image, name string, said lengths, next kind, why error) error {
	end := w.at + said.subheader + said.content
	if !isDamage(why) || said.subheader <= 0 || said.content == unknown || end > w.r.Size() {
		return why
	}
	if isFollowed, err := w.endsAt(end, next); err != nil || !isFollowed {
		return cmp.Or(err, why)
	}
	subheader := source.Range{Offset: w.at, Length: said.subheader}
	content := source.Range{Offset: subheader.End(), Length: said.content}
	w.note("%s is damaged: %v", name, why)
	w.at = end
	if k == image {
		m.Subheader, m.Content, m.Damage = subheader, content, why
		w.file.Images = append(w.file.Images, m)
		return nil
	}
	return w.keep(k, Segment{Subheader: subheader, Content: content})
}

// extents returns where a subheader and the content after it lie. If the length of the subheader is
// not that of its fields, the place of the next segment decides.
func (w *walk) extents(k kind, name string, said lengths, parsed int64, next kind) (subheader, content source.Range, err error) {
	size := w.r.Size()
	length := said.subheader
	switch length {
	case parsed:
	case unknown:
		length = parsed
	default:
		if length, err = w.choose(max(said.subheader, parsed), parsed, said.content, next); err != nil {
			return subheader, content, err
		}
		w.note("the subheader of %s has %d bytes, but the file header says %d", name, parsed, said.subheader)
	}
	subheader = source.Range{Offset: w.at, Length: min(length, size-w.at)}
	content = source.Range{Offset: subheader.End(), Length: said.content}
	left := size - content.Offset
	switch {
	case said.content == unknown && w.after != unknown && w.after <= left:
		content.Length = left - w.after
	case said.content == unknown, isStreamed(said.content, kindNames[k].content) || said.content == 0 && next == kinds && k == image:
		content.Length = left
		w.note("%s has no length in the file header: it ends with the file", name)
	case said.content > left:
		content.Length = left
		w.note("%s is cut off: the file has %d bytes of %d", name, left, said.content)
	}
	return subheader, content, nil
}

// choose returns the length of the current subheader after which the next segment follows: the longer
// one, or else the other. It returns the longer one if neither is right.
func (w *walk) choose(longer, other, content int64, next kind) (int64, error) {
	for _, length := range []int64{longer, other} {
		if isEnd, err := w.endsAt(w.at+length+content, next); err != nil || isEnd {
			return length, err
		}
	}
	return longer, nil
}

// endsAt reports whether a segment may end at an offset: there the next one begins, or the file
// ends, by its size or, if it is cut off, by its header.
func (w *walk) endsAt(offset int64, next kind) (bool, error) {
	if next == kinds {
		return offset == w.r.Size() || offset == w.file.Header.fileLength, nil
	}
	return w.begins(offset, next)
}

// keep adds a segment to the file. The TREs of one that continues others go to those.
func (w *walk) keep(k kind, s Segment) error {
	f := w.file
	switch k {
	case graphic:
		f.Graphics = append(f.Graphics, s)
	case label:
		f.Labels = append(f.Labels, s)
	case text:
		f.Texts = append(f.Texts, s)
	case reserved:
		f.Reserved = append(f.Reserved, s)
	case data:
		if isOverflow(s.ID) {
			return w.readOverflow(s)
		}
		f.Data = append(f.Data, s)
	}
	return nil
}
