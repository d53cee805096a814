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
	parts readBytes
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
		parts = append(parts, readRange{of.Offset, read[i]})
	}
	parts.sort()
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
	return r.parts.from(offset, length)
}

// readOf returns copies of those of some ranges that are in memory, but not since the source was opened.
func (r *prefetchReader) readOf(ranges []packets.Range) (read readBytes) {
	for _, of := range ranges {
		if r.extent.Offset+endOf(of) <= source.HeadBytes {
			continue
		}
		if bytes := r.inMemory(of.Offset, of.Length); bytes != nil {
			read = append(read, readRange{of.Offset, slices.Clone(bytes[:of.Length])})
		}
	}
	read.sort()
	return read
}

// Peek returns bytes that were read ahead, or reads more.
func (r *prefetchReader) Peek(offset int64, minLength int) ([]byte, error) {
	if ahead := r.parts.from(offset, min(int64(minLength), r.Size()-offset)); ahead != nil {
		return ahead, nil
	}
	return r.Reader.Peek(offset, minLength)
}
