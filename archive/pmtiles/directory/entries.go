package directory

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"tileserver/archive"
)

// Entry says that Run tiles, from that with a Number on, have the content of Length bytes at Offset in the
// section of tiles. If Run is 0, a directory lies there in the section of leaves; its first tile has that
// number, or a larger one.
type Entry struct {
	Number      uint64
	Offset      uint64
	Length, Run uint32
}

// End returns the number behind those of the entry.
func (e Entry) End() uint64 { return e.Number + max(uint64(e.Run), 1) }

// Section returns where what the entry leads to lies in the section that contains it.
func (e Entry) Section() Section { return Section{e.Offset, uint64(e.Length)} }

const (
	// MaxEntries is how many entries a directory may have.
	MaxEntries = 1 << 20
	// MaxBytes is how large a directory may be, decompressed. Entries take at most 30 bytes, and usually 6.
	MaxBytes = 16 << 20
)

// Append appends the bytes of a directory. Its entries must be sorted by number.
func Append(b []byte, entries []Entry) []byte {
	b = binary.AppendUvarint(b, uint64(len(entries)))
	before := uint64(0)
	for _, e := range entries {
		b = binary.AppendUvarint(b, e.Number-before)
		before = e.Number
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.Run))
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.Length))
	}
	expected := uint64(math.MaxUint64) // where the entry before ends, of which the first has none
	for _, e := range entries {
		if e.Offset == expected {
			b = append(b, 0)
		} else {
			b = binary.AppendUvarint(b, e.Offset+1)
		}
		expected = e.Offset + uint64(e.Length)
	}
	return b
}

// Parse parses a directory of a file with a header. The entries are sorted, do not overlap, and lead to what
// is in the file.
func Parse(b []byte, h *Header) ([]Entry, error) {
	r := &reader{rest: b}
	count := r.uvarint(MaxEntries)
	if count > uint64(len(r.rest))/4 { // an entry has at least 4 bytes
		return nil, fmt.Errorf("%w: a directory of %d bytes has %d entries", ErrCorrupt, len(b), count)
	}
	entries := make([]Entry, count)
	r.numbers(entries)
	for i := range entries {
		entries[i].Length = uint32(r.uvarint(math.MaxUint32))
	}
	r.offsets(entries)
	if r.isCorrupt || len(r.rest) > 0 {
		return nil, fmt.Errorf("%w: a directory of %d bytes and %d entries", ErrCorrupt, len(b), count)
	}
	for i, e := range entries {
		if err := check(e, h); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		if i > 0 && e.Number < entries[i-1].End() {
			return nil, fmt.Errorf("%w: entry %d overlaps the one before", ErrCorrupt, i)
		}
	}
	return entries, nil
}

// check returns an error unless an entry leads to something in the file.
func check(e Entry, h *Header) error {
	if e.End()-1 > archive.MaxNumber || e.Length == 0 {
		return fmt.Errorf("%w: %d bytes for %d tiles from number %d", ErrCorrupt, e.Length, e.Run, e.Number)
	}
	within := h.Data.Length
	if e.Run == 0 {
		within = h.Leaves.Length
	}
	return e.Section().CheckWithin(within)
}

// Find returns the entry that has a tile, or the one of the leaf that may have it.
func Find(entries []Entry, number uint64) (Entry, bool) {
	behind, isThere := slices.BinarySearchFunc(entries, number, func(e Entry, number uint64) int {
		return cmp.Compare(e.Number, number)
	})
	if isThere {
		return entries[behind], true
	}
	if behind == 0 {
		return Entry{}, false
	}
	e := entries[behind-1]
	return e, e.Run == 0 || number < e.End()
}

// reader reads numbers of varying length. After the first mistake it gives zeros.
type reader struct {
	rest      []byte
	isCorrupt bool
}

// uvarint reads a number of at most limit.
func (r *reader) uvarint(limit uint64) uint64 {
	value, length := binary.Uvarint(r.rest)
	if length <= 0 || value > limit {
		r.isCorrupt, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[length:]
	return value
}

// numbers reads the numbers and runs of entries.
func (r *reader) numbers(entries []Entry) {
	number := uint64(0)
	for i := range entries {
		number += r.uvarint(archive.MaxNumber - number)
		entries[i].Number = number
	}
	for i := range entries {
		entries[i].Run = uint32(r.uvarint(math.MaxUint32))
	}
}

// offsets reads the offsets of entries. Zero means behind the entry before, which the first one has not.
func (r *reader) offsets(entries []Entry) {
	for i := range entries {
		stored := r.uvarint(math.MaxInt64)
		switch {
		case stored > 0:
			entries[i].Offset = stored - 1
		case i > 0:
			entries[i].Offset = entries[i-1].Offset + uint64(entries[i-1].Length)
		default:
			r.isCorrupt = true
		}
	}
}
