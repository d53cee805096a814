package boxes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// parser reads the boxes of a file.
type parser struct {
	r      Reader
	limits Limits
	c      *Container

	visited    int             // number of boxes
	left       int             // bytes of content that may still be kept
	fragmented bool            // the codestream is in fragments that a table lists
	entered    map[string]bool // kinds of headers of which only the first describes the image
}

// box is the location of a box.
type box struct {
	kind       string
	start, end int64 // of the whole box, clipped to the box around it
	payload    int64 // start of the content
	depth      int   // number of boxes around it
}

func (b box) bytes() int64 { return b.end - b.payload }

// String names the box in notes. Its kind may hold any bytes.
func (b box) String() string {
	if b.isNamed() {
		return fmt.Sprintf("the box %q at %d", b.kind, b.start)
	}
	return fmt.Sprintf("the box of type %x at %d", b.kind, b.start)
}

// isNamed reports whether the kind is four printable characters, like all standard ones.
func (b box) isNamed() bool {
	return strings.IndexFunc(b.kind, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// note adds a note for the operator.
func (w *parser) note(format string, values ...any) {
	if len(w.c.Notes) == w.limits.Notes {
		w.c.Notes = append(w.c.Notes, "more notes were omitted")
	}
	if len(w.c.Notes) < w.limits.Notes {
		w.c.Notes = append(w.c.Notes, fmt.Sprintf(format, values...))
	}
}

// file reads all boxes. If none leads to the codestream, it searches for it.
func (w *parser) file() error {
	if err := w.visitRange(0, w.r.Size(), 0, w.readBox); err != nil {
		return err
	}
	w.noteMissing()
	if w.c.Codestreams > 0 {
		return nil
	}
	if w.fragmented {
		return fmt.Errorf("%w: the codestream is in fragments (ftbl)", ErrUnsupported)
	}
	return w.search()
}

// noteMissing notes required boxes that are missing.
func (w *parser) noteMissing() {
	for _, missing := range []struct {
		isMissing bool
		what      string
	}{
		{w.c.Brand == "", "the file's type (ftyp)"},
		{w.c.ImageHeader == nil, "the header of the image (ihdr)"},
		{len(w.c.ColorSpecs) == 0, "the colors (colr)"},
	} {
		if missing.isMissing {
			w.note("there is no box with %s", missing.what)
		}
	}
}

// visitRange visits the boxes in a range of the file. It ends at the first bytes that are not a
// box.
func (w *parser) visitRange(at, end int64, depth int, visit func(box) error) error {
	for at < end {
		if w.visited == w.limits.Boxes {
			w.visited++
			w.note("only the first %d boxes are read", w.limits.Boxes)
		}
		if w.visited > w.limits.Boxes {
			return nil
		}
		w.visited++
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

// box reads the head of the box at a position. ok is false if there is no box.
func (w *parser) box(at, end int64, depth int) (b box, ok bool, err error) {
	const shortest, longest = 8, 16
	head, err := w.r.Peek(at, longest)
	if err != nil {
		return box{}, false, err
	}
	head = head[:min(int64(len(head)), end-at)]
	if len(head) < shortest {
		w.note("%d bytes at %d are not a box", end-at, at)
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
		w.note("%v is truncated by %d bytes", b, int64(length)-(end-at))
		length = uint64(end - at)
	}
	b.end = at + int64(length)
	return b, true, nil
}

// visitInner visits the boxes in a box.
func (w *parser) visitInner(b box, visit func(box) error) error {
	if b.depth+1 >= w.limits.Depth {
		w.note("%v lies within %d others and is ignored", b, b.depth)
		return nil
	}
	return w.visitRange(b.payload, b.end, b.depth+1, visit)
}

// content returns the content of a box, valid until the next read. If it is longer than maxBytes,
// content adds a note and returns nil.
func (w *parser) content(b box, maxBytes int) ([]byte, error) {
	if b.bytes() > int64(maxBytes) {
		w.note("%v has %d bytes and is ignored", b, b.bytes())
		return nil, nil
	}
	content, err := w.r.Peek(b.payload, int(b.bytes()))
	if err != nil {
		return nil, fmt.Errorf("%v: %w", b, err)
	}
	return content[:min(int64(len(content)), b.bytes())], nil
}

// copyContent returns a copy of a box's content. If it is too long, copyContent adds a note and
// returns nil.
func (w *parser) copyContent(b box) ([]byte, error) {
	content, err := w.content(b, min(w.limits.DataBytes, w.left))
	w.left -= len(content)
	return bytes.Clone(content), err
}

// readBox reads a box of a known kind and ignores others.
func (w *parser) readBox(b box) error {
	switch b.kind {
	case "ftyp":
		return w.fileType(b)
	case "jp2h":
		return w.visitInner(b, w.readHeaderBox)
	case "jpch", "jplh": // later ones describe other codestreams and layers
		if w.entered[b.kind] {
			return nil
		}
		w.entered[b.kind] = true
		return w.visitInner(b, w.readHeaderBox)
	case "jp2c":
		return w.codestream(b)
	case "res ":
		return w.visitInner(b, w.resolution)
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
			w.note("%v is unknown", b)
		}
	}
	return nil
}

// fileType reads the brand of the file.
func (w *parser) fileType(b box) error {
	content, err := w.content(b, w.limits.HeaderBytes)
	if err == nil && len(content) >= 4 {
		w.c.Brand = strings.TrimRight(string(content[:4]), " \x00")
	}
	return err
}

// codestream counts a codestream. The first one is the image.
func (w *parser) codestream(b box) error {
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

// search searches the file for a codestream that no box leads to, because the length of an earlier
// box is wrong.
func (w *parser) search() error {
	head, err := w.r.Peek(0, int(min(w.r.Size(), int64(w.limits.SearchBytes))))
	if err != nil {
		return err
	}
	at := bytes.Index(head[:min(len(head), w.limits.SearchBytes)], []byte("\xff\x4f\xff\x51"))
	if at < 0 {
		return fmt.Errorf("%w: no codestream found", ErrCorrupt)
	}
	w.note("no box leads to the codestream; it was found at %d", at)
	w.c.Codestream, w.c.Codestreams = Extent{int64(at), w.r.Size() - int64(at)}, 1
	return nil
}
