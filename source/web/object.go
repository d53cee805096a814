package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync/atomic"
	"time"

	"tileserver/source"
	"tileserver/source/web/transport"
)

// object is a version of an object on a server.
type object struct {
	store   *Store
	path    string // canonical
	url     *url.URL
	version version
	isWhole atomic.Bool // whether the server answers no ranges
	isMixed atomic.Bool // whether it answers some ranges with the whole object, and others not

	flights  flights
	siblings siblings

	isChanged   atomic.Bool  // a read found another version
	checks      joint[bool]  // whether it is current
	confirmedAt atomic.Int64 // when it was last known to be current, in nanoseconds since openedAt
	openedAt    time.Time
}

// newObject returns the object at a path, of which the head was read.
func (s *Store) newObject(path string, found *head) (*object, error) {
	u, err := s.config.Service.Locate(path)
	if err != nil {
		return nil, named(path, err)
	}
	o := &object{store: s, path: path, url: u, version: found.version, openedAt: found.asked}
	o.siblings.of = o
	o.isWhole.Store(found.isWhole)
	o.flights = flights{
		fly: o.fly,
		gap: func() int64 { return s.config.Client.Gap(u) },
		enter: func() *transport.Turn {
			turn, _ := s.config.Client.Enter(context.Background(), u) // fails with its context only
			return turn
		},
	}
	return o, nil
}

// Name returns the address without what may be secret.
func (o *object) Name() string { return source.Redacted(o.path) }

// Version changes with the ETag; without one, with the size and the time of the last change.
func (o *object) Version() string { return o.version.String() }

// Size returns the number of bytes.
func (o *object) Size() int64 { return o.version.size }

// maxBytesPerCall bounds a call of ReadRanges.
const maxBytesPerCall = 256 << 20

// ReadRanges reads ranges: from what was read when the object was opened, and the others in few requests.
func (o *object) ReadRanges(ctx context.Context, wanted []source.Range) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := source.CheckBounds(wanted, o.version.size); err != nil {
		return nil, err
	}
	if err := checkTotal(wanted); err != nil {
		return nil, err
	}
	parts, missing := o.known(wanted)
	if len(missing) == 0 {
		return parts, nil
	}
	if err := o.readMissing(ctx, wanted, parts, missing); err != nil {
		if errors.Is(err, source.ErrChanged) {
			o.noteChange()
		}
		return nil, fmt.Errorf("read %s: %w", o.Name(), err)
	}
	return parts, nil
}

// checkTotal returns an error if ranges are too long together.
func checkTotal(wanted []source.Range) error {
	left := int64(maxBytesPerCall)
	for i, r := range wanted {
		if left -= r.Length; left < 0 {
			return fmt.Errorf("%w: over %d after %d of %d ranges", source.ErrTooLarge, int64(maxBytesPerCall), i, len(wanted))
		}
	}
	return nil
}

// known returns the ranges that are in memory, and the indexes of the others.
func (o *object) known(wanted []source.Range) (parts [][]byte, missing []int) {
	begin := o.store.heads.bytesOf(o.path, o.version)
	parts = make([][]byte, len(wanted))
	for i, r := range wanted {
		switch {
		case r.Length == 0:
			parts[i] = []byte{}
		case r.End() <= int64(len(begin)):
			parts[i] = cut(begin, r)
		default:
			missing = append(missing, i)
		}
	}
	return parts, missing
}

// cut returns a range of the beginning of an object. What is cut from a whole one does not keep all of it in memory.
func cut(begin []byte, r source.Range) []byte {
	if part := begin[r.Offset:r.End():r.End()]; len(begin) <= headBytes {
		return part
	}
	return bytes.Clone(begin[r.Offset:r.End()])
}

// readMissing reads the ranges of the indexes.
func (o *object) readMissing(ctx context.Context, wanted []source.Range, parts [][]byte, missing []int) error {
	if err := source.Reach(ctx); err != nil {
		return err
	}
	if o.isWhole.Load() {
		if isRead, err := o.readWhole(ctx, wanted, parts, missing); isRead || err != nil {
			return err
		}
	}
	err := o.readRanges(ctx, wanted, parts, missing)
	if !errors.Is(err, errWhole) {
		return err
	}
	o.noteWhole()
	if isRead, err := o.readWhole(ctx, wanted, parts, missing); isRead || err != nil {
		return err
	}
	o.isMixed.Store(true)
	return o.readRanges(ctx, wanted, parts, missing)
}

// readRanges reads the ranges of the indexes as ranges.
func (o *object) readRanges(ctx context.Context, wanted []source.Range, parts [][]byte, missing []int) error {
	ranges := make([]source.Range, len(missing))
	for i, at := range missing {
		ranges[i] = wanted[at]
	}
	read, err := o.flights.read(ctx, ranges)
	if err != nil {
		return err
	}
	for i, at := range missing {
		parts[at] = read[i]
	}
	return nil
}

// noteWhole remembers that the server has answered no range. What was read of the object is forgotten, since it was a
// part.
func (o *object) noteWhole() {
	if !o.isWhole.Swap(true) {
		o.store.heads.forget(o.path)
	}
}

// readWhole reads the object once more, since its server answered no range and what was read is forgotten. It reads
// nothing if the server answers ranges now.
func (o *object) readWhole(ctx context.Context, wanted []source.Range, parts [][]byte, missing []int) (isRead bool, err error) {
	again, err := o.store.heads.of(ctx, o.path, o.store.freshTime())
	switch {
	case isMissing(err):
		return false, source.ErrChanged
	case err != nil:
		return false, err
	case again.version != o.version:
		return false, source.ErrChanged
	case !again.isWhole:
		o.isWhole.Store(false)
		return false, nil
	}
	for _, at := range missing {
		parts[at] = cut(again.bytes, wanted[at])
	}
	return true, nil
}

// noteChange remembers that the server has another version now.
func (o *object) noteChange() {
	o.isChanged.Store(true)
	o.store.heads.forget(o.path)
	o.store.lists.forget(o.path)
}

// ChangedAt returns when the object was last changed, as its server says.
func (o *object) ChangedAt() time.Time { return o.siblings.latest(time.Unix(0, o.version.modified)) }

// Sibling opens an object in the same folder by its name.
func (o *object) Sibling(ctx context.Context, name string) (source.Source, error) {
	return o.siblings.open(ctx, name)
}

// Close ends nothing: what is under way ends with its callers.
func (o *object) Close() error { return nil }

// fly reads the bytes of a flight. A body that breaks off goes on where it did.
func (o *object) fly(ctx context.Context, turn *transport.Turn, f *flight) error {
	f.data = make([]byte, f.Length)
	isSmall := o.version.size <= o.store.config.Memory.maxWholeBytes()
	read := partReader{version: o.version, room: f.data, offset: f.Offset, avoidsWhole: isSmall && !o.isMixed.Load()}
	err := turn.Fetch(ctx, func() transport.Request { return o.store.request(o.url, read.header()) }, read.take)
	if read.wasWhole && isSmall { // rather once than for each range
		o.noteWhole()
	}
	return err
}
