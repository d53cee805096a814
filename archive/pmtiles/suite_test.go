package pmtiles

import (
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/cache"
	"tileserver/source/local"
	"tileserver/source/ranges"
)

func openFile(t *testing.T, path string) *Archive {
	t.Helper()
	src, err := local.Open(path, ranges.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	a, err := Open(t.Context(), src, NewDirectories(cache.New(1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestSuite(t *testing.T) {
	for name, memory := range map[string]int64{"in memory": 0, "on disk": 1} {
		t.Run(name, func(t *testing.T) {
			archivetest.Run(t, archivetest.Kind{
				Create: func(path string, d archive.Description) (archive.Writer, error) {
					return Create(path, Options{Description: d, MemoryBytes: memory})
				},
				Open: func(t *testing.T, path string) archive.Reader { return openFile(t, path) },
			})
		})
	}
}
