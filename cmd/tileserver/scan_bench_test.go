package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tileserver/layer"
)

// BenchmarkScan looks into folders of 100,000 files that are all known already.
func BenchmarkScan(b *testing.B) {
	for _, folders := range []int{1, 100} {
		b.Run(fmt.Sprintf("folders=%d", folders), func(b *testing.B) {
			const files = 100_000
			top := b.TempDir()
			for i := range files {
				path := filepath.Join(top, fmt.Sprint(i%folders), fmt.Sprintf("scene_%06d.tif", i))
				if i < folders {
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						b.Fatal(err)
					}
				}
				if err := os.WriteFile(path, nil, 0o644); err != nil {
					b.Fatal(err)
				}
			}
			l := newLibrary(layer.NewCatalog(layer.CatalogConfig{}), nil, nil)
			l.asked.places = []place{{address{top, 1}, true}}
			l.rescan(b.Context())
			l.newcomers.ready = nil
			for _, w := range l.wanted {
				l.opened[w.id] = held{wanted: w} // without what takes memory
			}
			b.ReportAllocs()
			for b.Loop() {
				if l.rescan(b.Context()); len(l.wanted) != files || len(l.newcomers.ready) != 0 {
					b.Fatalf("%d files, of which %d are new", len(l.wanted), len(l.newcomers.ready))
				}
			}
		})
	}
}
