package cog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tileserver/encode/blocks"
	"tileserver/raster"
)

func TestImagesThatCannotBeCOGsAreErrors(t *testing.T) {
	for name, change := range map[string]func(*Image){
		"no levels":           func(img *Image) { img.Info.Levels = nil },
		"no pixels":           func(img *Image) { img.Info.Levels[0].Width = 0 },
		"odd blocks":          func(img *Image) { img.Info.Levels[0].BlockWidth = 33 },
		"blocks of two sizes": func(img *Image) { img.Info.Levels[1].BlockHeight = 64 },
		"overview larger":     func(img *Image) { img.Info.Levels[1].Width = 1000 },
		"too many blocks":     func(img *Image) { img.Info.Levels = Levels(1<<30, 1<<30, 32) },
		"no bands":            func(img *Image) { img.Info.Bands = nil },
		"no type":             func(img *Image) { img.Info.Type = raster.Unknown },
		"two kinds of nodata": func(img *Image) {
			img.Info.Bands[0].HasNoData, img.Info.Bands[1].NoData, img.Info.Bands[1].HasNoData = true, 1, true
		},
		"metadata of no band":  func(img *Image) { img.Metadata = []Item{{Band: 3}} },
		"orientation":          func(img *Image) { img.Info.Orientation = 6 },
		"palette of two bands": func(img *Image) { img.Info.Bands[0].Color = raster.PaletteIndex },
		"inks of two bands":    func(img *Image) { img.Info.Colors.Space = raster.CMYK },
		"color space":          func(img *Image) { img.Info.Colors.Space = raster.CIELab },
		"RPCs":                 func(img *Image) { img.RPC = make([]float64, 91) },
		"keys":                 func(img *Image) { img.Place = &Place{Keys: GeoKeys{Directory: make([]uint16, 5)}} },
		"coding":               func(img *Image) { img.Coding.Compression = blocks.JPEG },
	} {
		img := imageOf(raster.Uint8, 100, 70, 2)
		change(img)
		path := filepath.Join(t.TempDir(), "out.tif")
		if _, err := Create(path, img); !errors.Is(err, ErrImage) {
			t.Errorf("%s: %v", name, err)
		}
		checkEmpty(t, filepath.Dir(path))
	}
}

func checkEmpty(t *testing.T, folder string) {
	t.Helper()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("in the folder: %v, %v", entries, err)
	}
}

func TestTilesThatDoNotFitAreErrors(t *testing.T) {
	img := imageOf(raster.Uint8, 100, 70, 2)
	w, err := Create(filepath.Join(t.TempDir(), "out.tif"), img)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	first := raster.BlockID{}
	put := func(level int, id raster.BlockID, t raster.DataType, width, bands int) error {
		return w.Put(level, id, raster.NewBuffer(t, width, 32, bands).Freeze())
	}
	for name, err := range map[string]error{
		"no such level":    put(4, first, raster.Uint8, 32, 2),
		"no such block":    put(0, raster.BlockID{Col: 4}, raster.Uint8, 32, 2),
		"beyond the image": put(0, raster.BlockID{Col: 3}, raster.Uint8, 32, 2),
		"type":             put(0, first, raster.Int8, 32, 2),
		"bands":            put(0, first, raster.Uint8, 32, 1),
		"no tile":          w.Put(0, first, raster.Tile{}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := put(0, first, raster.Uint8, 32, 2); err != nil {
		t.Fatal(err)
	}
	if err := put(0, first, raster.Uint8, 32, 2); err == nil {
		t.Error("a block was written twice")
	}
}

func TestAMissingBlockIsAnErrorThatNamesIt(t *testing.T) {
	img := imageOf(raster.Uint8, 100, 70, 1)
	path := filepath.Join(t.TempDir(), "out.tif")
	w, err := Create(path, img)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocksOf(img) {
		if b.level != 1 || b.id.Col != 1 {
			if err := w.Put(b.level, b.id, tileOf(img, b.level, b.id)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Finish(t.Context()); err == nil || !strings.Contains(err.Error(), "level 1: block 1,0") {
		t.Error(err)
	}
	checkEmpty(t, filepath.Dir(path))
}

func TestACanceledFileDoesNotTouchTheOneThatWasThere(t *testing.T) {
	img := imageOf(raster.Uint8, 100, 70, 1)
	path := filepath.Join(t.TempDir(), "out.tif")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path, img)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocksOf(img) {
		if err := w.Put(b.level, b.id, tileOf(img, b.level, b.id)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Finish(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	checkAlone(t, path)
	if got, err := os.ReadFile(path); err != nil || string(got) != "before" {
		t.Errorf("%q, %v", got, err)
	}
}

// fullDisk creates files on a disk that has room for so many bytes.
type fullDisk struct{ room int64 }

type fullFile struct {
	file
	disk *fullDisk
}

func (d *fullDisk) create(path string) (file, error) {
	f, err := createNew(path)
	return fullFile{f, d}, err
}

func (f fullFile) WriteAt(p []byte, at int64) (int, error) {
	if f.disk.room -= int64(len(p)); f.disk.room < 0 {
		return 0, syscall.ENOSPC
	}
	return f.file.WriteAt(p, at)
}

// The disk is full while blocks come, or while the file is made of them.
func TestAFullDiskIsAnErrorThatLeavesNothing(t *testing.T) {
	img := imageOf(raster.Uint8, 100, 70, 1)
	for _, room := range []int64{0, 5000, 25_000} {
		path := filepath.Join(t.TempDir(), "out.tif")
		disk := &fullDisk{room}
		w, err := create(path, img, disk.create)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocksOf(img) {
			if err = w.Put(b.level, b.id, tileOf(img, b.level, b.id)); err != nil {
				break
			}
		}
		if err == nil {
			err = w.Finish(t.Context())
		} else {
			err = errors.Join(err, w.Abort())
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
		checkEmpty(t, filepath.Dir(path))
	}
}

func TestBlocksThatComeAfterTheEndAreErrors(t *testing.T) {
	img := imageOf(raster.Uint8, 300, 300, 1)
	path := filepath.Join(t.TempDir(), "out.tif")
	w, err := Create(path, img)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for _, b := range blocksOf(img) {
		group.Go(func() {
			err := w.Put(b.level, b.id, tileOf(img, b.level, b.id))
			if err != nil && !errors.Is(err, ErrEnded) && !errors.Is(err, os.ErrClosed) {
				t.Error(err)
			}
		})
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	group.Wait()
	checkEmpty(t, filepath.Dir(path))
	if err := w.Finish(t.Context()); err == nil {
		t.Error("a COG was written after the end")
	}
	checkEmpty(t, filepath.Dir(path))
}

func TestAFolderThatDoesNotExistIsAnError(t *testing.T) {
	if _, err := Create(filepath.Join(t.TempDir(), "no", "out.tif"), imageOf(raster.Uint8, 10, 10, 1)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
