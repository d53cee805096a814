package components

import (
	"context"
	"iter"

	"tileserver/decode/jp2k/packets"
	"tileserver/source"
)

// maxJoinedBytes bounds what neighboring chunks are joined to, so that a source may still read in parallel.
const maxJoinedBytes = 64 << 10

// read reads the bytes of code-blocks in one call, as far as they lack them. Many chunks continue the one before:
// of small code-blocks, it would take longer to sort all ranges than to read them.
func (s *Codestream) read(ctx context.Context, lists ...[]codeBlock) error {
	var wanted []source.Range
	chunks := 0
	for b := range withoutBytes(lists) {
		for _, c := range b.Chunks {
			wanted = appendChunk(wanted, s.sourceRange(c))
		}
		chunks += len(b.Chunks)
	}
	if chunks == 0 {
		return nil
	}
	read, err := s.src.ReadRanges(ctx, wanted)
	if err != nil {
		return err
	}
	var rest []byte // of what was joined
	parts := make([][]byte, 0, chunks)
	for b := range withoutBytes(lists) {
		first := len(parts)
		for _, c := range b.Chunks {
			length := s.sourceRange(c).Length
			if length > 0 && len(rest) == 0 {
				rest, read = read[0], read[1:]
			}
			parts, rest = append(parts, rest[:length:length]), rest[length:]
		}
		b.data = parts[first:len(parts):len(parts)]
	}
	return nil
}

// withoutBytes returns the code-blocks that lack their bytes.
func withoutBytes(lists [][]codeBlock) iter.Seq[*codeBlock] {
	return func(yield func(*codeBlock) bool) {
		for _, blocks := range lists {
			for i := range blocks {
				if blocks[i].data == nil && !yield(&blocks[i]) {
					return
				}
			}
		}
	}
}

// appendChunk appends a range unless it is empty. It joins the range to the last one if it continues that.
func appendChunk(ranges []source.Range, next source.Range) []source.Range {
	if next.Length == 0 {
		return ranges
	}
	if last := len(ranges) - 1; last >= 0 && ranges[last].End() == next.Offset && ranges[last].Length+next.Length <= maxJoinedBytes {
		ranges[last].Length += next.Length
		return ranges
	}
	return append(ranges, next)
}

// sourceRange returns the range of the source for a range of the codestream, clipped to the
// codestream.
func (s *Codestream) sourceRange(r packets.Range) source.Range {
	offset := min(max(r.Offset, 0), s.extent.Length)
	return source.Range{Offset: s.extent.Offset + offset, Length: min(max(r.Length, 0), s.extent.Length-offset)}
}
