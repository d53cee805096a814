package components

import (
	"slices"
	"testing"

	"tileserver/decode/jp2k/packets"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// Whether chunks continue each other, overlap, are empty or lie behind the end, each code-block gets its own.
func TestEachCodeBlockGetsTheBytesOfItsChunks(t *testing.T) {
	content := make([]byte, 300<<10)
	for i := range content {
		content[i] = byte(i ^ i>>8)
	}
	src := sourcetest.NewFake(content)
	s := &Codestream{src: src, extent: source.Range{Offset: 100, Length: 250 << 10}}
	with := func(chunks ...packets.Range) codeBlock { return codeBlock{Block: packets.Block{Chunks: chunks}} }
	known := codeBlock{data: [][]byte{{7}}}
	first := []codeBlock{
		with(packets.Range{Offset: 0, Length: 10}, packets.Range{Offset: 10, Length: 20}), known, with(),
		with(packets.Range{Offset: 30, Length: 5}), with(packets.Range{Offset: 35, Length: 0}), with(packets.Range{Offset: 35, Length: 60 << 10}),
		with(packets.Range{Offset: 35 + 60<<10, Length: 50 << 10}, packets.Range{Offset: 2, Length: 9}),
	}
	second := []codeBlock{
		with(packets.Range{Offset: 11, Length: 4}), with(packets.Range{Offset: 5, Length: 40}),
		with(packets.Range{Offset: 250<<10 - 3, Length: 70}, packets.Range{Offset: 1 << 40, Length: 5}, packets.Range{Offset: 0, Length: 1}),
	}
	if err := s.read(t.Context(), first, second); err != nil {
		t.Fatal(err)
	}
	for i, b := range slices.Concat(first, second) {
		if i != 1 && len(b.data) != len(b.Chunks) {
			t.Fatalf("code-block %d has %d parts for %d chunks", i, len(b.data), len(b.Chunks))
		}
		for k, c := range b.Chunks {
			r := s.sourceRange(c)
			if got := b.data[k]; string(got) != string(content[r.Offset:r.End()]) || cap(got) != len(got) {
				t.Errorf("chunk %d of code-block %d has %d bytes, or others, with room for %d", k, i, len(got), cap(got))
			}
		}
	}
	if known := first[1].data; len(known) != 1 || len(known[0]) != 1 || known[0][0] != 7 {
		t.Errorf("a code-block that had bytes has %v", known)
	}
	if err := s.read(t.Context(), first, second); err != nil || src.Counts().Calls != 1 {
		t.Errorf("%d calls, %v; want one", src.Counts().Calls, err)
	}
}

// Small code-blocks that lie one behind the other are few ranges, none of them long.
func TestNeighboringChunksAreFewRanges(t *testing.T) {
	var ranges []source.Range
	for i := range int64(1000) {
		ranges = appendChunk(ranges, source.Range{Offset: 500 * i, Length: 500})
	}
	if len(ranges) != 1000*500/maxJoinedBytes+1 {
		t.Errorf("1000 chunks are %d ranges", len(ranges))
	}
	ranges = appendChunk(ranges, source.Range{Offset: 3, Length: maxJoinedBytes + 1})
	if last := ranges[len(ranges)-1]; last != (source.Range{Offset: 3, Length: maxJoinedBytes + 1}) {
		t.Errorf("a long chunk is %v", last)
	}
}
