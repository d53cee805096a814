package components

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/packets"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

func TestReaderPeek(t *testing.T) {
	content := make([]byte, 300<<10)
	random := rand.New(rand.NewPCG(1, 9))
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	const skipped, length = 1000, 250 << 10
	r := NewReader(t.Context(), sourcetest.NewFake(content), source.Range{Offset: skipped, Length: length})
	part := content[skipped : skipped+length]
	if r.Size() != length {
		t.Errorf("the size is %d", r.Size())
	}
	for range 500 {
		offset, minLength := random.IntN(length+10), random.IntN(100<<10)
		got, err := r.Peek(int64(offset), minLength)
		if err != nil {
			t.Fatal(err)
		}
		want := part[min(offset, length):]
		if len(got) < min(minLength, len(want)) || !bytes.HasPrefix(want, got) {
			t.Fatalf("at %d, of %d bytes asked for, %d came, or others", offset, minLength, len(got))
		}
	}
}

// A scan takes few reads, and a jump few bytes.
func TestReadSizes(t *testing.T) {
	src := sourcetest.NewFake(make([]byte, 64<<20))
	r := NewReader(t.Context(), src, source.Range{Length: src.Size()})
	for offset := int64(0); offset < 32<<20; offset += 2000 {
		if _, err := r.Peek(offset, 100); err != nil {
			t.Fatal(err)
		}
	}
	if counts := src.Counts(); counts.Calls > 16 {
		t.Errorf("%d reads for a walk", counts.Calls)
	}
	before := src.Counts()
	for _, offset := range []int64{60 << 20, 10 << 20, 50 << 20} {
		if _, err := r.Peek(offset, 12); err != nil {
			t.Fatal(err)
		}
	}
	if bytes := src.Counts().Bytes - before.Bytes; bytes > 3*jumpReadBytes {
		t.Errorf("%d bytes for three jumps", bytes)
	}
	broken := errors.New("broken")
	src.FailCall(src.Counts().Calls+1, broken)
	if _, err := r.Peek(0, 1); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// A section reuses the bytes that the reader has read.
func TestReaderSection(t *testing.T) {
	src := sourcetest.NewFake([]byte("a box, and a codestream, and more"))
	r := NewReader(t.Context(), src, source.Range{Length: src.Size()})
	if _, err := r.Peek(0, 4); err != nil {
		t.Fatal(err)
	}
	part := r.Section(source.Range{Offset: 13, Length: 10})
	got, err := part.Peek(0, 100)
	if err != nil || string(got) != "codestream" || src.Counts().Calls != 1 {
		t.Errorf("got %q (%v) by %d reads", got, err, src.Counts().Calls)
	}
}

// Prefetched bytes are returned without a read; other bytes are read as requested.
func TestPrefetch(t *testing.T) {
	content := make([]byte, 200<<10)
	random := rand.New(rand.NewPCG(2, 3))
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	src := sourcetest.NewFake(content)
	const skipped = 500
	f := &Codestream{src: src, extent: source.Range{Offset: skipped, Length: 150 << 10}}
	g := f.newReader(t.Context())
	err := f.prefetch(g, []packets.Range{{Offset: 90 << 10, Length: 300}, {Offset: 4000, Length: 100}, {Offset: 4100, Length: 50}, {Offset: 149 << 10, Length: 4 << 10}})
	if err != nil {
		t.Fatal(err)
	}
	part := content[skipped:][:f.extent.Length]
	for _, test := range []struct {
		offset    int64
		minLength int
		reads     int // after the prefetch
	}{
		{4000, 100, 0}, {4050, 10, 0}, {4149, 1, 0}, {90<<10 + 299, 1, 0}, {149 << 10, 1 << 10, 0},
		{4050, 60, 1}, {90<<10 + 299, 2, 2},
	} {
		got, err := g.Peek(test.offset, test.minLength)
		if err != nil || len(got) < test.minLength || !bytes.HasPrefix(part[test.offset:], got) {
			t.Errorf("at %d, of %d bytes asked for, %d came, or others (%v)", test.offset, test.minLength, len(got), err)
		}
		if reads := src.Counts().Calls - 1; reads != test.reads {
			t.Errorf("at %d: %d reads, want %d", test.offset, reads, test.reads)
		}
	}
}
