package disktier

import (
	"sync/atomic"

	"tileserver/cache/disk"
)

// counts are of blocks, since the start.
type counts struct {
	hits, misses, shared, written, writtenBytes atomic.Int64

	isFailing atomic.Bool // whether the last block could not be written
}

// Stats describes a Tier. Its numbers are of blocks, since the start if not said otherwise.
type Stats struct {
	Blocks int   // that are kept now, as far as they are known
	Bytes  int64 // of their files

	Hits         int64 // that were on the disk, or waited to be written
	Misses       int64 // that objects were asked for
	Shared       int64 // that another read was getting
	Written      int64
	WrittenBytes int64
	Lost         int64 // that were not written: the disk failed or was too slow
	Evicted      int64 // that had to make room
	Corrupt      int64 // that were damaged on the disk
}

// Stats returns what is known of the tier.
func (t *Tier) Stats() Stats {
	if t == nil {
		return Stats{}
	}
	kept := t.shelves.stats()
	return Stats{
		Blocks: kept.Values, Bytes: kept.Bytes,
		Hits: t.counts.hits.Load(), Misses: t.counts.misses.Load(), Shared: t.counts.shared.Load(),
		Written: t.counts.written.Load(), WrittenBytes: t.counts.writtenBytes.Load(), Lost: t.queue.lost(),
		Evicted: kept.Evicted, Corrupt: kept.Damaged,
	}
}

// noteWriting counts a block that was written, and reports the first failure after a success.
func (t *Tier) noteWriting(block []byte, err error) {
	switch {
	case err == nil:
		t.counts.written.Add(1)
		t.counts.writtenBytes.Add(int64(len(block)))
		t.counts.isFailing.Store(false)
	case disk.IsFailure(err) && !t.counts.isFailing.Swap(true):
		t.config.OnFailure(err)
	}
}
