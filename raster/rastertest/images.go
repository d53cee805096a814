package rastertest

import (
	"testing"

	"tileserver/raster"
)

// Speckled returns an image of Speckle in three bands. It has two levels of odd size with blocks
// that are not square.
func Speckled() *Synthetic {
	info := Flat(raster.Uint16, 75, 53, 3, 32, 16)
	info.Pad = 77
	info.Levels = append(info.Levels, raster.Level{Width: 38, Height: 27, BlockWidth: 32, BlockHeight: 16, ScaleX: 75.0 / 38, ScaleY: 53.0 / 27})
	return &Synthetic{Name: "speckled@1", Has: info, Sample: Speckle}
}

// Speckle is a sample function with nodata holes. Neighboring pixels differ.
func Speckle(level, band, x, y int) (float64, bool) {
	return float64((level*7919 + band*1009 + x*31 + y*17) % 60000), (x*x+3*y+band)%11 != 0
}

// DamagedCorner returns an image of 64 x 48 pixels in blocks of 16 x 16, the first of which is
// damaged: a code-block is lost. change, if not nil, changes its info.
func DamagedCorner(change func(*raster.Info)) *Synthetic {
	info := Flat(raster.Uint8, 64, 48, 1, 16, 16)
	if change != nil {
		change(&info)
	}
	return &Synthetic{
		Name: "damaged@1", Has: info,
		Sample: func(_, _, x, y int) (float64, bool) { return float64(x + y), true },
		Lost: func(_ int, r raster.Rect) raster.Damage {
			if r.Intersect(raster.Rect{X1: 16, Y1: 16}).Empty() {
				return raster.Damage{}
			}
			return raster.NewDamage([]raster.Loss{{Kind: "code-block", Text: "code-block 0"}}, false)
		},
	}
}

// ShowsDamage reports to t unless a provider over DamagedCorner tells the loss in a damaged block of
// a level, and none in a sound one. Both may be the same block.
func ShowsDamage(t testing.TB, p raster.Provider, level int, damaged, sound raster.BlockID) {
	t.Helper()
	tiles, err := p.Blocks(t.Context(), level, []raster.BlockID{damaged, sound}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := tiles[0].Damage().String(); got != "1 code-block" {
		t.Errorf("a damaged block has the damage %q", got)
	}
	if d := tiles[1].Damage(); sound != damaged && !d.IsZero() {
		t.Errorf("a sound block has the damage %q", d)
	}
}
