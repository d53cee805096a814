package ifd

import (
	"errors"
	"fmt"
	"sync"

	"github.com/google/tiff"
)

// This file is the only one that parses with github.com/google/tiff. That package reads the byte
// order and the version of a file and calls the parser that is registered for the version. Its own
// parsers follow cycles of directories endlessly and allocate whatever a file demands. Ours does
// neither.

// The versions of a TIFF.
const (
	classicVersion = 42
	bigTIFFVersion = 43
)

// registerOnce registers our parser for both versions. The package keeps parsers in a global table,
// so the parser must not depend on the file. The first Parse writes to the table, not the start of
// the program.
var registerOnce sync.Once

func register() {
	tiff.RegisterVersion(classicVersion, parse)
	tiff.RegisterVersion(bigTIFFVersion, parse)
}

// fileSpace passes the file and the configuration to the parser. tiff.Parse hands it through
// untouched as the tag space.
type fileSpace struct {
	tiff.TagSpace
	in     *readAhead
	config Config
}

// parseMarked parses the directories after the mark of the byte order and of the version.
func parseMarked(in *readAhead, config Config) (*parser, error) {
	registerOnce.Do(register)
	const minBytes = 8 // a header
	if in.size < minBytes {
		return nil, noTIFF{fmt.Errorf("%w: no TIFF fits into %d bytes", ErrCorrupt, in.size)}
	}
	parsed, err := tiff.Parse(in, fileSpace{tiff.DefaultTagSpace, in, config}, nil)
	if err != nil {
		return nil, explainMarks(err)
	}
	guarded, ok := parsed.(*guardedTIFF)
	if !ok {
		return nil, fmt.Errorf("parsed by another parser: %T", parsed)
	}
	return guarded.parser, nil
}

// explainMarks says what is wrong with the marks. It returns errors of our parser as they are.
func explainMarks(err error) error {
	if order := (tiff.ErrInvalidByteOrder{}); errors.As(err, &order) {
		return noTIFF{fmt.Errorf("%w: not a TIFF: the file begins with %q, not with II or MM", ErrCorrupt, order.Order)}
	}
	if version := (tiff.ErrUnsuppTIFFVersion{}); errors.As(err, &version) {
		return noTIFF{err}
	}
	return err
}

// noTIFF is the error of a file that does not begin like a TIFF. It matches ErrNoTIFF.
type noTIFF struct{ error }

func (e noTIFF) Unwrap() error { return e.error }

func (noTIFF) Is(target error) bool { return target == ErrNoTIFF }

// parse is the tiff.TIFFParser that register registers. Other users of google/tiff in this process
// pass no fileSpace and get an error, never an unbounded parser.
func parse(order [2]byte, version uint16, in tiff.BReader, space tiff.TagSpace, _ tiff.FieldTypeSpace) (tiff.TIFF, error) {
	file, ok := space.(fileSpace)
	if !ok {
		return nil, fmt.Errorf("TIFF version %d is read through decode/tiff only", version)
	}
	p := &parser{
		Config: file.config, in: file.in, order: in.ByteOrder(), big: version == bigTIFFVersion,
		earlyBytes: maxEarlyFileBytes, visited: make(map[int64]bool),
	}
	if err := p.parseChain(); err != nil {
		return nil, err
	}
	return &guardedTIFF{p, string(order[:]), version, in}, nil
}

// guardedTIFF is a tiff.TIFF whose directories are checked. Its directories are read from the
// parser: the interfaces of google/tiff load values without a way to report errors.
type guardedTIFF struct {
	*parser
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
func (t *guardedTIFF) FirstOffset() uint64 { return uint64(t.directories[0].Offset) }
