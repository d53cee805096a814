package tiff

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/pool"
	"tileserver/source"
)

// sharedValue stands for the offset of a value that all directories of a rawChain share.
const sharedValue = 0xffffffff

// rawChain returns a chain of directories with the same entries and one shared value.
func rawChain(count int, shared []byte, entries ...rawEntry) []byte {
	directoryBytes := 2 + 12*len(entries) + 4
	end := uint32(8 + count*directoryBytes)
	entries = slices.Clone(entries)
	for i := range entries {
		if entries[i].value == sharedValue {
			entries[i].value = end
		}
	}
	file := rawFile(0, entries...)[:8]
	for i := range count {
		next := uint32(8 + (i+1)*directoryBytes)
		if i == count-1 {
			next = 0
		}
		file = append(file, rawFile(next, entries...)[8:]...)
	}
	return append(file, shared...)
}

// manyBelow returns an image whose sub-directories all overlap: its bytes form a large directory
// wherever reading begins.
func manyBelow() []byte {
	const directories, region = 16000, 100 << 10
	file := rawFile(0, rawImage(rawEntry{330, 4, directories, 8 + 2 + 10*12 + 4})...)
	start := len(file) + 4*directories
	for i := range directories {
		file = binary.LittleEndian.AppendUint32(file, uint32(start+i))
	}
	return append(file, []byte(strings.Repeat("\x0f", region))...)
}

// TestBombs opens files whose directories are small but demand much memory. The memory must be
// bounded, including copies of the same bytes.
func TestBombs(t *testing.T) {
	const large = 16 << 20
	noise := []byte(strings.Repeat("\x01", large))
	index := make([]byte, 60<<10)
	for _, test := range []struct {
		name   string
		file   []byte
		maxMiB uint64
		want   error // nil: it opens, since opening does not need what it demands
	}{
		{"long text in many directories", rawChain(60, noise, rawImage(rawEntry{42112, 2, large, sharedValue})...), 128, ErrLimit},
		{"long keys in many directories", rawChain(16000, noise, rawImage(
			rawEntry{34735, 1, large, sharedValue}, rawEntry{34736, 1, large, sharedValue}, rawEntry{34737, 2, large, sharedValue},
		)...), 64, ErrLimit},
		{"more extra samples than samples", rawChain(60, noise, rawImage(rawEntry{338, 1, large, sharedValue})...), 8, nil},
		{"palettes in many directories", rawChain(1000, noise, rawImage(
			rawEntry{258, 3, 1, 16}, rawEntry{262, 3, 1, 3}, rawEntry{279, 4, 1, 64}, rawEntry{320, 3, 3 << 16, sharedValue},
		)...), 96, ErrLimit},
		{"thousands of bands in many directories", rawChain(1000, nil, rawImage(rawEntry{277, 3, 1, 4096})...), 64, ErrLimit},
		{"one index of many directories", rawChain(500, index, rawImage(
			rawEntry{273, 4, 15 << 10, sharedValue}, rawEntry{279, 4, 15 << 10, sharedValue},
		)...), 16, nil},
		{"directories that overlap", manyBelow(), 96, ErrLimit},
		{"links back from many directories", rawChain(400, slices.Repeat([]byte{8, 0, 0, 0}, 16000), rawImage(rawEntry{330, 4, 16000, sharedValue})...), 16, ErrLimit},
	} {
		pool := pool.New(pool.Config{Workers: 1, Budget: cache.NewBudget(64 << 20)})
		var err error
		grown := allocatedBy(func() { _, err = Open(t.Context(), source.NewBytes("bomb", test.file), Config{Pool: pool}) })
		if !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
		if grown>>20 >= test.maxMiB {
			t.Errorf("%s: %d MiB were allocated, want less than %d", test.name, grown>>20, test.maxMiB)
		}
	}
}

// TestErrorsStaySmall checks errors that quote values of the file.
func TestErrorsStaySmall(t *testing.T) {
	const large = 16 << 20
	values := make([]byte, large)
	values[0] = 8
	file := rawChain(1, values, rawImage(rawEntry{258, 1, large, sharedValue}, rawEntry{277, 3, 1, 4000})...)
	m := openBytes(t, file).Images()[0]
	err := m.Unsupported()
	if !errors.Is(err, decode.ErrUnsupported) || !strings.Contains(err.Error(), "sample 2: 0 bits a sample") {
		t.Errorf("got %.200v, want the difference", err)
	}
}

// TestBlocksThatCannotBeRead opens images of one block that is too large to read. They must open as
// unsupported.
func TestBlocksThatCannotBeRead(t *testing.T) {
	const side = 10000
	strip := func(storedBytes uint32) []rawEntry {
		return rawImage(rawEntry{256, 3, 1, side}, rawEntry{257, 3, 1, side}, rawEntry{259, 3, 1, 8}, rawEntry{277, 3, 1, 3},
			rawEntry{278, 3, 1, side}, rawEntry{279, 4, 1, storedBytes})
	}
	poolOf := func(n int64) *pool.Pool {
		return pool.New(pool.Config{Workers: 1, Budget: cache.NewBudget(n)})
	}
	for _, test := range []struct {
		name   string
		config Config
		want   string // part of the reason; empty if the image can be read
	}{
		{"a budget that is too small", Config{Pool: poolOf(256 << 20)},
			"a block of 10000x10000 pixels takes 572.21 MiB of memory (0.01 MiB stored, 286.11 MiB decompressed, 286.11 MiB as pixels), over the limit of 256 MiB"},
		{"a budget that is just too small", Config{Pool: poolOf(600_000_099)}, "over the limit of 572.21 MiB"},
		{"a budget that is just enough", Config{Pool: poolOf(600_000_100)}, ""},
		{"no budget", Config{Pool: testPool()}, "over the limit of 512 MiB"},
		{"a limit of its own", Config{Pool: testPool(), Limits: Limits{BlockBytes: 1 << 30}}, ""},
		{"a source that gives less", Config{Pool: poolOf(1 << 30), Limits: Limits{StoredBytes: 99}},
			"is stored in 0.01 MiB, over the limit of 0.01 MiB"},
	} {
		f, err := Open(t.Context(), source.NewBytes("large", rawFile(0, strip(100)...)), test.config)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		err = f.Images()[0].Unsupported()
		if test.want == "" && err != nil {
			t.Errorf("%s: got %v, want an image that can be read", test.name, err)
		}
		if test.want != "" && (!errors.Is(err, decode.ErrUnsupported) || !errors.Is(err, ErrLimit) || !errors.Is(err, decode.ErrBlockTooLarge) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
	}
}
