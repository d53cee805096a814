package local_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tileserver/source"
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
	f, err := local.Open(path, ranges.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for name, ranges := range map[string][]source.Range{
		"one block":         {{Offset: 5 * blockBytes, Length: blockBytes}},
		"4 blocks in a row": blocks(blockBytes, 8, 9, 10, 11),
		"4 blocks apart":    blocks(blockBytes, 3, 13, 33, 43),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(ranges)) * blockBytes)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.ReadRanges(b.Context(), ranges); err != nil {
					b.Fatal(err)
				}
			}
		})
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
	sourcetest.RunStore(t, func(t *testing.T) sourcetest.Fixture {
		root, old := t.TempDir(), time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
		return sourcetest.Fixture{
			Store: local.Store{},
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
