package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"tileserver/source"
	"tileserver/source/sourcetest"
)

func TestFileConforms(t *testing.T) {
	for name, options := range map[string]source.Options{
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
				f, err := source.OpenFile(path, options)
				if err != nil {
					t.Fatal(err)
				}
				return f
			})
		})
	}
}

func TestBytesConform(t *testing.T) {
	sourcetest.Run(t, func(_ *testing.T, data []byte) source.Source { return source.NewBytes("object", data) })
}

func TestFakeConforms(t *testing.T) {
	sourcetest.Run(t, func(_ *testing.T, data []byte) source.Source { return sourcetest.NewFake(data) })
}

func TestBytesVersionDependsOnContent(t *testing.T) {
	one, same, other := source.NewBytes("a", []byte("x")), source.NewBytes("b", []byte("x")), source.NewBytes("a", []byte("y"))
	if one.Version() != same.Version() || one.Version() == other.Version() {
		t.Errorf("versions of x, x, y: %s, %s, %s", one.Version(), same.Version(), other.Version())
	}
}

func BenchmarkFileReadRanges(b *testing.B) {
	const blockBytes = 64 << 10
	path := filepath.Join(b.TempDir(), "object")
	if err := os.WriteFile(path, make([]byte, 64*blockBytes), 0o600); err != nil {
		b.Fatal(err)
	}
	f, err := source.OpenFile(path, source.Options{})
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
