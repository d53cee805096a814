package library

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/source/local"
)

// BenchmarkScan scans folders with 100,000 files that are all open already.
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
			l := New(Config{Catalog: layer.NewCatalog(layer.CatalogConfig{}), Files: local.Store{}, IsRaster: isRaster})
			l.desired.rescan, l.desired.paths = rescan, []servedPath{{location{dataset.Address{Path: top, Number: 1}, true, false}, nil}}
			l.rescan(b.Context())
			l.pending.ready = nil
			for _, w := range l.layers {
				l.opened[w.id] = openLayer{desiredLayer: w} // without a layer, which takes memory
			}
			b.ReportAllocs()
			for b.Loop() {
				if l.rescan(b.Context()); len(l.layers) != files || len(l.pending.ready) != 0 {
					b.Fatalf("%d files, of which %d are new", len(l.layers), len(l.pending.ready))
				}
			}
		})
	}
}
