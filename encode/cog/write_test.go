package cog

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	decoded "tileserver/decode/blocks"
	"tileserver/decode/pool"
	"tileserver/decode/tiff"
	"tileserver/raster"
	"tileserver/source"
)

// imageOf returns an image with the levels of its size and unnamed bands.
func imageOf(t raster.DataType, width, height, bands int) *Image {
	return &Image{Info: raster.Info{Type: t, Bands: make([]raster.Band, bands), Levels: Levels(width, height, 32)}}
}

// colored names the first bands red, green and blue, and a fourth one alpha.
func colored(img *Image) *Image {
	for i := range img.Info.Bands {
		img.Info.Bands[i].Color = []raster.Color{raster.Red, raster.Green, raster.Blue, raster.Alpha}[i]
	}
	return img
}

// tileOf returns a block of an image: smooth, with noise, and with holes if the image can have them.
func tileOf(img *Image, level int, id raster.BlockID) raster.Tile {
	rect := img.Info.Levels[level].Block(id)
	random := rand.New(rand.NewPCG(uint64(level), uint64(id.Row)<<32|uint64(id.Col)))
	b := raster.NewBuffer(img.Info.Type, rect.Width(), rect.Height(), len(img.Info.Bands))
	size := img.Info.Type.Size()
	_, hasNoData := img.noData()
	for band := range img.Info.Bands {
		plane := b.Plane(band)
		for i := range plane {
			x, y := rect.X0+i/size%rect.Width(), rect.Y0+i/size/rect.Width()
			plane[i] = byte(x+y*2+band*50+level) + byte(random.IntN(3))
			if part := img.Info.Type.Part(); (img.Info.Type.IsFloat() || part == raster.Float32 || part == raster.Float64) && i%4 == 3 {
				plane[i] = 0x40 // neither NaN nor infinite
			}
			if hasNoData {
				plane[i] &= 0x7f // never nodata, whose highest bit is set
			}
		}
	}
	if hasNoData || img.Info.Masked {
		b.SetValidity(holes(rect, random))
	}
	return b.Freeze()
}

// holes returns coverage with holes, and the block 1,1 without any.
func holes(rect raster.Rect, random *rand.Rand) []uint8 {
	coverage := make([]uint8, rect.Width()*rect.Height())
	for i := range coverage {
		if random.IntN(4) > 0 && (rect.X0 != 32 || rect.Y0 != 32) {
			coverage[i] = raster.Valid
		}
	}
	return coverage
}

// block is a block of a level.
type block struct {
	level int
	id    raster.BlockID
}

func blocksOf(img *Image) []block {
	var all []block
	for level, l := range img.Info.Levels {
		for _, id := range l.Covering(l.Bounds()) {
			all = append(all, block{level, id})
		}
	}
	return all
}

// write writes all blocks in the given order on so many workers, and returns the file.
func write(t *testing.T, img *Image, order []block, workers int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.tif")
	w, err := Create(path, img)
	if err != nil {
		t.Fatal(err)
	}
	queue := make(chan block)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for b := range queue {
				if err := w.Put(b.level, b.id, tileOf(img, b.level, b.id)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, b := range order {
		queue <- b
	}
	close(queue)
	group.Wait()
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkAlone(t, path)
	return path
}

// checkAlone checks that nothing lies beside a file.
func checkAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("in the folder: %v, %v", entries, err)
	}
}

// open opens a file with the reader of this module.
func open(t *testing.T, path string) *tiff.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	workers := pool.New(pool.Config{Workers: 2})
	f, err := tiff.Open(t.Context(), source.NewBytes("out.tif", data), tiff.Config{Pool: workers, Codecs: decoded.AllCodecs(), Key: "out"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if n := len(f.Images()); n != 1 {
		t.Fatalf("%d images", n)
	}
	return f.Images()[0]
}

// checkPixels compares all pixels of all levels with what was written.
func checkPixels(t *testing.T, img *Image, got *tiff.Image) {
	t.Helper()
	for level, l := range img.Info.Levels {
		ids := l.Covering(l.Bounds())
		tiles, err := got.Blocks(context.Background(), level, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			checkTile(t, img, tiles[i], block{level, id})
		}
	}
}

func checkTile(t *testing.T, img *Image, got raster.Tile, b block) {
	t.Helper()
	want := tileOf(img, b.level, b.id)
	size := want.Type().Size()
	for band := range want.Bands() {
		coverage, covered := want.Validity(band), got.Validity(band)
		for i := range want.Width() * want.Height() {
			isValid := coverage == nil || coverage[i] != 0
			if gotValid := covered == nil || covered[i] != 0; gotValid != isValid && img.Info.Alpha() < 0 {
				t.Fatalf("%+v: pixel %d of band %d is valid: %v, want %v", b, i, band+1, gotValid, isValid)
			}
			sample, wanted := got.Plane(band)[i*size:][:size], want.Plane(band)[i*size:][:size]
			if isValid && string(sample) != string(wanted) {
				t.Fatalf("%+v: pixel %d of band %d is %v, want %v", b, i, band+1, sample, wanted)
			}
		}
	}
}
