package nitf

import (
	"context"
	"slices"

	"tileserver/source"
)

// Headers are read in steps: the first holds all headers of a small file.
const (
	firstReadBytes = 32 << 10
	readBytes      = 8 << 10
)

// reader reads headers of a source. It keeps the last buffer that it read. It is used by one
// goroutine.
type reader struct {
	ctx    context.Context
	src    source.Source
	start  int64 // of buffer
	buffer []byte
}

// Size returns the size of the file.
func (r *reader) Size() int64 { return r.src.Size() }

// Peek returns bytes from an offset on, at least minLength if the file has as many.
func (r *reader) Peek(offset int64, minLength int) ([]byte, error) {
	size := r.src.Size()
	if offset < 0 || offset >= size {
		return nil, nil
	}
	end := offset + min(int64(minLength), size-offset)
	if offset < r.start || end > r.start+int64(len(r.buffer)) {
		if err := r.load(offset, end); err != nil {
			return nil, err
		}
	}
	return r.buffer[offset-r.start:], nil
}

// Ahead reads ranges of a far file in one call, which the source keeps while the file is opened.
func (r *reader) Ahead(ranges []source.Range) error {
	isBehindHead := func(of source.Range) bool { return of.End() > source.HeadBytes }
	if !source.IsFar(r.src) || !slices.ContainsFunc(ranges, isBehindHead) {
		return nil
	}
	_, err := r.src.ReadRanges(r.ctx, ranges)
	return err
}

func (r *reader) load(offset, end int64) error {
	step := int64(readBytes)
	if r.buffer == nil {
		step = firstReadBytes
	}
	length := min(max(end-offset, step), r.src.Size()-offset)
	parts, err := r.src.ReadRanges(r.ctx, []source.Range{{Offset: offset, Length: length}})
	if err != nil {
		return err
	}
	r.buffer, r.start = parts[0], offset
	return nil
}
