package nitf

import (
	"context"
	"fmt"

	"tileserver/codec/jpeg"
	"tileserver/decode/nitf/masks"
	"tileserver/decode/nitf/segments"
	"tileserver/source"
)

// streams is the index of JPEG streams that lie one behind the other, without a table. It reads the
// file up to the last stream that is asked for.
type streams struct {
	*sequence
	most     int64         // maximum size of a stream
	splitter jpeg.Splitter // what the steps tell
}

// maxStreams is the maximum number of streams in an image. Their places stay in memory as long as
// the file is open, 16 MiB at most.
const maxStreams = 1 << 20

// newStreams returns the index of so many streams.
func newStreams(src source.Source, data source.Range, count, most int64) (*streams, error) {
	if count > maxStreams {
		return nil, fmt.Errorf("%d blocks without a table of where they are, more than %d: %w", count, maxStreams, segments.ErrLimit)
	}
	x := &streams{most: most, splitter: jpeg.Splitter{Limit: int(count)}}
	x.sequence = newSequence(src, data, x.splitter.Add)
	return x, nil
}

func (x *streams) find(ctx context.Context, entries []int64) ([]location, error) {
	return x.until(ctx, func() ([]location, bool) { return x.found(entries) })
}

// found returns where streams are, if the file was read far enough to tell.
func (x *streams) found(entries []int64) ([]location, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	places := make([]location, len(entries))
	for i, n := range entries {
		switch {
		case x.isFound(n) || x.isAtEnd() && n < int64(len(x.splitter.Streams)):
			places[i].where = x.stream(n)
		case !x.isAtEnd():
			return nil, false
		default:
			places[i].state = masks.Lost
		}
	}
	return places, true
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
