// Package source reads byte ranges of one immutable version of an object: a file, an object in a
// bucket, or bytes in memory. It must never know what the bytes mean: containers, blocks or pixels.
//
// The interface is batched: one call takes all ranges of a piece of work. A Store is where objects
// lie: it lists and opens them, and tells when they change. Each kind of store is a package below.
package source

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Range is a range of Length bytes at Offset.
type Range struct{ Offset, Length int64 }

// End returns the offset behind the range.
func (r Range) End() int64 { return r.Offset + r.Length }

// String returns the range as offset+length.
func (r Range) String() string { return fmt.Sprintf("%d+%d", r.Offset, r.Length) }

// Source is one version of an object. Its methods are safe for concurrent use.
type Source interface {
	// Name identifies the object in logs and in errors for operators. It may be a path or an
	// address, so clients must not see it. It is Redacted.
	Name() string
	// Version identifies the bytes. It differs whenever they may have changed, and is fixed for a
	// Source.
	Version() string
	// Size is the number of bytes of the object.
	Size() int64
	// ReadRanges returns the bytes of the ranges, in their order. Each slice is exactly as long as
	// its range and has no further capacity. Ranges may overlap and repeat. An empty range gives an
	// empty slice that is not nil. The slices may share one array, which lives as long as any of
	// them. The caller must not write to them.
	//
	// ReadRanges succeeds or fails as a whole. It fails with ErrOutOfBounds before it reads, with
	// ErrTooLarge before it allocates, with ErrShortRead, with ErrChanged if the object is no
	// longer this version, with the error of Reach, or with that of ctx.
	ReadRanges(ctx context.Context, ranges []Range) ([][]byte, error)
	// Close releases the object. The owner calls it once. Running reads then end or fail.
	Close() error
}

var (
	// ErrChanged means that the object has another version now and must be opened again.
	ErrChanged = errors.New("source: the object has changed")
	// ErrShortRead means that the object has fewer bytes than its size.
	ErrShortRead = errors.New("source: short read")
	// ErrOutOfBounds means that a range is not within the object.
	ErrOutOfBounds = errors.New("source: range out of bounds")
	// ErrStalled means that the storage of the object does not answer now, and may later.
	ErrStalled = errors.New("source: the storage does not answer")
	// ErrObjectStalled is an ErrStalled that may be the fault of the object: the storage answers that it fails now.
	ErrObjectStalled = fmt.Errorf("%w for this object", ErrStalled)
	// ErrTooLarge means that a call would read more bytes than Options allow.
	ErrTooLarge = errors.New("source: too many bytes in one call")
)

// HeldError means that a storage must not be asked for a while, which is no failure of it: it says so, or what is
// needed to ask it is in use. It is an ErrStalled.
type HeldError struct {
	Reason string
	Wait   time.Duration
}

func (e *HeldError) Error() string { return e.Reason }

// Unwrap returns ErrStalled.
func (*HeldError) Unwrap() error { return ErrStalled }

// RetryAfter returns how long to wait before another try.
func (e *HeldError) RetryAfter() time.Duration { return e.Wait }

// CheckBounds returns an error for the first range that is not within size bytes. Its arithmetic
// cannot overflow, and after it Range.End cannot either.
func CheckBounds(ranges []Range, size int64) error {
	for i, r := range ranges {
		if r.Offset < 0 || r.Length < 0 || r.Length > size-r.Offset {
			return fmt.Errorf("%w: range %d (%v) of %d bytes", ErrOutOfBounds, i, r, size)
		}
	}
	return nil
}
