package ifd

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// Entry is one tag of a directory. Its values lie within the file. Methods of a nil Entry return
// nothing.
type Entry struct {
	Tag    Tag
	Type   Type
	Count  uint64 // of the values; at least 1, unless Config.All is set
	Order  binary.ByteOrder
	Offset int64  // of the values, if they are not in the entry itself
	Value  []byte // the values as stored, as many as the rule allows; nil if they are read later

	// Problem says why the values cannot be read, or is nil. It is set with Config.All.
	Problem error

	name string
}

// String returns the tag's name for errors, or its number.
func (e *Entry) String() string {
	if e.name != "" {
		return e.name
	}
	return fmt.Sprintf("tag %d", e.Tag)
}

// Bytes returns the size of all values.
func (e *Entry) Bytes() int64 { return int64(e.Count * e.Type.Size()) }

// Uints returns the values if they are unsigned integers, or nil.
func (e *Entry) Uints() []uint64 {
	if e == nil || !e.Type.IsUnsigned() {
		return nil
	}
	values := make([]uint64, len(e.Value)/int(e.Type.Size()))
	for i := range values {
		values[i] = e.Type.Uint(e.Value, i, e.Order)
	}
	return values
}

// Floats returns the values of any numeric type.
func (e *Entry) Floats() []float64 {
	if e == nil {
		return nil
	}
	values := make([]float64, len(e.Value)/int(e.Type.Size()))
	for i := range values {
		values[i] = e.Type.Float(e.Value, i, e.Order)
	}
	return values
}

// Text returns the value of characters, up to the first zero.
func (e *Entry) Text() string {
	if e == nil || e.Type.Size() != 1 {
		return ""
	}
	text, _, _ := strings.Cut(string(e.Value), "\x00")
	return text
}

// readEntry locates the values of an entry, and reads them if the rule says so. field is the entry
// as stored.
func (p *parser) readEntry(e *Entry, rule Rule, field []byte) error {
	switch {
	case e.Type.Size() == 0:
		return fmt.Errorf("%v of unknown type %d: %w", e, e.Type, ErrCorrupt)
	case e.Count > uint64(p.in.size)/e.Type.Size()+8:
		return fmt.Errorf("%v of %d values: %w", e, e.Count, ErrCorrupt)
	}
	_, _, offsetBytes := p.fieldSizes()
	inside := field[4+offsetBytes:]
	if e.Bytes() <= offsetBytes {
		e.Value = inside[:e.Bytes():e.Bytes()]
		return nil
	}
	offset, err := toOffset(p.offsetAt(inside))
	e.Offset = offset
	if err != nil || offset > p.in.size || e.Bytes() > p.in.size-offset {
		return fmt.Errorf("%v: %d bytes at %d of a file of %d: %w", e, e.Bytes(), offset, p.in.size, ErrCorrupt)
	}
	switch rule.Reading {
	case IfSound:
		return nil
	case Later:
		p.readEarly(e)
		return nil
	}
	return p.readValues(e, rule)
}

const (
	// maxEarlyBytes is the size of the longest values that are read at once although they may be read
	// later, if their bytes have been read anyway.
	maxEarlyBytes = 64 << 10

	// maxEarlyFileBytes bounds all such values of a file with many directories.
	maxEarlyFileBytes = 1 << 20
)

// readEarly takes short values that may be read later from what has been read ahead. That saves the
// caller a read of a remote file.
func (p *parser) readEarly(e *Entry) {
	if e.Bytes() > min(maxEarlyBytes, p.earlyBytes) {
		return
	}
	if e.Value = bytes.Clone(p.in.cached(e.Offset, e.Bytes())); e.Value != nil {
		p.earlyBytes -= e.Bytes()
	}
}

// readValues reads the values of an entry, as many as the rule allows.
func (p *parser) readValues(e *Entry, rule Rule) error {
	count := min(e.Count, rule.MaxValues)
	bytes := int64(count * e.Type.Size())
	if bytes > p.Limits.ValueBytes {
		return fmt.Errorf("%v of %d bytes: %w", e, bytes, ErrLimit)
	}
	inUse := bytes
	if !rule.Raw {
		inUse = max(bytes, 8*int64(count))
	}
	if err := p.Memory.Reserve(inUse); err != nil {
		return fmt.Errorf("%v: %w", e, err)
	}
	values := make([]byte, bytes)
	if _, err := p.in.ReadAt(values, e.Offset); err != nil {
		return fmt.Errorf("%v: %w", e, err)
	}
	e.Value = values
	return nil
}
