package masks

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"tileserver/source"
)

// Entry says where a block is stored.
type Entry struct {
	State   State
	Offset  int64 // from the first pixel
	HasPads bool  // some of its pixels may be pad pixels

	following []byte // the offsets behind it that were read with it
}

// Next returns the offset of the next block that is stored elsewhere, or -1 if the table does not
// tell that near by.
func (e Entry) Next() int64 {
	for at := 0; at+entryBytes <= len(e.following); at += entryBytes {
		next := int64(binary.BigEndian.Uint32(e.following[at:]))
		switch {
		case next == notStored || next == e.Offset:
		case next > e.Offset:
			return next
		default:
			return -1
		}
	}
	return -1
}

// State says whether a block is stored.
type State uint8

// The states of a block.
const (
	Stored State = iota
	Absent
	Lost // the file ends within the table
)

// Table finds the entries of blocks. It is safe for concurrent use.
type Table struct {
	header Header
	src    source.Source
	extent source.Range // of the image segment
	count  int64

	mu     sync.Mutex
	chunks map[int64]chunk
}

// chunk is a part of both tables.
type chunk struct{ blocks, pads []byte }

// EntriesPerRead is how many entries of a table are read at a time.
const EntriesPerRead = 4096

const (
	chunkEntries = EntriesPerRead
	maxChunks    = 128 // 4 MiB
)

// NewTable returns the tables of an image segment, which have count entries.
func NewTable(h Header, src source.Source, extent source.Range, count int64) *Table {
	return &Table{header: h, src: src, extent: extent, count: count, chunks: make(map[int64]chunk)}
}

// Find returns the entries of blocks. It reads what it needs of the tables in one call.
func (t *Table) Find(ctx context.Context, numbers []int64) ([]Entry, error) {
	chunks, err := t.load(ctx, numbers)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(numbers))
	for i, number := range numbers {
		if number < 0 || number >= t.count {
			return nil, fmt.Errorf("block %d of %d: %w", number, t.count, ErrCorrupt)
		}
		entries[i] = chunks[number/chunkEntries].entry(t.header, int(number%chunkEntries))
	}
	return entries, nil
}

// load returns the chunks of some entries. It reads those that are not in memory.
func (t *Table) load(ctx context.Context, numbers []int64) (map[int64]chunk, error) {
	found, missing := t.cached(numbers)
	if len(missing) == 0 {
		return found, nil
	}
	parts, err := t.src.ReadRanges(ctx, t.ranges(missing))
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, number := range missing {
		for old := range t.chunks {
			if len(t.chunks) < maxChunks {
				break
			}
			delete(t.chunks, old)
		}
		found[number] = chunk{slices.Clone(parts[2*i]), slices.Clone(parts[2*i+1])}
		t.chunks[number] = found[number]
	}
	return found, nil
}

// cached returns the chunks in memory among those of some entries, and the numbers of the others.
func (t *Table) cached(numbers []int64) (found map[int64]chunk, missing []int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	found = make(map[int64]chunk)
	last := int64(-1) // entries near by are mostly in the same chunk
	for _, number := range numbers {
		n := number / chunkEntries
		if n == last {
			continue
		}
		last = n
		if c, ok := t.chunks[n]; ok {
			found[n] = c
			continue
		}
		missing = append(missing, n)
	}
	slices.Sort(missing)
	return found, slices.Compact(missing)
}

// ranges returns where chunks lie in the file: the part of the table of blocks, then the one of the
// table of pads. They are empty for tables that the file does not have, or ends before.
func (t *Table) ranges(chunks []int64) []source.Range {
	all := make([]source.Range, 0, 2*len(chunks))
	for _, number := range chunks {
		first := number * chunkEntries
		length := max(min(chunkEntries, t.count-first), 0) * entryBytes
		for _, table := range []int64{t.header.blocks, t.header.pads} {
			at := table + first*entryBytes
			left := max(t.extent.Length-at, 0)
			if table == 0 || left == 0 {
				all = append(all, source.Range{})
				continue
			}
			all = append(all, source.Range{Offset: t.extent.Offset + at, Length: min(length, left)})
		}
	}
	return all
}

// entry returns an entry of the chunk by its number in it.
func (c chunk) entry(h Header, number int) (e Entry) {
	at := number * entryBytes
	e.HasPads = h.HasPad
	if h.HasPads() && at+entryBytes <= len(c.pads) {
		e.HasPads = binary.BigEndian.Uint32(c.pads[at:]) != notStored
	}
	if !h.HasBlocks() {
		return e
	}
	if at+entryBytes > len(c.blocks) {
		e.State = Lost
		return e
	}
	offset := binary.BigEndian.Uint32(c.blocks[at:])
	if offset == notStored {
		e.State = Absent
		return e
	}
	e.Offset, e.following = int64(offset), c.blocks[at+entryBytes:]
	return e
}
