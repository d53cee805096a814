package rastertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tileserver/raster"
)

// forwarding passes everything on.
type forwarding struct{ raster.Wrapper }

// silent forwards nothing but the methods of a Provider.
type silent struct{ raster.Provider }

// changing changes the samples of blocks, and forgets those of windows and pictures.
type changing struct{ raster.Wrapper }

func (c changing) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := c.Wrapper.Blocks(ctx, level, ids, bands)
	for i, t := range tiles {
		b := raster.NewBuffer(t.Type(), t.Width(), t.Height(), t.Bands())
		for band := range t.Bands() {
			copy(b.OwnValidity(band), t.Validity(band))
		}
		tiles[i] = b.Freeze()
	}
	return tiles, err
}

// filling makes all pixels valid, and forgets that areas are empty.
type filling struct{ raster.Wrapper }

func (f filling) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := f.Wrapper.Blocks(ctx, level, ids, bands)
	for i, t := range tiles {
		tiles[i] = t.WithValidity(nil)
	}
	return tiles, err
}

// windowless drops windows.
type windowless struct{ raster.Wrapper }

func (windowless) HasWindows(int) bool { return false }

func TestCheckWrapperFindsWhatIsDroppedOrForgotten(t *testing.T) {
	everything := []Capability{EmptyAreas, Windows, StoredPictures, CachedBlocks}
	for _, test := range []struct {
		name  string
		wrap  func(raster.Provider) raster.Provider
		drops []Capability
		want  []string // in the errors
	}{
		{"passes everything on", func(p raster.Provider) raster.Provider { return forwarding{raster.Over(p)} }, nil, nil},
		{"drops silently", func(p raster.Provider) raster.Provider { return silent{p} }, nil,
			[]string{"silently drops cached blocks", "silently drops empty areas", "silently drops windows", "silently drops stored pictures"}},
		{"says what it drops", func(p raster.Provider) raster.Provider { return silent{p} }, everything, nil},
		{"drops one silently", func(p raster.Provider) raster.Provider { return windowless{raster.Over(p)} }, nil, []string{"silently drops windows"}},
		{"says that it drops one", func(p raster.Provider) raster.Provider { return windowless{raster.Over(p)} }, []Capability{Windows}, nil},
		{"drops less than it says", func(p raster.Provider) raster.Provider { return windowless{raster.Over(p)} }, []Capability{Windows, EmptyAreas},
			[]string{"passes on empty areas"}},
		{"forgets to change windows", func(p raster.Provider) raster.Provider { return changing{raster.Over(p)} }, nil,
			[]string{"windows: the window", "stored pictures: the picture"}},
		{"forgets that it fills areas", func(p raster.Provider) raster.Provider { return filling{raster.Over(p)} }, nil,
			[]string{"empty areas: pixel", "windows: the window", "stored pictures: the picture"}},
	} {
		errs := wrapperErrors(t.Context(), Speckled(), test.wrap, test.drops)
		found := len(errs) == len(test.want)
		for i := 0; found && i < len(errs); i++ {
			found = strings.Contains(errs[i].Error(), test.want[i])
		}
		if !found {
			t.Errorf("%s: got the errors %v, want %v", test.name, fmt.Sprint(errs), test.want)
		}
	}
}
