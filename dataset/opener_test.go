package dataset

import (
	"os"
	"path/filepath"
	"testing"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/decode/tiff/tifftest"
	"tileserver/source/local"
)

// BenchmarkOpenFile opens files on disk, with and without the search for siblings.
func BenchmarkOpenFile(b *testing.B) {
	utm := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 5300000, PixelX: 10, PixelY: 10})
	plain := tifftest.Image{Width: 400, Height: 300, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 64, Value: func(x, y, _ int) float64 { return float64((3*x + 5*y) % 256) }}
	placed := plain
	placed.Tags = utm
	for _, test := range []struct {
		name   string
		images []tifftest.Image
	}{
		{"plain", []tifftest.Image{plain}},
		{"placed, with overviews", append([]tifftest.Image{placed}, tifftest.Overviews(placed, 2)...)},
	} {
		data, err := tifftest.File{COG: true, Images: test.images}.Encode()
		if err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(b.TempDir(), "scene.tif")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			b.Fatal(err)
		}
		opener := NewOpener(Config{Files: local.Store{}, Workers: 1, InFlight: 16 << 20})
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, _, err := opener.Open(b.Context(), path, Options{ID: "id"})
				if err != nil {
					b.Fatal(err)
				}
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Code-block indexes are stored in the state folder, by content: another file with the same key
// does not see them.
func TestCodeBlockIndexesAreStored(t *testing.T) {
	state, err := disk.Open(disk.Config{Folder: filepath.Join(t.TempDir(), "state"), MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	o := NewOpener(Config{Workers: 1, InFlight: 16 << 20, Cache: cache.New(16 << 20), State: state})
	one, other := o.stateOf("one"), o.stateOf("other")
	if err := one.Put(t.Context(), "key", []byte("found")); err != nil {
		t.Fatal(err)
	}
	if got, ok := one.Get(t.Context(), "key"); !ok || string(got) != "found" {
		t.Errorf("kept %q, %v", got, ok)
	}
	if got, ok := other.Get(t.Context(), "key"); ok {
		t.Errorf("another file's %q", got)
	}
	if o.stateOf("") != nil {
		t.Error("something is kept of a file that nobody knows again")
	}
}
