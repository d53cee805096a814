package boxes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// walker goes through the boxes of a file.
type walker struct {
	r      Reader
	limits Limits
	c      *Container

	looked     int             // at boxes
	left       int             // of the bytes that may be kept
	fragmented bool            // the codestream is in pieces that a table leads to
	entered    map[string]bool // kinds of headers of which only the first is about the image
}

// box is where a box lies.
type box struct {
	kind       string
	start, end int64 // of all of it, end cut off where what it lies in ends
	payload    int64 // where its content begins
	depth      int   // how many boxes it lies in
}

func (b box) bytes() int64 { return b.end - b.payload }

// String names the box in notes. Its kind may be anything.
func (b box) String() string {
	if b.isNamed() {
		return fmt.Sprintf("the box %q at %d", b.kind, b.start)
	}
	return fmt.Sprintf("the box of type %x at %d", b.kind, b.start)
}

// isNamed tells whether the kind is four printable characters, as all of the standards are.
func (b box) isNamed() bool {
	return strings.IndexFunc(b.kind, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// note tells people of something odd.
func (w *walker) note(format string, values ...any) {
	if len(w.c.Notes) == w.limits.Notes {
		w.c.Notes = append(w.c.Notes, "more of this is left out")
	}
	if len(w.c.Notes) < w.limits.Notes {
		w.c.Notes = append(w.c.Notes, fmt.Sprintf(format, values...))
	}
}

// file walks through all boxes, and looks for the codestream by itself where none of them leads to it.
func (w *walker) file() error {
	if err := w.within(0, w.r.Size(), 0, w.enter); err != nil {
		return err
	}
	w.complain()
	if w.c.Codestreams > 0 {
		return nil
	}
	if w.fragmented {
		return fmt.Errorf("%w: the codestream is in fragments (ftbl)", ErrUnsupported)
	}
	return w.search()
}

// complain notes what a container should have and this one has not.
func (w *walker) complain() {
	for _, missing := range []struct {
		isMissing bool
		what      string
	}{
		{w.c.Brand == "", "the file's type (ftyp)"},
		{w.c.ImageHeader == nil, "the header of the image (ihdr)"},
		{len(w.c.ColorSpecs) == 0, "what the colours are (colr)"},
	} {
		if missing.isMissing {
			w.note("no box tells %s", missing.what)
		}
	}
}

// within visits the boxes in a part of the file. What is no box ends it.
func (w *walker) within(at, end int64, depth int, visit func(box) error) error {
	for at < end {
		if w.looked == w.limits.Boxes {
			w.looked++
			w.note("only the first %d boxes are looked at", w.limits.Boxes)
		}
		if w.looked > w.limits.Boxes {
			return nil
		}
		w.looked++
		b, ok, err := w.box(at, end, depth)
		if err != nil || !ok {
			return err
		}
		if err := visit(b); err != nil {
			return err
		}
		at = b.end
	}
	return nil
}

// box reads where the box at a place ends. There is none where ok is false.
func (w *walker) box(at, end int64, depth int) (b box, ok bool, err error) {
	const shortest, longest = 8, 16
	head, err := w.r.Peek(at, longest)
	if err != nil {
		return box{}, false, err
	}
	head = head[:min(int64(len(head)), end-at)]
	if len(head) < shortest {
		w.note("%d bytes at %d are no box", end-at, at)
		return box{}, false, nil
	}
	b = box{kind: string(head[4:8]), start: at, payload: at + shortest, depth: depth}
	length := uint64(binary.BigEndian.Uint32(head))
	switch {
	case length == 0:
		length = uint64(end - at)
	case length == 1 && len(head) >= longest:
		b.payload = at + longest
		length = binary.BigEndian.Uint64(head[shortest:])
	}
	if length > math.MaxInt64 || int64(length) < b.payload-at {
		w.note("%v has a length of %d", b, length)
		return box{}, false, nil
	}
	if int64(length) > end-at {
		w.note("%v is cut short by %d bytes", b, int64(length)-(end-at))
		length = uint64(end - at)
	}
	b.end = at + int64(length)
	return b, true, nil
}

// inside visits the boxes in a box.
func (w *walker) inside(b box, visit func(box) error) error {
	if b.depth+1 >= w.limits.Depth {
		w.note("%v lies within %d others, and is left out", b, b.depth)
		return nil
	}
	return w.within(b.payload, b.end, b.depth+1, visit)
}

// content is what is in a box, good until the next is read. It is nil, and there is a note, where that is longer than most.
func (w *walker) content(b box, most int) ([]byte, error) {
	if b.bytes() > int64(most) {
		w.note("%v has %d bytes, and is left out", b, b.bytes())
		return nil, nil
	}
	content, err := w.r.Peek(b.payload, int(b.bytes()))
	if err != nil {
		return nil, fmt.Errorf("%v: %w", b, err)
	}
	return content[:min(int64(len(content)), b.bytes())], nil
}

// keep is what is in a box, or nil, and a note, where it is too much.
func (w *walker) keep(b box) ([]byte, error) {
	content, err := w.content(b, min(w.limits.KeptBytes, w.left))
	w.left -= len(content)
	return bytes.Clone(content), err
}

// enter takes from a box what is wanted of it, and passes over those that are not known.
func (w *walker) enter(b box) error {
	switch b.kind {
	case "ftyp":
		return w.fileType(b)
	case "jp2h":
		return w.inside(b, w.enterHeader)
	case "jpch", "jplh": // those behind the first are of other codestreams, and of other layers
		if w.entered[b.kind] {
			return nil
		}
		w.entered[b.kind] = true
		return w.inside(b, w.enterHeader)
	case "jp2c":
		return w.codestream(b)
	case "res ":
		return w.inside(b, w.resolution)
	case "ftbl":
		w.fragmented = true
	case "uuid":
		return w.uuid(b)
	case "xml ":
		return w.xml(b)
	case "asoc":
		return w.association(b, nil)
	default:
		if !b.isNamed() {
			w.note("%v is not known", b)
		}
	}
	return nil
}

// fileType reads which of the formats it is.
func (w *walker) fileType(b box) error {
	content, err := w.content(b, w.limits.HeaderBytes)
	if err == nil && len(content) >= 4 {
		w.c.Brand = strings.TrimRight(string(content[:4]), " \x00")
	}
	return err
}

// codestream takes the first one that begins as it must for that of the image.
func (w *walker) codestream(b box) error {
	head, err := w.r.Peek(b.payload, 4)
	if err != nil {
		return err
	}
	if b.bytes() < 4 || !isCodestream(head) {
		w.note("%v holds no codestream", b)
		return nil
	}
	if w.c.Codestreams++; w.c.Codestreams == 1 {
		w.c.Codestream = Extent{b.payload, b.bytes()}
	}
	return nil
}

// search looks for a codestream that no box leads to: where the length of a box before it is wrong.
func (w *walker) search() error {
	head, err := w.r.Peek(0, int(min(w.r.Size(), int64(w.limits.SearchBytes))))
	if err != nil {
		return err
	}
	at := bytes.Index(head[:min(len(head), w.limits.SearchBytes)], []byte("\xff\x4f\xff\x51"))
	if at < 0 {
		return fmt.Errorf("%w: there is no codestream in it", ErrCorrupt)
	}
	w.note("no box leads to the codestream, which is found at %d", at)
	w.c.Codestream, w.c.Codestreams = Extent{int64(at), w.r.Size() - int64(at)}, 1
	return nil
}
