package jp2k

import (
	"context"
	"slices"

	"tileserver/decode/jp2k/packets"
	"tileserver/source"
)

// gathered gives the bytes of a codestream, of which those that are likely to be wanted
// have been read.
type gathered struct {
	*reader
	parts []gatheredPart // by their offsets
}

type gatheredPart struct {
	offset int64
	bytes  []byte
}

// gather reads parts of the codestream in one call.
func (f *File) gather(ctx context.Context, ranges []packets.Range) (*gathered, error) {
	g := &gathered{reader: newReader(ctx, f.src, f.where)}
	wanted := make([]source.Range, len(ranges))
	for i, r := range ranges {
		wanted[i] = f.within(r)
	}
	read, err := f.src.ReadRanges(ctx, wanted)
	if err != nil {
		return nil, err
	}
	for i, r := range ranges {
		g.parts = append(g.parts, gatheredPart{r.Offset, read[i]})
	}
	slices.SortFunc(g.parts, func(a, b gatheredPart) int { return int(min(max(a.offset-b.offset, -1), 1)) })
	return g, nil
}

// Peek returns bytes that were read, or reads more.
func (g *gathered) Peek(offset int64, least int) ([]byte, error) {
	next, _ := slices.BinarySearchFunc(g.parts, offset, func(p gatheredPart, offset int64) int {
		if p.offset <= offset {
			return -1
		}
		return 1
	})
	if next > 0 {
		p := g.parts[next-1]
		if at := offset - p.offset; at+int64(least) <= int64(len(p.bytes)) {
			return p.bytes[at:], nil
		}
	}
	return g.reader.Peek(offset, least)
}
