package nitf

import (
	"context"
	"slices"
	"sync"

	"tileserver/codec/jpeg"
	"tileserver/decode/nitf/masks"
	"tileserver/source"
)

// streams is the index of JPEG streams that lie one behind the other, without a table. It reads the
// file up to the last stream that is asked for, once. It is safe for concurrent use.
type streams struct {
	src   source.Source
	data  source.Range
	count int64
	most  int64 // maximum size of a stream

	mu       sync.Mutex // guards the fields below
	splitter jpeg.Splitter
	at       int64 // from the beginning of the data
}

func newStreams(src source.Source, data source.Range, count, most int64) *streams {
	const maxStreams = 1 << 27
	return &streams{src: src, data: data, count: count, most: most, splitter: jpeg.Splitter{Limit: int(min(count, maxStreams))}}
}

func (x *streams) find(ctx context.Context, entries []int64) ([]location, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.splitUpTo(ctx, slices.Max(entries)); err != nil {
		return nil, err
	}
	places := make([]location, len(entries))
	for i, n := range entries {
		if n >= int64(len(x.splitter.Streams)) {
			places[i].state = masks.Lost
			continue
		}
		places[i].where = x.stream(n)
	}
	return places, nil
}

// splitUpTo reads on until a stream and its end are found, or the data end.
func (x *streams) splitUpTo(ctx context.Context, last int64) error {
	const pieceBytes = 1 << 20
	for x.at < x.data.Length && !x.isFound(last) {
		piece := source.Range{Offset: x.data.Offset + x.at, Length: min(pieceBytes, x.data.Length-x.at)}
		parts, err := x.src.ReadRanges(ctx, []source.Range{piece})
		if err != nil {
			return err
		}
		x.splitter.Add(parts[0])
		x.at += piece.Length
	}
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
