// Package source reads byte ranges of one immutable version of an object: a file, an object in a bucket, bytes in memory.
// It must never know what the bytes mean: no containers, no blocks, no pixels.
//
// Batch is the interface: all ranges that a piece of work needs go into one call, where near ones merge and all are
// under way before any is waited for.
package source

import (
	"context"
	"errors"
	"fmt"
)

// Range is Length bytes from Offset on.
type Range struct{ Offset, Length int64 }

func (r Range) end() int64 { return r.Offset + r.Length }

// String shows the range as offset+length.
func (r Range) String() string { return fmt.Sprintf("%d+%d", r.Offset, r.Length) }

// Source is one version of an object. Its methods may be called by several goroutines.
type Source interface {
	// Name is for the logs and the errors that operators read. It may be a path or an address: clients must not see it.
	Name() string
	// Version identifies the bytes: it is another one whenever they may have changed. It is fixed for this Source.
	Version() string
	// Size is the number of bytes of the object.
	Size() int64
	// ReadRanges returns the bytes of the ranges, in their order, each slice exactly as long as its range and with no
	// capacity beyond. Ranges may overlap and occur twice; an empty range gives an empty slice that is not nil. The
	// slices may share one array, which lives as long as any of them, and must not be written to.
	//
	// It fails as a whole: with ErrOutOfBounds before anything is read, with ErrTooLarge before anything is allocated,
	// with ErrShortRead, with ErrChanged where the object is no longer this version, or with the error of ctx.
	ReadRanges(ctx context.Context, ranges []Range) ([][]byte, error)
	// Close gives up the object; call it once. Reads that are under way then end or fail.
	Close() error
}

var (
	// ErrChanged says that the object is another version now: open it again.
	ErrChanged = errors.New("source: the object has changed")
	// ErrShortRead says that there were fewer bytes than the object should have.
	ErrShortRead = errors.New("source: short read")
	// ErrOutOfBounds says that a range is not within the object.
	ErrOutOfBounds = errors.New("source: range out of bounds")
	// ErrTooLarge says that a call asks for more bytes than one call may.
	ErrTooLarge = errors.New("source: too many bytes in one call")
)

// checkBounds fails for the first range that is not within size bytes. Its arithmetic cannot overflow, and after it
// neither can Range.end.
func checkBounds(ranges []Range, size int64) error {
	for i, r := range ranges {
		if r.Offset < 0 || r.Length < 0 || r.Length > size-r.Offset {
			return fmt.Errorf("%w: range %d (%v) of %d bytes", ErrOutOfBounds, i, r, size)
		}
	}
	return nil
}
