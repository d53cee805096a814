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

// prefetch reads ranges of the codestream in one call.
func (s *Codestream) prefetch(ctx context.Context, ranges []packets.Range) (*prefetchReader, error) {
	g := &prefetchReader{Reader: NewReader(ctx, s.src, s.extent)}
	sourceRanges := make([]source.Range, len(ranges))
	for i, r := range ranges {
		sourceRanges[i] = s.sourceRange(r)
	}
	read, err := s.src.ReadRanges(ctx, sourceRanges)
	if err != nil {
		return nil, err
	}
	for i, r := range ranges {
		g.parts = append(g.parts, prefetchRange{r.Offset, read[i]})
	}
	slices.SortFunc(g.parts, func(a, b prefetchRange) int { return int(min(max(a.offset-b.offset, -1), 1)) })
	return g, nil
}

// Peek returns bytes that were read ahead, or reads more.
func (r *prefetchReader) Peek(offset int64, minLength int) ([]byte, error) {
	next, _ := slices.BinarySearchFunc(r.parts, offset, func(p prefetchRange, offset int64) int {
		if p.offset <= offset {
			return -1
		}
		return 1
	})
	if next > 0 {
		p := r.parts[next-1]
		if at := offset - p.offset; at+int64(minLength) <= int64(len(p.bytes)) {
			return p.bytes[at:], nil
		}
	}
	return r.Reader.Peek(offset, minLength)
}
