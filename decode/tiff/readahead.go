package tiff

import (
	"context"
	"errors"
	"fmt"
	"io"

	"tileserver/source"
)

// How much of the file is read at a time while it is opened. The first read is
// large enough for all directories of most COGs; the others reach back a little,
// since writers put the values of a directory on either side of it. They grow as
// long as one is wanted soon behind the other, as those of many small pages are.
const (
	firstWindowBytes  = 128 << 10
	windowBytes       = 32 << 10
	mostWindowBytes   = 3 << 19
	windowBehindBytes = 4 << 10
	windowsKept       = 8
)

// readAhead is a source seen as one reader, for the time of opening: it keeps
// the last few windows that it read. One goroutine uses it.
type readAhead struct {
	ctx      context.Context
	src      source.Source
	size     int64
	left     int64 // bytes that may still be read
	windows  []window
	position int64

	// directoriesFirst says that nothing but directories and their values lies
	// between them.
	directoriesFirst bool
}

type window struct {
	offset int64
	bytes  []byte
}

var _ interface {
	io.ReadSeeker
	io.ReaderAt
} = (*readAhead)(nil)

func newReadAhead(ctx context.Context, src source.Source, maxBytes int64) *readAhead {
	return &readAhead{ctx: ctx, src: src, size: src.Size(), left: maxBytes}
}

// ReadAt fills p or fails.
func (r *readAhead) ReadAt(p []byte, offset int64) (int, error) {
	if offset < 0 || offset > r.size || int64(len(p)) > r.size-offset {
		return 0, fmt.Errorf("%d bytes at %d of a file of %d: %w", len(p), offset, r.size, io.ErrUnexpectedEOF)
	}
	if at := r.kept(offset, int64(len(p))); at != nil {
		return copy(p, at), nil
	}
	w, err := r.load(offset, int64(len(p)))
	if err != nil {
		return 0, err
	}
	return copy(p, w.bytes[offset-w.offset:]), nil
}

// kept is a range of the file, if it lies in a window that was read, or nil.
func (r *readAhead) kept(offset, length int64) []byte {
	for _, w := range r.windows {
		if at := offset - w.offset; at >= 0 && at+length <= int64(len(w.bytes)) {
			return w.bytes[at:][:length]
		}
	}
	return nil
}

// keptFrom is what was read of the file from an offset on, or nil.
func (r *readAhead) keptFrom(offset int64) []byte {
	for _, w := range r.windows {
		if at := offset - w.offset; at >= 0 && at < int64(len(w.bytes)) {
			return w.bytes[at:]
		}
	}
	return nil
}

// next is how much to read for a place that is in no window.
func (r *readAhead) next(offset int64) (start, bytes int64) {
	if len(r.windows) == 0 {
		return offset, firstWindowBytes
	}
	last := r.windows[len(r.windows)-1]
	lastBytes := int64(len(last.bytes))
	gap := offset - last.offset - lastBytes
	start, bytes = max(offset-windowBehindBytes, 0), windowBytes
	switch {
	case offset < last.offset:
	case r.directoriesFirst:
		// The index of an image has been passed over. Those of its overviews are a
		// third of it all together, with masks two, and all directories are among them.
		bytes = max(gap*2/3, windowBytes)
	case gap < lastBytes:
		bytes = 2 * lastBytes
	}
	return start, min(bytes, mostWindowBytes)
}

func (r *readAhead) load(offset, length int64) (window, error) {
	start, bytes := r.next(offset)
	end := min(max(start+bytes, offset+length), r.size)
	if end-start > r.left {
		return window{}, fmt.Errorf("the directories take more than may be read to open a file: %w", ErrLimit)
	}
	r.left -= end - start
	parts, err := r.src.ReadRanges(r.ctx, []source.Range{{Offset: start, Length: end - start}})
	if err != nil {
		return window{}, err
	}
	w := window{start, parts[0]}
	r.windows = append(r.windows, w)
	if len(r.windows) > windowsKept {
		r.windows = append(r.windows[:1], r.windows[2:]...) // the first one holds the header
	}
	return w, nil
}

// Read and Seek are for the header's dispatch on its magic bytes.
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
