package components

import (
	"context"

	"tileserver/source"
)

// The sizes of reads. The first read covers most headers. A read after a jump is small, as in the
// search for tile-parts. Sequential reads grow, as in a scan of all packets, which saves round
// trips.
const (
	firstReadBytes   = 64 << 10
	jumpReadBytes    = 8 << 10
	farJumpReadBytes = 32 << 10
	maxReadBytes     = 4 << 20
)

// Reader reads a range of a source, such as a codestream in a container. It keeps the last buffer
// that it read. It is used by one goroutine at a time.
type Reader struct {
	ctx    context.Context
	src    source.Source
	extent source.Range // range of the source
	isFar  bool

	buffer []byte
	start  int64 // offset of buffer in the range
}

// NewReader returns a reader of a range of a source, for reads that end with ctx.
func NewReader(ctx context.Context, src source.Source, extent source.Range) *Reader {
	return &Reader{ctx: ctx, src: src, extent: extent, isFar: source.IsFar(src)}
}

// Section returns a reader for another range of the source. It reuses the overlapping part of r's
// buffer.
func (r *Reader) Section(extent source.Range) *Reader {
	skipped := extent.Offset - (r.extent.Offset + r.start)
	section := NewReader(r.ctx, r.src, extent)
	if skipped >= 0 && skipped < int64(len(r.buffer)) {
		section.buffer = r.buffer[skipped:min(skipped+extent.Length, int64(len(r.buffer)))]
	}
	return section
}

// has reports whether a range is in the buffer.
func (r *Reader) has(offset, length int64) bool {
	return offset >= r.start && offset+length <= r.start+int64(len(r.buffer))
}

// Size returns the number of bytes in the range.
func (r *Reader) Size() int64 { return r.extent.Length }

// Peek returns bytes of the range from an offset on, at least minLength if there are as many.
func (r *Reader) Peek(offset int64, minLength int) ([]byte, error) {
	if offset < 0 || offset >= r.extent.Length {
		return nil, nil
	}
	end := min(offset+int64(max(minLength, 0)), r.extent.Length)
	if !r.has(offset, max(end-offset, 1)) {
		if err := r.load(offset, end); err != nil {
			return nil, err
		}
	}
	return r.buffer[offset-r.start:], nil
}

func (r *Reader) load(offset, end int64) error {
	length := min(max(r.next(offset, end), end-offset), r.extent.Length-offset)
	parts, err := r.src.ReadRanges(r.ctx, []source.Range{{Offset: r.extent.Offset + offset, Length: length}})
	if err != nil {
		return err
	}
	r.buffer, r.start = parts[0], offset
	return nil
}

// next returns the size of the next read, which covers the bytes up to end.
func (r *Reader) next(offset, end int64) int64 {
	if r.isFar {
		return r.nextFar(offset, end)
	}
	last := int64(len(r.buffer))
	switch {
	case last == 0:
		return firstReadBytes
	case offset < r.start || offset-(r.start+last) > last:
		return jumpReadBytes
	}
	return min(2*last, maxReadBytes)
}

// nextFar returns the size of the next read of a far source. What was read when it was opened is in memory, and
// what costs no more than a round trip is read at once.
func (r *Reader) nextFar(offset, end int64) int64 {
	last := int64(len(r.buffer))
	switch {
	case r.extent.Offset+end <= source.HeadBytes:
		return source.HeadBytes - r.extent.Offset - offset
	case last > 0 && (offset < r.start || offset-(r.start+last) > source.TripBytes):
		return farJumpReadBytes
	}
	return min(max(2*last, source.TripBytes), maxReadBytes)
}
