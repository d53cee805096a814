package blockindex_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/ifd"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

const (
	units    = 3 * perChunk
	perChunk = blockindex.ChunkBytes / 8
	stored   = perChunk + 5    // a unit that is stored
	cutOff   = 2*perChunk + 10 // a unit that ends beyond the file; no others are stored
)

// newIndex returns an index of two arrays of three chunks each, and the file that they lie in. The
// first chunks are zeros.
func newIndex(t *testing.T, cacheBytes int64) (*blockindex.Index, *sourcetest.Fake) {
	t.Helper()
	const arrayBytes = units * 8
	data := make([]byte, 2*arrayBytes)
	binary.LittleEndian.PutUint64(data[stored*8:], 100)
	binary.LittleEndian.PutUint64(data[arrayBytes+stored*8:], 20)
	binary.LittleEndian.PutUint64(data[cutOff*8:], 2*arrayBytes-7)
	binary.LittleEndian.PutUint64(data[arrayBytes+cutOff*8:], 8)
	at := func(offset int64) *ifd.Entry {
		return &ifd.Entry{Type: ifd.Long8, Order: binary.LittleEndian, Count: units, Offset: offset}
	}
	x, err := blockindex.New(units, at(0), at(arrayBytes), blockindex.Unlisted{}, 2*arrayBytes)
	if err != nil {
		t.Fatal(err)
	}
	src, cache := sourcetest.NewFake(data), blockindex.NewCache(cacheBytes)
	x.ReadWith(blockindex.NewReader(src, func() *blockindex.Cache { return cache }))
	return x, src
}

func TestNewChecksArrays(t *testing.T) {
	entry := func(kind ifd.Type, count uint64) *ifd.Entry {
		return &ifd.Entry{Type: kind, Order: binary.LittleEndian, Count: count}
	}
	for _, test := range []struct {
		name           string
		units          int64
		offsets, sizes *ifd.Entry
		want           error
	}{
		{"both", 4, entry(ifd.Long, 4), entry(ifd.Short, 4), nil},
		{"more values than units", 4, entry(ifd.Long, 9), entry(ifd.Short, 5), nil},
		{"no size of the only unit", 1, entry(ifd.Long, 1), nil, nil},
		{"no sizes", 2, entry(ifd.Long, 2), nil, nil},
		{"no offsets", 1, nil, entry(ifd.Long, 1), ifd.ErrCorrupt},
		{"offsets that are no integers", 1, entry(ifd.Double, 1), entry(ifd.Long, 1), ifd.ErrCorrupt},
		{"one size too few", 4, entry(ifd.Long, 4), entry(ifd.Long, 3), nil},
		{"far too few sizes", 17, entry(ifd.Byte, 17), entry(ifd.Byte, 1), ifd.ErrCorrupt},
		{"too many bytes together", 4, entry(ifd.Long, 9), entry(ifd.Long, 9), ifd.ErrLimit},
	} {
		const maxBytes = 64
		if x, err := blockindex.New(test.units, test.offsets, test.sizes, blockindex.Unlisted{}, maxBytes); !errors.Is(err, test.want) || (x == nil) != (err != nil) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
}

func TestFind(t *testing.T) {
	x, src := newIndex(t, 1<<20)
	end := src.Size()
	for _, test := range []struct {
		name   string
		unit   int64
		where  source.Range
		ok     bool
		err    error
		chunks int // that are read
	}{
		{"not stored", 3, source.Range{}, false, nil, 2},
		{"stored", stored, source.Range{Offset: 100, Length: 20}, true, nil, 2},
		{"beside it", stored + 1, source.Range{}, false, nil, 0},
		{"beyond the end", cutOff, source.Range{Offset: end - 7, Length: 7}, false, ifd.ErrCorrupt, 2},
	} {
		l := new(blockindex.Lookup)
		x.Find(l, test.unit, end)
		if l.Missing() != test.chunks {
			t.Errorf("%s: %d chunks are missing, want %d", test.name, l.Missing(), test.chunks)
		}
		if err := l.Load(t.Context(), l.Missing()); err != nil {
			t.Fatal(err)
		}
		where, ok, err := x.Find(l, test.unit, end)
		if where != test.where || ok != test.ok || !errors.Is(err, test.err) || l.Missing() > 0 {
			t.Errorf("%s: got %v, %t and %v with %d chunks missing, want %v, %t and %v", test.name, where, ok, err, l.Missing(), test.where, test.ok, test.err)
		}
	}
}

func TestLoadFails(t *testing.T) {
	x, src := newIndex(t, 1<<20)
	broken := errors.New("broken")
	src.FailCall(1, broken)
	l := new(blockindex.Lookup)
	x.Find(l, stored, src.Size())
	if err := l.Load(t.Context(), l.Missing()); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// TestEmptiness checks runs of units while nothing is cached, so that only what was recorded of the
// chunks is known later.
func TestEmptiness(t *testing.T) {
	x, _ := newIndex(t, 0)
	l := new(blockindex.Lookup)
	if got := x.Emptiness(l, 0, units); got != blockindex.Undecided || l.Missing() != 3 {
		t.Fatalf("got %d with %d chunks missing before anything is read", got, l.Missing())
	}
	if err := l.Load(t.Context(), l.Missing()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name       string
		first, end int64
		want       blockindex.Emptiness // of the lookup that loaded the chunks
		later      blockindex.Emptiness // of another
	}{
		{"the chunk of zeros", 0, perChunk, blockindex.Empty, blockindex.Empty},
		{"a part of it", 7, 9, blockindex.Empty, blockindex.Empty},
		{"all units", 0, units, blockindex.NotEmpty, blockindex.NotEmpty},
		{"a chunk with values", perChunk, 2 * perChunk, blockindex.NotEmpty, blockindex.NotEmpty},
		{"its zeros", stored + 1, 2 * perChunk, blockindex.Empty, blockindex.Undecided},
		{"its unit", stored, stored + 1, blockindex.NotEmpty, blockindex.Undecided},
	} {
		if got := x.Emptiness(l, test.first, test.end); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
		if got := x.Emptiness(new(blockindex.Lookup), test.first, test.end); got != test.later {
			t.Errorf("%s, later: got %d, want %d", test.name, got, test.later)
		}
	}
}

func TestLargestSize(t *testing.T) {
	entry := func(values ...byte) *ifd.Entry {
		return &ifd.Entry{Type: ifd.Byte, Order: binary.LittleEndian, Count: uint64(len(values)), Value: values}
	}
	x, err := blockindex.New(3, entry(1, 2, 3), entry(9, 200, 4), blockindex.Unlisted{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	const fileBytes = 150 // less than one of the sizes
	if largest, known := x.LargestSize(fileBytes); largest != 9 || !known {
		t.Errorf("got %d, %t, want 9", largest, known)
	}
	unread, _ := newIndex(t, 0)
	if _, known := unread.LargestSize(fileBytes); known {
		t.Error("the largest of sizes that were not read is known")
	}
}

// Units behind the end of a short array are lost, those before it are not.
func TestShortArrays(t *testing.T) {
	entry := func(values ...byte) *ifd.Entry {
		return &ifd.Entry{Type: ifd.Byte, Order: binary.LittleEndian, Count: uint64(len(values)), Value: values}
	}
	x, err := blockindex.New(4, entry(1, 2, 3), entry(9, 9), blockindex.Unlisted{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	const fileBytes = 50
	l := new(blockindex.Lookup)
	if where, ok, err := x.Find(l, 1, fileBytes); !ok || err != nil || where != (source.Range{Offset: 2, Length: 9}) {
		t.Errorf("unit 1: got %v, %t, %v", where, ok, err)
	}
	for _, number := range []int64{2, 3} {
		if _, ok, err := x.Find(l, number, fileBytes); ok || !errors.Is(err, ifd.ErrCorrupt) {
			t.Errorf("unit %d: got %t, %v, want %v", number, ok, err, ifd.ErrCorrupt)
		}
	}
	if got := x.Emptiness(l, 2, 4); got != blockindex.NotEmpty {
		t.Errorf("the lost units are %v, want %v", got, blockindex.NotEmpty)
	}
	if largest, known := x.LargestSize(fileBytes); largest != 9 || !known {
		t.Errorf("the largest unit has %d bytes, %t", largest, known)
	}
}

// Units whose sizes are not listed have one size, or end before the next one or with the file.
func TestUnlistedSizes(t *testing.T) {
	const fileBytes = 40
	offsets := &ifd.Entry{Type: ifd.Byte, Order: binary.LittleEndian, Count: 6, Value: []byte{2, 9, 30, 0, 12, 50}}
	for _, test := range []struct {
		unlisted blockindex.Unlisted
		want     []int64 // lengths; 0 if it is not stored
	}{
		{blockindex.Unlisted{Bytes: 11}, []int64{11, 11, 10, 0, 11}},
		{blockindex.Unlisted{Bytes: 15, ToNext: true}, []int64{7, 15, 10, 0, 15}},
	} {
		x, err := blockindex.New(6, offsets, nil, test.unlisted, 100)
		if err != nil || x.HasSizes() {
			t.Fatalf("got %v, sizes: %t", err, x.HasSizes())
		}
		l := new(blockindex.Lookup)
		for number, want := range test.want {
			if where, ok, err := x.Find(l, int64(number), fileBytes); where.Length != want || ok != (want > 0) || err != nil {
				t.Errorf("%+v, unit %d: got %v, %t, %v, want %d bytes", test.unlisted, number, where, ok, err, want)
			}
		}
		if _, ok, err := x.Find(l, 5, fileBytes); ok || !errors.Is(err, ifd.ErrCorrupt) {
			t.Errorf("%+v: a unit behind the file: %t, %v", test.unlisted, ok, err)
		}
	}
}
