// Package ifd parses the directories of TIFF and BigTIFF files: from the bytes of a source to
// directories of entries with typed values. Package decode/tiff calls Parse. A File borrows the
// source. The package must never know what a tag means for an image, a codec or a map: a Config says
// which tags count, and how much of each is read.
//
// Every number from a file is checked against the file's size and the Limits before anything is
// allocated. No file makes the parser follow a cycle of directories.
//
//   - marks.go has google/tiff detect the byte order and the version.
//   - readahead.go reads the start of the file in a few large spans; ghost.go parses what GDAL
//     writes there about the layout.
//   - parser.go follows the chain of directories and their sub-directories; directory.go parses one.
//   - entry.go and fieldtype.go convert values.
//
// Words: an *entry* is one tag of a directory with its type, count and values. A *chain* is the
// directories that follow each other, as opposed to *sub-directories*, to which an entry points. A
// *span* is a part of the file that is read ahead.
package ifd

import (
	"context"
	"encoding/binary"
	"errors"

	"tileserver/decode"
	"tileserver/source"
)

var (
	// ErrLimit marks a file that demands more than the limits allow.
	ErrLimit = errors.New("over the limit")

	// ErrCorrupt marks a file whose structure contradicts itself.
	ErrCorrupt = decode.Corrupt("corrupt TIFF")

	// ErrNoTIFF marks a file that does not begin like a TIFF.
	ErrNoTIFF = errors.New("no TIFF")
)

// Tag is the number of a tag.
type Tag uint16

// SubIFDs is the tag whose values are the offsets of sub-directories.
const SubIFDs Tag = 330

// Limits bounds what a file may make the parser do.
type Limits struct {
	Directories int   // in the file, including sub-directories and those that are skipped
	Entries     int   // in a directory
	ValueBytes  int64 // of one entry
	HeaderBytes int64 // read, in total
}

// DefaultLimits returns limits that are wide enough for real files.
func DefaultLimits() Limits {
	return Limits{Directories: 1 << 14, Entries: 1 << 12, ValueBytes: 16 << 20, HeaderBytes: 256 << 20}
}

// Config says what Parse reads of a file.
type Config struct {
	Limits Limits

	// Memory is what the directories and their values may take.
	Memory *Budget

	// Rule says how the values of a tag are read.
	Rule func(Tag) Rule

	// Links are the tags whose values are offsets of sub-directories, which are followed to the Depth.
	Links []Tag
	Depth int

	// All keeps every entry that the Rule reads. One whose values cannot be read then has a Problem;
	// without All it damages its directory. Without All, entries of an unknown type or without
	// values are ignored, and so are all but the first of a tag.
	All bool

	// Keep reports whether a directory that could be read only in part is kept. If it is nil, none
	// is.
	Keep func(*Directory) bool

	// Skip is called for each damaged directory, which is skipped unless Keep keeps it.
	Skip func(error)
}

// Rule says how the values of a tag are read. The zero Rule ignores the tag, whatever is wrong with
// it.
type Rule struct {
	Reading   Reading
	Name      string // for errors; by default the number
	MaxValues uint64 // that are read; the rest is ignored

	// Raw says that the caller uses the values as bytes. Without it, the memory of each value
	// counts as at least eight bytes, since the caller makes numbers of them.
	Raw bool
}

// Reading says when values are read.
type Reading uint8

// The times of reading.
const (
	Never   Reading = iota // the tag is ignored
	AtOnce                 // by Parse
	Later                  // by the caller, if they are long or far away
	IfSound                // by the caller, if it wants to; if they are damaged, the tag is ignored
)

// File is the directories of a file.
type File struct {
	Source      source.Source
	Order       binary.ByteOrder
	Big         bool         // BigTIFF
	Directories []*Directory // in the order of the chain, each before its sub-directories
	Memory      *Budget      // what is left of it

	in *readAhead
}

// Parse reads the directories of src.
func Parse(ctx context.Context, src source.Source, config Config) (*File, error) {
	p, err := parseMarked(newReadAhead(ctx, src, config.Limits.HeaderBytes), config)
	if err != nil {
		return nil, err
	}
	return &File{Source: src, Order: p.order, Big: p.big, Directories: p.directories, Memory: config.Memory, in: p.in}, nil
}

// ReadAt fills b with what a value points to, or fails. What it reads counts against
// Limits.HeaderBytes.
func (f *File) ReadAt(b []byte, offset int64) (int, error) { return f.in.ReadAt(b, offset) }
