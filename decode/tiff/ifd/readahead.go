package ifd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"tileserver/source"
)

// How much is read at a time during opening. The first read covers all directories of most COGs.
// Later reads start a little before the requested offset, since writers put the values of a
// directory on either side of it. Their size doubles while reads follow each other closely, as for
// many small images.
const (
	firstSpanBytes = 128 << 10
	spanBytes      = 32 << 10
	maxSpanBytes   = 3 << 19
	maxFarBytes    = 4 << 20
	backSpanBytes  = 4 << 10
	maxSpans       = 8
)

// readAhead reads a source during opening and caches the last few spans. It is not safe for
// concurrent use.
type readAhead struct {
	ctx       context.Context
	src       source.Source
	size      int64
	remaining int64 // bytes that may still be read
	spans     []span
	position  int64

	// directoriesFirst says that all directories and their values come before all blocks, so that
	// reading far ahead pays off.
	directoriesFirst bool
}

type span struct {
	offset int64
	bytes  []byte
}

var _ interface {
	io.ReadSeeker
	io.ReaderAt
} = (*readAhead)(nil)

func newReadAhead(ctx context.Context, src source.Source, maxBytes int64) *readAhead {
	return &readAhead{ctx: ctx, src: src, size: src.Size(), remaining: maxBytes}
}

// ReadAt fills p or fails.
func (r *readAhead) ReadAt(p []byte, offset int64) (int, error) {
	if offset < 0 || offset > r.size || int64(len(p)) > r.size-offset {
		return 0, fmt.Errorf("%d bytes at %d of a file of %d: %w", len(p), offset, r.size, io.ErrUnexpectedEOF)
	}
	if at := r.cached(offset, int64(len(p))); at != nil {
		return copy(p, at), nil
	}
	s, err := r.load(offset, int64(len(p)))
	if err != nil {
		return 0, err
	}
	return copy(p, s.bytes[offset-s.offset:]), nil
}

// cached returns a range of the file if it lies in a cached span, or nil.
func (r *readAhead) cached(offset, length int64) []byte {
	for _, s := range r.spans {
		if at := offset - s.offset; at >= 0 && at+length <= int64(len(s.bytes)) {
			return s.bytes[at:][:length]
		}
	}
	return nil
}

// cachedFrom returns the cached bytes of the file from an offset on, or nil.
func (r *readAhead) cachedFrom(offset int64) []byte {
	for _, s := range r.spans {
		if at := offset - s.offset; at >= 0 && at < int64(len(s.bytes)) {
			return s.bytes[at:]
		}
	}
	return nil
}

// nextSpan returns what to read for an offset that lies in no cached span.
func (r *readAhead) nextSpan(offset int64) (start, bytes int64) {
	if len(r.spans) == 0 {
		return offset, firstSpanBytes
	}
	last := r.spans[len(r.spans)-1]
	lastBytes := int64(len(last.bytes))
	gap := offset - last.offset - lastBytes
	start, bytes = max(offset-backSpanBytes, 0), spanBytes
	switch {
	case offset < last.offset:
	case r.directoriesFirst && source.IsFar(r.src):
		// With masks, an index as long as the one that ends here may come before those of the overviews.
		return start, min(offset*5/3+spanBytes, maxFarBytes)
	case r.directoriesFirst:
		// The reads skipped the index of an image. The indexes of all its overviews together are a
		// third as large, or two thirds with masks. All remaining directories lie among them.
		bytes = max(gap*2/3, spanBytes)
	case gap < lastBytes:
		bytes = 2 * lastBytes
	}
	return start, min(bytes, maxSpanBytes)
}

func (r *readAhead) load(offset, length int64) (span, error) {
	start, bytes := r.nextSpan(offset)
	end := min(max(start+bytes, offset+length), r.size)
	if end-start > r.remaining {
		return span{}, fmt.Errorf("the directories take more than may be read to open a file: %w", ErrLimit)
	}
	r.remaining -= end - start
	parts, err := r.src.ReadRanges(r.ctx, []source.Range{{Offset: start, Length: end - start}})
	if err != nil {
		return span{}, err
	}
	s := span{start, parts[0]}
	r.spans = append(r.spans, s)
	if len(r.spans) > maxSpans {
		r.spans = append(r.spans[:1], r.spans[2:]...) // the first one holds the header
	}
	return s, nil
}

// Read and Seek serve google/tiff, which reads the magic bytes.
func (r *readAhead) Read(p []byte) (int, error) {
	n := int(min(int64(len(p)), r.size-r.position))
	if n <= 0 {
		return 0, io.EOF
	}
	n, err := r.ReadAt(p[:n], r.position)
	r.position += int64(n)
	return n, err
}

func (r *readAhead) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.position
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 || offset > r.size {
		return r.position, errors.New("seek outside of the file")
	}
	r.position = offset
	return offset, nil
}
