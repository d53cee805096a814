package components

import (
	"context"
	"slices"

	"tileserver/decode/jp2k/packets"
	"tileserver/source"
)

// prefetchReader reads a codestream of which some ranges were read ahead.
type prefetchReader struct {
	*Reader
	parts []prefetchRange // sorted by offset
}

type prefetchRange struct {
	offset int64
	bytes  []byte
}

// newReader returns a reader of the codestream.
func (s *Codestream) newReader(ctx context.Context) *prefetchReader {
	return &prefetchReader{Reader: NewReader(ctx, s.src, s.extent)}
}

// prefetch reads ranges of the codestream ahead, in one call.
func (s *Codestream) prefetch(r *prefetchReader, ranges []packets.Range) error {
	if len(ranges) == 0 {
		return nil
	}
	sourceRanges := make([]source.Range, len(ranges))
	for i, of := range ranges {
		sourceRanges[i] = s.sourceRange(of)
	}
	read, err := s.src.ReadRanges(r.ctx, sourceRanges)
	if err != nil {
		return err
	}
	parts := slices.Clone(r.parts) // others may have them
	for i, of := range ranges {
		parts = append(parts, prefetchRange{of.Offset, read[i]})
	}
	slices.SortFunc(parts, func(a, b prefetchRange) int { return int(min(max(a.offset-b.offset, -1), 1)) })
	r.parts = parts
	return nil
}

// with returns a reader that has the same bytes, for another goroutine, or for reads that end with ctx.
func (r *prefetchReader) with(ctx context.Context) *prefetchReader {
	reader := *r.Reader
	reader.ctx = ctx
	return &prefetchReader{&reader, r.parts}
}

// take takes the bytes that another reader of the codestream has.
func (r *prefetchReader) take(other *prefetchReader) {
	r.buffer, r.start, r.parts = other.buffer, other.start, other.parts
}

// has reports whether a range is in memory.
func (r *prefetchReader) has(offset, length int64) bool { return r.inMemory(offset, length) != nil }

// inMemory returns bytes from an offset on, at least as many as asked for, if they are in memory.
func (r *prefetchReader) inMemory(offset, length int64) []byte {
	if r.Reader.has(offset, length) {
		return r.buffer[offset-r.start:]
	}
	return r.ahead(offset, length)
}

// ahead returns the bytes from an offset on that were read ahead, if they are as many as asked for.
func (r *prefetchReader) ahead(offset, length int64) []byte {
	next, _ := slices.BinarySearchFunc(r.parts, offset, func(p prefetchRange, offset int64) int {
		if p.offset <= offset {
			return -1
		}
		return 1
	})
	if next == 0 {
		return nil
	}
	p := r.parts[next-1]
	if at := offset - p.offset; at < int64(len(p.bytes)) && length <= int64(len(p.bytes))-at {
		return p.bytes[at:]
	}
	return nil
}

// Peek returns bytes that were read ahead, or reads more.
func (r *prefetchReader) Peek(offset int64, minLength int) ([]byte, error) {
	if ahead := r.ahead(offset, min(int64(minLength), r.Size()-offset)); ahead != nil {
		return ahead, nil
	}
	return r.Reader.Peek(offset, minLength)
}
