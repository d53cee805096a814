package tiff

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/google/tiff"

	"tileserver/source"
)

// This file is the only one that knows github.com/google/tiff. That package
// tells the byte order and the version of a file and hands it to the parser
// registered for the version. Its own parsers follow rings of directories for
// ever and allocate whatever a file tells them to; ours does neither.

// registerOnce makes our parser that of both versions. The package keeps them in
// a global table: the first Open, and not the start of the program, writes to it,
// and what differs from file to file must not go there.
var registerOnce sync.Once

func register() {
	const classic, bigTIFF = 42, 43
	tiff.RegisterVersion(classic, parse)
	tiff.RegisterVersion(bigTIFF, parse)
}

// fileSpace is what Parse hands through to the parser untouched: in the place of
// a space of tags it takes the file and its limits along.
type fileSpace struct {
	tiff.TagSpace
	in     *readAhead
	limits Limits
}

// structure is the directories of a file.
type structure struct {
	src         source.Source
	order       binary.ByteOrder
	big         bool
	directories []*directory
	memory      *allowance // what the directories have left of it
	damage      *damage
}

func parseStructure(in *readAhead, limits Limits) (*structure, error) {
	registerOnce.Do(register)
	const leastBytes = 8 // a header
	if size := in.src.Size(); size < leastBytes {
		return nil, fmt.Errorf("%w: there is none in %d bytes", ErrCorrupt, size)
	}
	parsed, err := tiff.Parse(in, fileSpace{tiff.DefaultTagSpace, in, limits}, nil)
	if err != nil {
		if order := (tiff.ErrInvalidByteOrder{}); errors.As(err, &order) {
			return nil, fmt.Errorf("%w: it is another kind of file: it begins with %q, not with II or MM", ErrCorrupt, order.Order)
		}
		return nil, err
	}
	guarded, ok := parsed.(*guardedTIFF)
	if !ok {
		return nil, fmt.Errorf("parsed by another parser: %T", parsed)
	}
	return &structure{in.src, guarded.order, guarded.big, guarded.directories, guarded.memory, &guarded.damage}, nil
}

// parse is a tiff.TIFFParser. Another user of the package in this process, who
// knows no fileSpace, gets an error and not an unbounded parser.
func parse(order [2]byte, version uint16, in tiff.BReader, space tiff.TagSpace, _ tiff.FieldTypeSpace) (tiff.TIFF, error) {
	file, ok := space.(fileSpace)
	if !ok {
		return nil, fmt.Errorf("TIFF version %d is read through decode/tiff only", version)
	}
	w := walker{
		in: file.in, order: in.ByteOrder(), big: version == 43, limits: file.limits,
		memory: &allowance{file.limits.MemoryBytes}, indexBytes: smallIndexesBytes, visited: make(map[int64]bool),
	}
	if err := w.walk(); err != nil {
		return nil, err
	}
	return &guardedTIFF{&w, string(order[:]), version, in}, nil
}

// guardedTIFF is a tiff.TIFF of directories that are known to be sound. Those
// who want what they hold take them as they are: the package's own interfaces to
// directories and fields load values without a way to fail.
type guardedTIFF struct {
	*walker
	orderMark string
	version   uint16
	reader    tiff.BReader
}

var _ tiff.TIFF = (*guardedTIFF)(nil)

func (t *guardedTIFF) Order() string   { return t.orderMark }
func (t *guardedTIFF) Version() uint16 { return t.version }
func (t *guardedTIFF) R() tiff.BReader { return t.reader }

// IFDs is empty: see guardedTIFF.
func (t *guardedTIFF) IFDs() []tiff.IFD { return nil }

// OffsetSize is the bytes of an offset.
func (t *guardedTIFF) OffsetSize() uint16 {
	_, _, offset := t.sizes()
	return uint16(offset)
}

// FirstOffset is where the first directory is.
func (t *guardedTIFF) FirstOffset() uint64 { return uint64(t.directories[0].offset) }
