package directory

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tileserver/archive"
	"tileserver/decode"
)

func header() Header {
	return Header{
		Root: Section{127, 25}, Metadata: Section{500, 3}, Leaves: Section{503, 97}, Data: Section{600, 400},
		Tiles: 7, Entries: 6, Contents: 5, IsClustered: true, Compression: Gzip, TileCompression: None, TileType: 2,
		MinZoom: 1, MaxZoom: 9, Bounds: [4]int32{-1800000000, -850511287, 1800000000, 850511287}, CenterZoom: 4, Center: [2]int32{-5, 6},
	}
}

func TestAHeaderIsReadAsItWasWritten(t *testing.T) {
	want := header()
	got, err := ParseHeader(want.Bytes(), 1000)
	if err != nil || got != want || len(want.Bytes()) != HeaderBytes {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestHeadersThatLeadNowhere(t *testing.T) {
	tests := map[string]func(*Header){
		"root in the header":      func(h *Header) { h.Root.Offset = 126 },
		"root too far":            func(h *Header) { h.Root = Section{16380, 5} },
		"root behind the end":     func(h *Header) { h.Root = Section{999, 2} },
		"metadata behind the end": func(h *Header) { h.Metadata = Section{1001, 0} },
		"leaves too long":         func(h *Header) { h.Leaves.Length = math.MaxUint64 },
		"data that overflows":     func(h *Header) { h.Data = Section{math.MaxUint64, math.MaxUint64} },
	}
	for name, change := range tests {
		h := header()
		change(&h)
		size := uint64(1000)
		if name == "root too far" {
			size = 1 << 20
		}
		if _, err := ParseHeader(h.Bytes(), size); !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, b := range map[string][]byte{"nothing": nil, "short": header().Bytes()[:126], "another format": bytes.Repeat([]byte{'I'}, 200)} {
		if _, err := ParseHeader(b, 1000); !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	old := header().Bytes()
	old[7] = 2
	if _, err := ParseHeader(old, 1000); !errors.Is(err, decode.ErrUnsupported) {
		t.Errorf("version 2: %v", err)
	}
}

// wide is a header whose sections contain every entry of these tests.
var wide = &Header{Leaves: Section{0, math.MaxInt64}, Data: Section{0, math.MaxInt64}}

func entries(random *rand.Rand, count int) []Entry {
	made := make([]Entry, count)
	number, offset := random.Uint64N(100), random.Uint64N(1e9)
	for i := range made {
		e := Entry{Number: number, Offset: offset, Length: 1 + random.Uint32N(1e6), Run: random.Uint32N(3)}
		if random.IntN(4) == 0 {
			e.Offset = random.Uint64N(1e12)
		}
		made[i] = e
		number, offset = e.End()+random.Uint64N(1<<random.IntN(40)), e.Offset+uint64(e.Length)
	}
	return made
}

func TestADirectoryIsReadAsItWasWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	for _, count := range []int{0, 1, 2, 3, 100, 5000} {
		want := entries(random, count)
		got, err := Parse(Append(nil, want), wide)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d entries: got %d, %v", count, len(got), err)
		}
	}
}

func TestATileIsFoundInItsEntry(t *testing.T) {
	directory := []Entry{{Number: 3, Run: 2, Length: 1}, {Number: 10, Run: 1, Length: 2}, {Number: 20, Run: 0, Length: 3}}
	tests := map[uint64]uint32{0: 0, 2: 0, 3: 1, 4: 1, 5: 0, 10: 2, 11: 0, 19: 0, 20: 3, 21: 3, 5000: 3}
	for number, want := range tests {
		if e, isThere := Find(directory, number); isThere != (want > 0) || isThere && e.Length != want {
			t.Errorf("number %d: %+v, %t", number, e, isThere)
		}
	}
	if _, isThere := Find(nil, 7); isThere {
		t.Error("a tile was found in an empty directory")
	}
}

func varints(values ...uint64) (b []byte) {
	for _, value := range values {
		b = binary.AppendUvarint(b, value)
	}
	return b
}

func TestDirectoriesThatAreHostile(t *testing.T) {
	tests := map[string][]byte{
		"nothing":                    nil,
		"more entries than bytes":    varints(1000, 0, 1, 1, 1),
		"too many entries":           append(varints(MaxEntries+1), make([]byte, 5*MaxEntries)...),
		"first offset behind none":   varints(1, 0, 1, 1, 0),
		"no length":                  varints(1, 0, 1, 0, 1),
		"cut off":                    varints(1, 0, 1, 1),
		"bytes behind":               varints(1, 0, 1, 1, 1, 1),
		"same number twice":          varints(2, 5, 0, 1, 1, 1, 1, 1, 1),
		"runs that overlap":          varints(2, 5, 2, 3, 1, 1, 1, 1, 1),
		"number too large":           varints(1, archive.MaxNumber+1, 1, 1, 1),
		"numbers that overflow":      varints(2, archive.MaxNumber, math.MaxUint64, 1, 1, 1, 1, 1, 1),
		"run beyond the last number": varints(1, archive.MaxNumber, 2, 1, 1),
		"run too long":               varints(1, 0, 1<<32, 1, 1),
		"tile too long":              varints(1, 0, 1, 1<<32, 1),
		"tile behind the end":        varints(1, 0, 1, 10, 392),
		"leaf behind the end":        varints(1, 0, 0, 10, 89),
		"offset that overflows":      varints(1, 0, 1, 10, math.MaxUint64),
		"a number without end":       bytes.Repeat([]byte{0xff}, 100),
	}
	h := header()
	for name, b := range tests {
		if got, err := Parse(b, &h); !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for name, b := range map[string][]byte{"last tile": varints(1, 0, 1, 10, 391), "last leaf": varints(1, 0, 0, 10, 88), "last number": varints(1, archive.MaxNumber, 1, 1, 1)} {
		if _, err := Parse(b, &h); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsDecompressedIsBounded(t *testing.T) {
	content := []byte(strings.Repeat("tiles ", 5000))
	var compressor Compressor
	packed, err := compressor.Compress(content)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for compression, b := range map[Compression][]byte{None: content, Gzip: packed, Zstandard: encoder.EncodeAll(content, nil)} {
		got, err := compression.Decompress(b, len(content))
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%v: got %d bytes, %v", compression, len(got), err)
		}
		if _, err := compression.Decompress(b, len(content)-1); !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%v beyond the limit: %v", compression, err)
		}
		if compression == None {
			continue
		}
		for _, damaged := range [][]byte{nil, b[:len(b)-1], []byte("damaged")} {
			if _, err := compression.Decompress(damaged, 1<<20); !errors.Is(err, decode.ErrCorrupt) && len(damaged) > 0 {
				t.Errorf("%v of %d damaged bytes: %v", compression, len(damaged), err)
			}
		}
	}
	for _, compression := range []Compression{Unknown, Brotli, 77} {
		if _, err := compression.Decompress(content, 1<<20); !errors.Is(err, decode.ErrUnsupported) {
			t.Errorf("%v: %v", compression, err)
		}
	}
}

func TestCompressedBytesDoNotDependOnWhatWasCompressedBefore(t *testing.T) {
	var fresh, used Compressor
	if _, err := used.Compress([]byte(strings.Repeat("other", 3000))); err != nil {
		t.Fatal(err)
	}
	content := []byte(strings.Repeat("tiles ", 5000))
	want, err := fresh.Compress(content)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := used.Compress(content); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v, want %d", len(got), err, len(want))
	}
}

func FuzzHeader(f *testing.F) {
	f.Add(header().Bytes(), uint64(1000))
	f.Fuzz(func(t *testing.T, b []byte, size uint64) {
		h, err := ParseHeader(b, size)
		if err != nil {
			return
		}
		for _, section := range []Section{h.Root, h.Metadata, h.Leaves, h.Data} {
			if section.End() < section.Offset || section.End() > size {
				t.Errorf("%+v of %d bytes", section, size)
			}
		}
		if again, err := ParseHeader(h.Bytes(), size); err != nil || again != h {
			t.Errorf("%+v, %v, is not %+v", again, err, h)
		}
	})
}

func FuzzDirectory(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, count := range []int{0, 1, 5, 40} {
		f.Add(Append(nil, entries(random, count)))
	}
	h := header()
	f.Add(Append(nil, []Entry{{1, 0, 50, 1}, {2, 50, 60, 1}, {3, 0, 50, 2}, {9, 0, 90, 0}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, h := range []*Header{&h, wide} {
			parsed, err := Parse(b, h)
			if err != nil {
				if !errors.Is(err, decode.ErrCorrupt) {
					t.Errorf("got %v", err)
				}
				continue
			}
			if again, err := Parse(Append(nil, parsed), h); err != nil || !slices.Equal(again, parsed) {
				t.Errorf("%v, %v, are not %v", again, err, parsed)
			}
			for _, e := range parsed {
				if found, isThere := Find(parsed, e.End()-1); !isThere || found != e {
					t.Errorf("%+v is not found, but %+v", e, found)
				}
			}
		}
	})
}
