package jpeg

import (
	"bytes"
	"slices"
	"testing"
)

// split feeds data to a splitter in pieces of the given size.
func split(data []byte, size, limit int) []Extent {
	s := Splitter{Limit: limit}
	for piece := range slices.Chunk(data, size) {
		s.Add(piece)
	}
	return s.Streams
}

func TestSplitter(t *testing.T) {
	const (
		start, end = "\xFF\xD8", "\xFF\xD9"
		thumbnail  = "\xFF\xE1\x00\x07\xFF\xD8\xFF\xD9\xFF"
		scan       = "\xFF\xDA\x00\x03\x00ab\xFF\x00c\xFF\xD0d\xFF\xFF\xD1e"
	)
	for _, test := range []struct {
		name, data string
		limit      int
		want       []Extent
	}{
		{"nothing", "", 0, nil},
		{"no stream", "abc\xFF\xD9\xFF\xE1\xFF\xFFabc", 0, nil},
		{"one", start + scan + end, 0, []Extent{{0, 21}}},
		{"between other data", "ab\xFF" + start + end + "cd\xFF\xE1\x00\x09" + start + scan + end + "ef", 0, []Extent{{3, 4}, {13, 21}}},
		{"a stream in a segment", start + thumbnail + scan + end + start + end, 0, []Extent{{0, 30}, {30, 4}}},
		{"fill bytes", start + "\xFF\xFF\xFF\xE1\x00\x02\xFF\xFF\xD9" + start, 0, []Extent{{0, 11}, {11, 0}}},
		{"no end", start + scan + start + scan, 0, []Extent{{0, 19}, {19, 0}}},
		{"a length that is too short", start + "\xFF\xE1\x00\x00\x00" + end, 0, []Extent{{0, 9}}},
		{"the first two of three", start + end + start + end + start + end, 2, []Extent{{0, 4}, {4, 4}}},
	} {
		for size := 1; size <= len(test.data)+1; size++ {
			if got := split([]byte(test.data), size, test.limit); !slices.Equal(got, test.want) {
				t.Errorf("%s in pieces of %d: got %v, want %v", test.name, size, got, test.want)
			}
		}
	}
}

// FuzzSplitter compares pieces of a byte with the whole data, and looks at what was found.
func FuzzSplitter(f *testing.F) {
	f.Add([]byte("ab\xFF\xD8\xFF\xE1\x00\x04\xFF\xD8\xFF\xDA\x00\x02ab\xFF\x00\xFF\xD0\xFF\xD9\xFF\xD8"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := split(data, len(data)+1, 0)
		if single := split(data, 1, 0); !slices.Equal(single, whole) {
			t.Fatalf("byte by byte %v, whole %v", single, whole)
		}
		at := int64(0)
		for i, e := range whole {
			if e.Offset < at || e.Length < 2 && i < len(whole)-1 || !bytes.HasPrefix(data[e.Offset:], []byte{0xFF, byte(MarkerStart)}) {
				t.Fatalf("stream %d of %v", i, whole)
			}
			if at = e.Offset + e.Length; at > int64(len(data)) {
				t.Fatalf("stream %d of %v ends behind %d bytes", i, whole, len(data))
			}
		}
	})
}

func BenchmarkSplitter(b *testing.B) {
	data := bytes.Repeat([]byte("0123456789012345678901234567890123456789\xFF\x00"), 1<<14)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var s Splitter
		s.Add([]byte{0xFF, byte(MarkerStart)})
		s.Add(data)
	}
}
