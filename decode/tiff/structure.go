package tiff

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/google/tiff"

	"tileserver/source"
)

// This file is the only one that uses github.com/google/tiff. That package reads the byte order and
// the version of a file and calls the parser that is registered for the version. Its own parsers
// follow cycles of directories endlessly and allocate whatever a file demands. Ours does neither.

// registerOnce registers our parser for both versions. The package keeps parsers in a global table,
// so the parser must not depend on the file. The first Open writes to the table, not the start of
// the program.
var registerOnce sync.Once

func register() {
	const classic, bigTIFF = 42, 43
	tiff.RegisterVersion(classic, parse)
	tiff.RegisterVersion(bigTIFF, parse)
}

// fileSpace passes the file and its limits to the parser. tiff.Parse hands it through untouched as
// the tag space.
type fileSpace struct {
	tiff.TagSpace
	in     *readAhead
	limits Limits
}

// structure holds the directories of a file.
type structure struct {
	src     source.Source
	order   binary.ByteOrder
	big     bool
	ifds    []*ifd
	memory  *budget // remaining budget of the directories
	skipped *skipNotes
}

func parseStructure(in *readAhead, limits Limits) (*structure, error) {
	registerOnce.Do(register)
	const minBytes = 8 // a header
	if size := in.src.Size(); size < minBytes {
		return nil, fmt.Errorf("%w: no TIFF fits into %d bytes", ErrCorrupt, size)
	}
	parsed, err := tiff.Parse(in, fileSpace{tiff.DefaultTagSpace, in, limits}, nil)
	if err != nil {
		if order := (tiff.ErrInvalidByteOrder{}); errors.As(err, &order) {
			return nil, fmt.Errorf("%w: not a TIFF: the file begins with %q, not with II or MM", ErrCorrupt, order.Order)
		}
		return nil, err
	}
	guarded, ok := parsed.(*guardedTIFF)
	if !ok {
		return nil, fmt.Errorf("parsed by another parser: %T", parsed)
	}
	return &structure{in.src, guarded.order, guarded.big, guarded.ifds, guarded.memory, &guarded.skipped}, nil
}

// parse is the tiff.TIFFParser that register registers. Other users of google/tiff in this process
// pass no fileSpace and get an error, never an unbounded parser.
func parse(order [2]byte, version uint16, in tiff.BReader, space tiff.TagSpace, _ tiff.FieldTypeSpace) (tiff.TIFF, error) {
	file, ok := space.(fileSpace)
	if !ok {
		return nil, fmt.Errorf("TIFF version %d is read through decode/tiff only", version)
	}
	p := ifdParser{
		in: file.in, order: in.ByteOrder(), big: version == 43, limits: file.limits,
		memory: &budget{file.limits.MemoryBytes}, indexBytes: smallIndexesBytes, visited: make(map[int64]bool),
	}
	if err := p.parseChain(); err != nil {
		return nil, err
	}
	return &guardedTIFF{&p, string(order[:]), version, in}, nil
}

// guardedTIFF is a tiff.TIFF whose directories are checked. Its IFDs are read from the struct: the
// interfaces of google/tiff load values without a way to report errors.
type guardedTIFF struct {
	*ifdParser
	orderMark string
	version   uint16
	reader    tiff.BReader
}

var _ tiff.TIFF = (*guardedTIFF)(nil)

func (t *guardedTIFF) Order() string   { return t.orderMark }
func (t *guardedTIFF) Version() uint16 { return t.version }
func (t *guardedTIFF) R() tiff.BReader { return t.reader }

// IFDs returns nil: see guardedTIFF.
func (t *guardedTIFF) IFDs() []tiff.IFD { return nil }

// OffsetSize returns the bytes of an offset.
func (t *guardedTIFF) OffsetSize() uint16 {
	_, _, offset := t.fieldSizes()
	return uint16(offset)
}

// FirstOffset returns the offset of the first directory.
func (t *guardedTIFF) FirstOffset() uint64 { return uint64(t.ifds[0].offset) }
