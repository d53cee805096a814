package local_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/local"
	"tileserver/source/ranges"
	"tileserver/source/sourcetest"
)

func TestFileConforms(t *testing.T) {
	for name, options := range map[string]ranges.Options{
		"defaults":              {},
		"no merging, one read":  {MergeGapBytes: -1, MaxMergedBytes: 1, ParallelReads: 1},
		"small reads, parallel": {MergeGapBytes: 100, MaxMergedBytes: 5000, ParallelReads: 4},
	} {
		t.Run(name, func(t *testing.T) {
			sourcetest.Run(t, func(t *testing.T, data []byte) source.Source {
				path := filepath.Join(t.TempDir(), "object")
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				f, err := local.Open(path, options)
				if err != nil {
					t.Fatal(err)
				}
				return f
			})
		})
	}
}

func BenchmarkFileReadRanges(b *testing.B) {
	const blockBytes = 64 << 10
	path := filepath.Join(b.TempDir(), "object")
	if err := os.WriteFile(path, make([]byte, 64*blockBytes), 0o600); err != nil {
		b.Fatal(err)
	}
	for name, ranges := range map[string][]source.Range{
		"one block":         {{Offset: 5 * blockBytes, Length: blockBytes}},
		"4 blocks in a row": blocks(blockBytes, 8, 9, 10, 11),
		"4 blocks apart":    blocks(blockBytes, 3, 13, 33, 43),
	} {
		for kind, store := range map[string]source.Store{
			"bare": local.Store{}, "guarded": guard.Wrap(local.Store{Calls: local.NewCalls()}, guard.Config{Timeout: time.Minute}),
		} {
			b.Run(name+"/"+kind, func(b *testing.B) { benchmarkReads(b, store, path, ranges, int64(len(ranges))*blockBytes) })
		}
	}
}

func benchmarkReads(b *testing.B, store source.Store, path string, ranges []source.Range, bytes int64) {
	f, err := store.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.ReadRanges(b.Context(), ranges); err != nil {
			b.Fatal(err)
		}
	}
}

func blocks(blockBytes int64, indexes ...int64) []source.Range {
	ranges := make([]source.Range, len(indexes))
	for i, index := range indexes {
		ranges[i] = source.Range{Offset: index * blockBytes, Length: blockBytes}
	}
	return ranges
}

func TestStoreConforms(t *testing.T) {
	for name, store := range map[string]source.Store{
		"a store":                      local.Store{},
		"one whose calls may hang":     local.Store{Calls: local.NewCalls()},
		"the same with a guard on top": guard.Wrap(local.Store{Calls: local.NewCalls()}, guard.Config{Timeout: time.Minute}),
	} {
		t.Run(name, func(t *testing.T) { testStore(t, store) })
	}
}

func testStore(t *testing.T, store source.Store) {
	sourcetest.RunStore(t, func(t *testing.T) sourcetest.Fixture {
		root, old := t.TempDir(), time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
		return sourcetest.Fixture{
			Store: store,
			Join:  func(names ...string) string { return filepath.Join(append([]string{root}, names...)...) },
			Put: func(path, data string) {
				err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(data), 0o644), os.Chtimes(path, old, old))
				if err != nil {
					t.Fatal(err)
				}
			},
			Drop: func(path string) {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}
