package nitf

import (
	"context"
	"fmt"
	"sync"

	"tileserver/codec/jpeg"
	"tileserver/decode/nitf/masks"
	"tileserver/decode/nitf/segments"
	"tileserver/source"
)

// streams is the index of JPEG streams that lie one behind the other, without a table. It reads the
// file up to the last stream that is asked for, once. Streams that were found before are found
// without waiting for that. It is safe for concurrent use.
type streams struct {
	src  source.Source
	data source.Range
	most int64 // maximum size of a stream

	turn chan struct{} // held while a piece of the file is read

	mu       sync.Mutex // guards the fields below; not held while reading
	splitter jpeg.Splitter
	at       int64 // from the beginning of the data
}

// maxStreams is the maximum number of streams in an image. Their places stay in memory as long as
// the file is open, 16 MiB at most.
const maxStreams = 1 << 20

// newStreams returns the index of so many streams.
func newStreams(src source.Source, data source.Range, count, most int64) (*streams, error) {
	if count > maxStreams {
		return nil, fmt.Errorf("%d blocks without a table of where they are, more than %d: %w", count, maxStreams, segments.ErrLimit)
	}
	return &streams{src: src, data: data, most: most, turn: make(chan struct{}, 1), splitter: jpeg.Splitter{Limit: int(count)}}, nil
}

func (x *streams) find(ctx context.Context, entries []int64) ([]location, error) {
	for {
		if places, ok := x.found(entries); ok {
			return places, nil
		}
		select {
		case x.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		err := x.readPiece(ctx)
		<-x.turn
		if err != nil {
			return nil, err
		}
	}
}

// found returns where streams are, if the file was read far enough to tell.
func (x *streams) found(entries []int64) ([]location, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	places := make([]location, len(entries))
	for i, n := range entries {
		switch {
		case x.isFound(n) || x.at == x.data.Length && n < int64(len(x.splitter.Streams)):
			places[i].where = x.stream(n)
		case x.at < x.data.Length:
			return nil, false
		default:
			places[i].state = masks.Lost
		}
	}
	return places, true
}

// readPiece reads on. The caller holds the turn.
func (x *streams) readPiece(ctx context.Context) error {
	const pieceBytes = 1 << 20
	x.mu.Lock()
	piece := source.Range{Offset: x.data.Offset + x.at, Length: min(pieceBytes, x.data.Length-x.at)}
	x.mu.Unlock()
	if piece.Length == 0 { // the last one was read while the caller waited for its turn
		return nil
	}
	parts, err := x.src.ReadRanges(ctx, []source.Range{piece})
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.splitter.Add(parts[0])
	x.at += piece.Length
	return nil
}

func (x *streams) isFound(n int64) bool {
	all := x.splitter.Streams
	return n < int64(len(all)) && all[n].Length > 0
}

// stream returns where a stream is. One without an end goes to the end of the data.
func (x *streams) stream(n int64) source.Range {
	s := x.splitter.Streams[n]
	if s.Length == 0 {
		s.Length = x.data.Length - s.Offset
	}
	return source.Range{Offset: x.data.Offset + s.Offset, Length: min(s.Length, x.most)}
}
