package nitf

import (
	"bytes"
	"context"
	"encoding/binary"
	"sync"

	"tileserver/decode/nitf/masks"
	"tileserver/source"
)

// streams is the index of JPEG streams that lie one behind the other, without a table. It reads the
// file up to the stream that is asked for, once. It is safe for concurrent use.
type streams struct {
	src   source.Source
	data  source.Range
	count int64
	most  int64 // maximum size of a stream

	mu    sync.Mutex // guards the fields below
	found []source.Range
	walk  streamWalk // what is before its place has been looked through
	ended bool
}

func newStreams(src source.Source, data source.Range, count, most int64) *streams {
	return &streams{src: src, data: data, count: count, most: most}
}

// The markers of JPEG that matter here.
const (
	markerStart, markerEnd, markerScan = 0xD8, 0xD9, 0xDA
	firstRestart, lastRestart          = 0xD0, 0xD7
)

func (x *streams) find(ctx context.Context, entries []int64) ([]location, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	last := int64(-1)
	for _, n := range entries {
		last = max(last, n)
	}
	for int64(len(x.found)) <= last && !x.ended {
		if err := x.next(ctx); err != nil {
			return nil, err
		}
	}
	places := make([]location, len(entries))
	for i, n := range entries {
		places[i] = location{state: masks.Lost}
		if n < int64(len(x.found)) {
			places[i] = location{where: x.found[n]}
		}
	}
	return places, nil
}

// next finds the next stream. One without an end goes to the end of the data.
func (x *streams) next(ctx context.Context) error {
	w := &x.walk
	w.ctx, w.x, w.err = ctx, x, nil
	before := w.at
	start := w.seek(markerStart)
	if w.err == nil && start >= 0 {
		w.skipToEnd()
	}
	if w.err != nil {
		w.at = before
		return w.err
	}
	if start >= 0 {
		end := min(w.at, x.data.Length)
		x.found = append(x.found, source.Range{Offset: x.data.Offset + start, Length: min(end-start, x.most)})
	}
	if x.ended = start < 0 || w.at >= x.data.Length || int64(len(x.found)) == x.count; x.ended {
		w.buffer = nil
	}
	return nil
}

// streamWalk looks through the bytes of streams.
type streamWalk struct {
	ctx    context.Context
	x      *streams
	at     int64
	start  int64 // of buffer
	buffer []byte
	err    error
}

// peek returns the bytes at the current place, at least count unless the data ends.
func (w *streamWalk) peek(count int) []byte {
	const readBytes = 256 << 10
	if w.err != nil || w.at >= w.x.data.Length {
		return nil
	}
	if from := w.at - w.start; from >= 0 && from+int64(count) <= int64(len(w.buffer)) {
		return w.buffer[from:]
	}
	length := min(max(readBytes, int64(count)), w.x.data.Length-w.at)
	parts, err := w.x.src.ReadRanges(w.ctx, []source.Range{{Offset: w.x.data.Offset + w.at, Length: length}})
	if err != nil {
		w.err = err
		return nil
	}
	w.buffer, w.start = parts[0], w.at
	return w.buffer
}

// seek goes to the next marker of a kind and returns where it is, or -1. It stops behind it.
func (w *streamWalk) seek(kind byte) int64 {
	for {
		window := w.peek(2)
		if len(window) < 2 {
			return -1
		}
		i := bytes.IndexByte(window[:len(window)-1], 0xFF)
		if i < 0 {
			w.at += int64(len(window) - 1)
			continue
		}
		w.at += int64(i)
		if window[i+1] == kind {
			w.at += 2
			return w.at - 2
		}
		w.at++
	}
}

// skipToEnd goes behind the end of a stream, from behind its start.
func (w *streamWalk) skipToEnd() {
	for {
		head := w.peek(4)
		if len(head) < 2 {
			w.at = w.x.data.Length
			return
		}
		switch marker := head[1]; {
		case head[0] != 0xFF || marker == 0xFF:
			w.at++
		case marker == markerEnd:
			w.at += 2
			return
		case marker == 0 || marker == 1 || marker == markerStart || marker >= firstRestart && marker <= lastRestart:
			w.at += 2
		case len(head) < 4:
			w.at = w.x.data.Length
			return
		default:
			w.at += 2 + int64(binary.BigEndian.Uint16(head[2:]))
			if marker == markerScan {
				w.skipScan()
			}
		}
	}
}

// skipScan goes to the next marker that ends a scan.
func (w *streamWalk) skipScan() {
	for {
		window := w.peek(2)
		if len(window) < 2 {
			return
		}
		i := bytes.IndexByte(window[:len(window)-1], 0xFF)
		if i < 0 {
			w.at += int64(len(window) - 1)
			continue
		}
		w.at += int64(i)
		if next := window[i+1]; next != 0 && next != 0xFF && (next < firstRestart || next > lastRestart) {
			return
		}
		w.at++
	}
}
