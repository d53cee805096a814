package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"tileserver/source"
)

// readAt fills dst from an offset. What is in memory is copied at once, in the caller's goroutine.
// What must be waited for is read in pieces, each in a call that its caller may leave.
func (f *File) readAt(ctx context.Context, dst []byte, offset int64) error {
	if f.calls == nil {
		if err := source.Reach(ctx); err != nil {
			return err
		}
		n, err := f.file.ReadAt(dst, offset)
		return f.checkRead(n, len(dst), offset, err)
	}
	for len(dst) > 0 {
		n := f.readCached(dst, offset)
		if dst, offset = dst[n:], offset+int64(n); len(dst) == 0 {
			break
		}
		piece := dst[:min(len(dst), pieceBytes)]
		if err := f.readPiece(ctx, piece, offset); err != nil {
			return err
		}
		dst, offset = dst[len(piece):], offset+int64(len(piece))
	}
	return nil
}

// pieceBytes is how much is read at a time from what may hang. It bounds the memory that a call holds
// whose caller has left.
const pieceBytes = 256 << 10

// pieces are buffers of calls that have ended.
var pieces = sync.Pool{New: func() any { return new([pieceBytes]byte) }}

// readPiece reads through a buffer of the call's own. The call may write to it after its caller has
// left, so only a call that ended gives it back.
func (f *File) readPiece(ctx context.Context, dst []byte, offset int64) error {
	if err := source.Reach(ctx); err != nil {
		return err
	}
	buffer, err := run(ctx, f.calls, f.storage, func() (*[pieceBytes]byte, error) {
		buffer := pieces.Get().(*[pieceBytes]byte)
		n, err := f.file.ReadAt(buffer[:len(dst)], offset)
		return buffer, f.checkRead(n, len(dst), offset, err)
	})
	if err != nil {
		return err
	}
	copy(dst, buffer[:])
	pieces.Put(buffer)
	return nil
}

// checkRead returns the error of a read of n bytes.
func (f *File) checkRead(n, want int, offset int64, err error) error {
	switch {
	case n == want:
		return nil
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: %d of %d bytes at offset %d", source.ErrShortRead, n, want, offset)
	}
	return err
}
