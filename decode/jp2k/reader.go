package jp2k

import (
	"context"

	"tileserver/source"
)

// How much is read at a time. The first piece has what most headers take; one behind a jump
// is small, as where tile-parts are looked for. They grow as long as one is wanted soon behind
// the other, as in a walk over all packets, and then cost the fewest round trips.
const (
	firstPieceBytes = 64 << 10
	jumpPieceBytes  = 8 << 10
	mostPieceBytes  = 4 << 20
)

// reader gives the bytes of a part of a source, such as a codestream within a container.
// It keeps the last piece that it read. One goroutine uses it, for the time of one pass.
type reader struct {
	ctx   context.Context
	src   source.Source
	where source.Range // of the part

	piece []byte
	start int64 // of the piece in the part
}

func newReader(ctx context.Context, src source.Source, where source.Range) *reader {
	return &reader{ctx: ctx, src: src, where: where}
}

// within is a reader of a part of what r reads, which begins with what r has at hand.
func (r *reader) within(where source.Range) *reader {
	skipped := where.Offset - (r.where.Offset + r.start)
	part := newReader(r.ctx, r.src, where)
	if skipped >= 0 && skipped < int64(len(r.piece)) {
		part.piece = r.piece[skipped:min(skipped+where.Length, int64(len(r.piece)))]
	}
	return part
}

// Size is how many bytes the part has.
func (r *reader) Size() int64 { return r.where.Length }

// Peek returns bytes of the part from an offset on, at least so many if there are.
func (r *reader) Peek(offset int64, least int) ([]byte, error) {
	if offset < 0 || offset >= r.where.Length {
		return nil, nil
	}
	end := min(offset+int64(max(least, 0)), r.where.Length)
	if offset < r.start || end > r.start+int64(len(r.piece)) || offset >= r.start+int64(len(r.piece)) {
		if err := r.load(offset, end); err != nil {
			return nil, err
		}
	}
	return r.piece[offset-r.start:], nil
}

func (r *reader) load(offset, end int64) error {
	length := min(max(r.next(offset), end-offset), r.where.Length-offset)
	parts, err := r.src.ReadRanges(r.ctx, []source.Range{{Offset: r.where.Offset + offset, Length: length}})
	if err != nil {
		return err
	}
	r.piece, r.start = parts[0], offset
	return nil
}

// next is how much to read for what is not at hand.
func (r *reader) next(offset int64) int64 {
	last := int64(len(r.piece))
	gap := offset - (r.start + last)
	switch {
	case last == 0:
		return firstPieceBytes
	case offset < r.start || gap > last:
		return jumpPieceBytes
	}
	return min(2*last, mostPieceBytes)
}
