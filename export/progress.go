package export

import "sync/atomic"

// Progress counts what an export has done. It may be read while the export runs.
type Progress struct {
	total, kept, made, joined, toJoin, bytes atomic.Int64
}

// A Snapshot is how far an export is.
type Snapshot struct {
	Total int64 // tiles
	Kept  int64 // of them, those of shards that were finished before
	Made  int64 // made since
	Bytes int64 // of those that were made

	Joined, ToJoin int64 // tiles in the output; ToJoin is 0 until joining begins
}

// Snapshot returns how far the export is.
func (p *Progress) Snapshot() Snapshot {
	return Snapshot{
		Total: p.total.Load(), Kept: p.kept.Load(), Made: p.made.Load(), Bytes: p.bytes.Load(),
		Joined: p.joined.Load(), ToJoin: p.toJoin.Load(),
	}
}
