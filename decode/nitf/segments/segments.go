// Package segments reads the structure of NITF 2.0, NITF 2.1 and NSIF 1.0 files: the file header,
// the subheader of each segment, and the tagged extensions in all of them. Package decode/nitf
// calls it. It decodes no pixels, and must never know what an extension means or where an image
// lies on the earth.
//
// Words: a *segment* is an image, a graphic, a text or data, with a *subheader* before it. A *TRE*
// is a tagged record extension. A *field* is text of fixed width in a header.
package segments

import (
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/source"
)

var (
	// ErrCorrupt marks a file whose structure contradicts itself.
	ErrCorrupt = decode.Corrupt("corrupt NITF file")

	// ErrLimit marks a file that demands more than Limits allows.
	ErrLimit = errors.New("over the limit")
)

// Reader reads bytes of a file. The bytes must not be modified and are valid until the next call.
type Reader interface {
	Size() int64

	// Peek returns bytes from an offset on, at least minLength if the file has as many.
	Peek(offset int64, minLength int) ([]byte, error)
}

// Limits bounds what a file may demand before its claims are verified.
type Limits struct {
	SubheaderBytes int   // of one segment
	ExtensionBytes int64 // of all TREs of the file together
	TableBytes     int64 // of all lookup tables of bands together
	Bands          int64 // of all images together
	Side           int64 // pixels of an image's width or height
}

// DefaultLimits returns limits that are wide enough for real files. A header says lengths with six
// digits, but some writers exceed those.
func DefaultLimits() Limits {
	return Limits{SubheaderBytes: 8 << 20, ExtensionBytes: 16 << 20, TableBytes: 16 << 20, Bands: 200_000, Side: 1<<31 - 1}
}

// File is the structure of a file.
type File struct {
	Version  Version
	Header   Header
	Images   []Image
	Graphics []Segment // or symbols
	Labels   []Segment
	Texts    []Segment
	Data     []Segment // data extension segments, without those that only continue TREs
	Reserved []Segment
	TREs     []TRE    // of the file itself
	Notes    []string // what contradicts itself, and what is left out for it
}

// Segment is what all segments have.
type Segment struct {
	Subheader source.Range
	Content   source.Range
	ID, Title string
	Security  Security
	TREs      []TRE

	// Version and Parameters are those of a data extension: its version, and its own subheader.
	Version    string
	Parameters []byte
}

// Version is an edition of the format.
type Version string

// The editions that are read.
const (
	NITF20 Version = "NITF 2.0"
	NITF21 Version = "NITF 2.1"
	NSIF10 Version = "NSIF 1.0"
)

// hasShortSecurity reports whether headers have the security fields of NITF 2.1, which are as long
// for any content.
func (v Version) hasShortSecurity() bool { return v != NITF20 }

// versionOf returns the edition that the first nine bytes of a file name.
func versionOf(mark string) (Version, error) {
	switch mark {
	case "NITF02.00":
		return NITF20, nil
	case "NITF02.10":
		return NITF21, nil
	case "NSIF01.00":
		return NSIF10, nil
	case "NITF01.10":
		return "", fmt.Errorf("NITF 1.1: %w", decode.ErrUnsupported)
	}
	return "", fmt.Errorf("an edition named %.9q: %w", mark, decode.ErrUnsupported)
}

// Read reads the structure of a file. Segments that are not where the lengths in the headers say
// are searched for in the places that other lengths give. One whose subheader is damaged keeps its
// number if the next one follows it. Those that are not found, and all after them, are left out with
// a note.
func Read(r Reader, limits Limits) (*File, error) {
	w := newWalk(r, limits)
	f := w.file
	lengths, err := w.readHeader()
	if err != nil {
		return nil, fmt.Errorf("file header: %w", err)
	}
	if err := w.readSegments(lengths); err != nil {
		return nil, err
	}
	return f, nil
}
