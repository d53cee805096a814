// Package boxes reads the container around a JPEG 2000 codestream: the boxes of JP2, JPH and JPX files, and what they say
// of colours, palettes, channels and places. It must never know how a codestream is decoded, nor what a place on earth is.
package boxes

import (
	"errors"
	"fmt"
)

var (
	// ErrFormat is what a file gets that is neither a codestream nor a container of one.
	ErrFormat = errors.New("no JPEG 2000")
	// ErrCorrupt is what a file gets whose boxes lead to no codestream.
	ErrCorrupt = errors.New("corrupt JPEG 2000 container")
	// ErrUnsupported is what a file gets whose codestream is kept in a way that is not read.
	ErrUnsupported = errors.New("unsupported JPEG 2000 container")
)

// Reader gives the bytes of a file.
type Reader interface {
	// Size is how many bytes there are.
	Size() int64

	// Peek returns bytes from an offset on: at least so many, or all that there are to the end of the file, and more
	// where they are at hand. They must not be written to, and are good until the next call.
	Peek(offset int64, least int) ([]byte, error)
}

// Limits bound what a file may make us do. A zero field stands for its default.
type Limits struct {
	Boxes       int // that are looked at; those behind them are left out
	Depth       int // of boxes within boxes
	HeaderBytes int // of one box that says how the image is stored: a palette, say
	KeptBytes   int // of one box whose bytes are kept: a colour profile, XML, a UUID
	TotalBytes  int // of all boxes that are kept
	SearchBytes int // in which a codestream is looked for that no box leads to
	Notes       int // more of them are left out
}

// DefaultLimits are wide for the files that people make.
func DefaultLimits() Limits {
	return Limits{
		Boxes: 1 << 12, Depth: 8, HeaderBytes: 2 << 20, KeptBytes: 8 << 20, TotalBytes: 32 << 20, SearchBytes: 1 << 20, Notes: 32,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, field := range []struct {
		value     *int
		otherwise int
	}{
		{&l.Boxes, d.Boxes}, {&l.Depth, d.Depth}, {&l.HeaderBytes, d.HeaderBytes}, {&l.KeptBytes, d.KeptBytes},
		{&l.TotalBytes, d.TotalBytes}, {&l.SearchBytes, d.SearchBytes}, {&l.Notes, d.Notes},
	} {
		if *field.value <= 0 {
			*field.value = field.otherwise
		}
	}
	return l
}

// Extent is a part of the file.
type Extent struct{ Offset, Length int64 }

// Container is what the boxes of a file say. What they do not say is empty.
type Container struct {
	Brand       string // "jp2", "jph", "jpx" or another; empty where there are no boxes
	Codestream  Extent // of the image, cut off at the end of the file
	Codestreams int    // in the file: the first one is the image

	ImageHeader        *ImageHeader
	BitsPerComponent   []BitDepth // where they differ
	ColorSpecs         []ColorSpec
	Palette            *Palette
	ComponentMapping   []Mapping
	ChannelDefinitions []ChannelDefinition
	Capture, Display   *Resolution

	UUIDs    []UUID
	XML      [][]byte   // texts that stand by themselves
	Labelled []Labelled // texts that have a name

	// Notes tell people what is odd about the container.
	Notes []string
}

// LooksLike tells whether a file is JPEG 2000, by the bytes that it begins with; 12 are enough.
func LooksLike(head []byte) bool { return isCodestream(head) || isContainer(head) }

// isCodestream tells whether bytes begin with the markers SOC and SIZ.
func isCodestream(head []byte) bool { return len(head) >= 4 && string(head[:4]) == "\xff\x4f\xff\x51" }

// isContainer tells whether bytes begin with the box that all containers begin with. Its length is not looked at: people
// have files in which that is wrong.
func isContainer(head []byte) bool { return len(head) >= 8 && string(head[4:8]) == "jP  " }

// Read reads the boxes of a file, and none of the codestream.
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
	w := &walker{r: r, limits: limits.withDefaults(), c: new(Container), entered: make(map[string]bool)}
	w.left = w.limits.TotalBytes
	if string(head[:min(len(head), 12)]) != "\x00\x00\x00\x0cjP  \r\n\x87\n" {
		w.note("the first box is damaged")
	}
	if err := w.file(); err != nil {
		return nil, err
	}
	return w.c, nil
}
