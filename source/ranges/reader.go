// Package ranges turns byte ranges into few parallel reads of an object: near ranges merge, and all
// reads that have to wait start before the call waits for any. Implementations of source.Source use it. It owns
// nothing. It must never know where the object lies.
package ranges

import (
	"context"

	"tileserver/source"
)

// Reader turns ranges into few parallel reads of an object.
type Reader struct {
	size    int64
	options Options // with defaults
	read    ReadFunc
	cached  CachedFunc
	slots   chan struct{} // holds one element for each running read of all calls
}

// ReadFunc fills dst with the bytes at offset, or fails.
type ReadFunc func(ctx context.Context, dst []byte, offset int64) error

// CachedFunc fills the beginning of dst with the bytes at offset that need no waiting, and returns how
// many it filled.
type CachedFunc func(dst []byte, offset int64) int

// NewReader returns a Reader of an object of size bytes. The options must have their defaults.
func NewReader(size int64, options Options, read ReadFunc, cached CachedFunc) *Reader {
	return &Reader{size: size, options: options, read: read, cached: cached, slots: make(chan struct{}, options.ParallelReads)}
}

// ReadRanges implements source.Source, except for detecting changes. All slices share one
// array.
func (g *Reader) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := source.CheckBounds(ranges, g.size); err != nil {
		return nil, err
	}
	requests, requestOf := Coalesce(ranges, g.options.MergeGapBytes, g.options.MaxMergedBytes)
	positions, totalBytes, err := layout(requests, g.options.MaxBytesPerCall)
	if err != nil {
		return nil, err
	}
	buffer := make([]byte, totalBytes)
	reads := make([]read, len(requests))
	for i, request := range requests {
		reads[i] = read{request.Offset, buffer[positions[i]:][:request.Length]}
	}
	if err := g.readAll(ctx, reads[g.readCached(reads):]); err != nil {
		return nil, err
	}
	parts := make([][]byte, len(ranges))
	for i, r := range ranges {
		if r.Length == 0 {
			parts[i] = []byte{}
			continue
		}
		from := r.Offset - requests[requestOf[i]].Offset
		parts[i] = reads[requestOf[i]].dst[from:][:r.Length:r.Length]
	}
	return parts, nil
}

// read is one pending read: it fills dst from offset.
type read struct {
	offset int64
	dst    []byte
}

// maxCachedBytes is how much a call copies in the caller's goroutine. That takes less time than to wake
// another core, and to wait for it.
const maxCachedBytes = 256 << 10

// readCached performs the first reads that need no waiting, and returns how many.
func (g *Reader) readCached(reads []read) int {
	left := maxCachedBytes
	for i, r := range reads {
		if left -= len(r.dst); left < 0 || g.cached(r.dst, r.offset) < len(r.dst) {
			return i
		}
	}
	return len(reads)
}

// readAll performs reads in parallel; a single one runs in the caller's goroutine. It queues all
// reads before it waits for any. It returns at the first failure and when ctx ends. Then queued
// reads are dropped, and running ones finish into a buffer that is no longer used.
func (g *Reader) readAll(ctx context.Context, reads []read) error {
	switch len(reads) {
	case 0:
		return nil
	case 1:
		return g.readOne(ctx, reads[0])
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan read, len(reads))
	for _, r := range reads {
		queue <- r
	}
	close(queue)
	results := make(chan error, len(reads)) // buffered, so that no worker blocks after an early return
	for range min(len(reads), g.options.ParallelReads) {
		go func() {
			for r := range queue {
				results <- g.readOne(ctx, r)
			}
		}()
	}
	for range reads {
		select {
		case err := <-results:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// readOne waits for a slot and reads. It asks for the end of ctx only if it must wait, because that
// may start a timer.
func (g *Reader) readOne(ctx context.Context, r read) error {
	select {
	case g.slots <- struct{}{}:
	default:
		select {
		case g.slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer func() { <-g.slots }()
	if err := ctx.Err(); err != nil { // select may take the slot although ctx has ended
		return err
	}
	return g.read(ctx, r.dst, r.offset)
}
