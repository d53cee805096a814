package records

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"
)

// chunkRecords is how many records are sorted in memory at a time, in 24 MiB.
const chunkRecords = 1 << 20

// Sort sorts the records by their numbers. It sorts chunks in memory, and merges them from disk if there are
// several. The result has the list's bound of memory; the list loses its records.
func (l *List) Sort() error { return l.sort(chunkRecords) }

func (l *List) sort(chunkRecords int) error {
	count := l.Len()
	for first := int64(0); first < count; first += int64(chunkRecords) {
		if err := l.sortChunk(first, min(first+int64(chunkRecords), count)); err != nil {
			return err
		}
	}
	if count <= int64(chunkRecords) {
		return nil
	}
	merged := &List{file: l.file.Empty()}
	for record, err := range l.merged(int64(chunkRecords)) {
		if err == nil {
			err = merged.Append(record)
		}
		if err != nil {
			_ = merged.Close()
			return err
		}
	}
	err := l.Close()
	*l = *merged
	return err
}

// sortChunk sorts the records from one on up to another, in their place.
func (l *List) sortChunk(first, end int64) error {
	chunk := make([]Record, 0, end-first)
	for record, err := range l.between(first, end) {
		if err != nil {
			return err
		}
		chunk = append(chunk, record)
	}
	slices.SortFunc(chunk, func(a, b Record) int { return cmp.Compare(a.Number, b.Number) })
	for part := range slices.Chunk(chunk, bufferRecords) {
		var written []byte
		for _, record := range part {
			written = record.append(written)
		}
		if _, err := l.file.WriteAt(written, first*recordBytes); err != nil {
			return err
		}
		first += int64(len(part))
	}
	return nil
}

// merged returns the records of sorted chunks, sorted.
func (l *List) merged(chunkRecords int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var chunks chunks
		for first := int64(0); first < l.Len(); first += chunkRecords {
			next, stop := iter.Pull2(l.between(first, min(first+chunkRecords, l.Len())))
			defer stop()
			record, err, _ := next()
			if err != nil {
				yield(record, err)
				return
			}
			chunks = append(chunks, &chunk{record, next})
		}
		heap.Init(&chunks)
		for len(chunks) > 0 {
			if !yield(chunks[0].record, nil) {
				return
			}
			if err := chunks.advance(); err != nil {
				yield(Record{}, err)
				return
			}
		}
	}
}

// chunk is a sorted chunk whose next record was read.
type chunk struct {
	record Record
	next   func() (Record, error, bool)
}

// chunks is a heap by the numbers of the next records.
type chunks []*chunk

func (c chunks) Len() int           { return len(c) }
func (c chunks) Less(a, b int) bool { return c[a].record.Number < c[b].record.Number }
func (c chunks) Swap(a, b int)      { c[a], c[b] = c[b], c[a] }
func (c *chunks) Push(added any)    { *c = append(*c, added.(*chunk)) }
func (c *chunks) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// advance reads the next record of the first chunk, which leaves the heap if it has none.
func (c *chunks) advance() error {
	first := (*c)[0]
	record, err, isThere := first.next()
	if err != nil {
		return err
	}
	if !isThere {
		heap.Pop(c)
		return nil
	}
	first.record = record
	heap.Fix(c, 0)
	return nil
}
