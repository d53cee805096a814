package raster_test

import (
	"testing"

	"tileserver/raster"
)

func TestRowsShareTheBuffer(t *testing.T) {
	b := raster.NewBuffer(raster.Uint16, 3, 5, 2)
	rows := b.Rows(1, 4)
	if rows.Width() != 3 || rows.Height() != 3 || rows.Bands() != 2 || rows.Type() != raster.Uint16 {
		t.Fatalf("%dx%d, %d bands of %v", rows.Width(), rows.Height(), rows.Bands(), rows.Type())
	}
	rows.Fill(1, 7)
	raster.Writable[uint16](rows.Rows(2, 3), 0)[1] = 9
	tile := b.Freeze()
	for band := range 2 {
		for y := range 5 {
			for x := range 3 {
				want := 0.0
				switch {
				case band == 1 && y >= 1 && y < 4:
					want = 7
				case band == 0 && y == 3 && x == 1:
					want = 9
				}
				if got, _ := tile.At(band, x, y); got != want {
					t.Errorf("band %d, pixel %d,%d is %v, want %v", band, x, y, got, want)
				}
			}
		}
	}
}

func TestNoRows(t *testing.T) {
	if rows := raster.NewBuffer(raster.Uint8, 3, 5, 1).Rows(5, 5); rows.Height() != 0 || len(rows.Plane(0)) != 0 {
		t.Errorf("%d rows of %d bytes", rows.Height(), len(rows.Plane(0)))
	}
}

func TestASharedTileCountsAsAReference(t *testing.T) {
	b := raster.NewBuffer(raster.Uint8, 100, 100, 3)
	b.SetValidity(make([]uint8, 100*100))
	kept := b.Freeze()
	shared := kept.Shared()
	if !shared.SamePixels(kept) {
		t.Error("the pixels are not the same")
	}
	if size := shared.Size(); size <= 0 || size > 1000 || kept.Size() < 40_000 {
		t.Errorf("the original takes %d bytes and the other %d", kept.Size(), size)
	}
	if size := shared.WithValidity(make([]uint8, 100*100)).Size(); size < 40_000 {
		t.Errorf("with a coverage of its own it takes %d bytes", size)
	}
}
