// Package boxes reads the container around a JPEG 2000 codestream: the boxes of JP2, JPH and JPX
// files with their colors, palettes, channels and georeferences. Package jp2k calls it when it
// opens a file. The package must never know how a codestream is decoded or what a reference system
// is.
//
// Words:
//
//   - A box is a range of the file with a kind and a content. The content may be boxes.
//   - A channel is one plane of the image as displayed: a component of the codestream, or a column
//     of the palette that a component selects from.
//   - A mapping is the source of a channel. A meaning is its purpose: a color or opacity.
//   - An association is a box whose first box labels the others in it.
//   - A note is a sentence for the operator about something odd.
package boxes

import (
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrFormat reports a file that is neither a codestream nor a container of one.
	ErrFormat = errors.New("no JPEG 2000")
	// ErrCorrupt reports a container without a readable codestream.
	ErrCorrupt = decode.Corrupt("corrupt JPEG 2000 container")
	// ErrUnsupported reports a container that stores its codestream in an unsupported way.
	ErrUnsupported = errors.New("unsupported JPEG 2000 container")
)

// Reader reads the bytes of a file.
type Reader interface {
	// Size returns the number of bytes.
	Size() int64

	// Peek returns at least minLength bytes from an offset on, or all up to the end of the file. It
	// returns more if they are available. The bytes must not be modified and are valid until the
	// next call.
	Peek(offset int64, minLength int) ([]byte, error)
}

// Limits limit the cost of reading a file. A zero field means its default.
type Limits struct {
	Boxes       int // number of boxes; those after them are ignored
	Depth       int // of nested boxes
	HeaderBytes int // of one box that describes the image, such as a palette
	DataBytes   int // of one box whose content is kept: a color profile, XML or a UUID
	TotalBytes  int // of all boxes whose content is kept
	SearchBytes int // range that is searched for a codestream that no box leads to
	Notes       int // number of notes; more are omitted
}

// DefaultLimits returns limits that are generous for real files.
func DefaultLimits() Limits {
	return Limits{
		Boxes: 1 << 12, Depth: 8, HeaderBytes: 2 << 20, DataBytes: 8 << 20, TotalBytes: 32 << 20, SearchBytes: 1 << 20, Notes: 32,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, field := range []struct {
		value        *int
		defaultValue int
	}{
		{&l.Boxes, d.Boxes}, {&l.Depth, d.Depth}, {&l.HeaderBytes, d.HeaderBytes}, {&l.DataBytes, d.DataBytes},
		{&l.TotalBytes, d.TotalBytes}, {&l.SearchBytes, d.SearchBytes}, {&l.Notes, d.Notes},
	} {
		if *field.value <= 0 {
			*field.value = field.defaultValue
		}
	}
	return l
}

// Extent is a range of the file.
type Extent struct{ Offset, Length int64 }

// Container is the content of a file's boxes. Fields without a box are zero.
type Container struct {
	Brand       string // "jp2", "jph", "jpx" or another; empty without boxes
	Codestream  Extent // of the image, clipped to the file
	Codestreams int    // number of codestreams; the first one is the image

	ImageHeader        *ImageHeader
	BitsPerComponent   []BitDepth // if the components differ
	ColorSpecs         []ColorSpec
	Palette            *Palette
	ComponentMapping   []Mapping
	ChannelDefinitions []ChannelDefinition
	Capture, Display   *Resolution

	UUIDs   []UUID
	XML     [][]byte      // texts without a label
	Labeled []LabeledText // texts with a label

	// Notes describe what is wrong with the container, for the operator.
	Notes []string
}

// LooksLike reports whether a file is JPEG 2000, given its first 12 bytes.
func LooksLike(head []byte) bool { return isCodestream(head) || isContainer(head) }

// isCodestream reports whether head begins with the markers SOC and SIZ.
func isCodestream(head []byte) bool { return len(head) >= 4 && string(head[:4]) == "\xff\x4f\xff\x51" }

// isContainer reports whether head begins with the box that starts all containers. It ignores the
// length of the box, since real files have wrong ones.
func isContainer(head []byte) bool { return len(head) >= 8 && string(head[4:8]) == "jP  " }

// Read reads the boxes of a file. It does not read the codestream.
func Read(r Reader, limits Limits) (*Container, error) {
	head, err := r.Peek(0, 12)
	if err != nil {
		return nil, err
	}
	switch {
	case isCodestream(head):
		return &Container{Codestream: Extent{0, r.Size()}, Codestreams: 1}, nil
	case !isContainer(head):
		return nil, fmt.Errorf("%w: the file begins with % x", ErrFormat, head[:min(len(head), 12)])
	}
	w := &parser{r: r, limits: limits.withDefaults(), c: new(Container), entered: make(map[string]bool)}
	w.left = w.limits.TotalBytes
	if string(head[:min(len(head), 12)]) != "\x00\x00\x00\x0cjP  \r\n\x87\n" {
		w.note("the first box is damaged")
	}
	if err := w.file(); err != nil {
		return nil, err
	}
	return w.c, nil
}
