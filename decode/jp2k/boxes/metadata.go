package boxes

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
)

// ID identifies the content of a UUID box, in the usual form of 8-4-4-4-12 hexadecimal digits.
type ID string

// The known contents.
const (
	// GeoJP2 is a GeoTIFF file of one pixel, whose tags georeference the image.
	GeoJP2 ID = "b14bf8bd-083d-4b43-a5ae-8cd7d5a6ce03"
	// WorldFile holds the numbers of a world file, as written by some early software.
	WorldFile ID = "96a9f1f1-dc98-402d-a7ae-d68e34451809"
)

// UUID is a vendor-specific box.
type UUID struct {
	ID   ID
	Size int64  // of the content
	Data []byte // the content, if the ID is known
}

// LabeledText is a text with its label and those of the boxes around it, outermost first.
type LabeledText struct {
	Labels []string
	Text   []byte
}

func (w *parser) uuid(b box) error {
	const idBytes = 16
	head, err := w.r.Peek(b.payload, idBytes)
	if err != nil {
		return err
	}
	if len(head) < idBytes || b.bytes() < idBytes {
		w.note("%v has no UUID", b)
		return nil
	}
	u := UUID{ID: newID([idBytes]byte(head)), Size: b.bytes() - idBytes}
	if u.ID == GeoJP2 || u.ID == WorldFile {
		b.payload += idBytes
		if u.Data, err = w.copyContent(b); err != nil {
			return err
		}
	}
	w.c.UUIDs = append(w.c.UUIDs, u)
	return nil
}

func newID(b [16]byte) ID {
	digits := hex.EncodeToString(b[:])
	return ID(strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-"))
}

// GeoTIFFs returns the contents of the GeoJP2 boxes. Some software writes two, one of which is
// empty.
func (c *Container) GeoTIFFs() [][]byte {
	var all [][]byte
	for _, u := range c.UUIDs {
		if u.ID == GeoJP2 && len(u.Data) > 0 {
			all = append(all, u.Data)
		}
	}
	return all
}

// WorldFile returns the six numbers of the WorldFile box, in the order of a world file: x and y by
// column, x and y by row, x and y of the center of the first pixel. ok is false if there is no such
// box.
func (c *Container) WorldFile() (numbers [6]float64, ok bool) {
	const mark, before, length = "MSIG/", 22, 70
	for _, u := range c.UUIDs {
		if u.ID != WorldFile || len(u.Data) < length || !strings.HasPrefix(string(u.Data[:before]), mark) {
			continue
		}
		for i := range numbers {
			numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(u.Data[before+8*i:]))
			if math.IsNaN(numbers[i]) || math.IsInf(numbers[i], 0) {
				return [6]float64{}, false
			}
		}
		return numbers, true
	}
	return [6]float64{}, false
}

func (w *parser) xml(b box) error {
	text, err := w.copyContent(b)
	if len(text) > 0 {
		w.c.XML = append(w.c.XML, text)
	}
	return err
}

// association reads a box whose first box labels the others in it.
func (w *parser) association(b box, labels []string) error {
	named := false
	return w.visitInner(b, func(inner box) error {
		switch inner.kind {
		case "lbl ":
			label, err := w.label(inner)
			if err == nil && !named {
				labels, named = append(labels[:len(labels):len(labels)], label), true
			}
			return err
		case "xml ":
			text, err := w.copyContent(inner)
			if len(text) > 0 {
				w.c.Labeled = append(w.c.Labeled, LabeledText{labels, text})
			}
			return err
		case "asoc":
			return w.association(inner, labels)
		case "uuid":
			return w.uuid(inner)
		}
		return nil
	})
}

// label reads a label box.
func (w *parser) label(b box) (string, error) {
	const maxBytes = 1 << 10
	content, err := w.content(b, maxBytes)
	text, _, _ := strings.Cut(string(content), "\x00")
	return text, err
}

// Text returns the first text with a label, at any depth, or nil.
func (c *Container) Text(label string) []byte {
	for _, l := range c.Labeled {
		if len(l.Labels) > 0 && strings.EqualFold(l.Labels[len(l.Labels)-1], label) {
			return l.Text
		}
	}
	return nil
}
