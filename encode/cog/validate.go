package cog

import (
	"fmt"
	"math"

	"tileserver/raster"
)

const (
	blockSideUnit = 16 // TIFF's unit of block sides
	maxBlocks     = 1 << 28
	maxBands      = math.MaxUint16
	rpcNumbers    = 92
)

func (img *Image) validate() error {
	for _, check := range []func() error{img.checkLevels, img.checkBands, img.checkColors, img.checkPlace} {
		if err := check(); err != nil {
			return fmt.Errorf("%w: %w", ErrImage, err)
		}
	}
	return nil
}

func (img *Image) checkLevels() error {
	if len(img.Info.Levels) == 0 {
		return fmt.Errorf("it has no levels")
	}
	total := 0.0
	for i, l := range img.Info.Levels {
		first := img.Info.Levels[0]
		switch {
		case l.Width < 1 || l.Height < 1 || l.Width > math.MaxInt32 || l.Height > math.MaxInt32:
			return fmt.Errorf("level %d has %dx%d pixels", i, l.Width, l.Height)
		case l.BlockWidth < 1 || l.BlockHeight < 1 || l.BlockWidth%blockSideUnit+l.BlockHeight%blockSideUnit > 0:
			return fmt.Errorf("blocks of %dx%d pixels, which are not multiples of %d", l.BlockWidth, l.BlockHeight, blockSideUnit)
		case l.BlockWidth != first.BlockWidth || l.BlockHeight != first.BlockHeight:
			return fmt.Errorf("level %d has blocks of %dx%d pixels, and level 0 of %dx%d", i, l.BlockWidth, l.BlockHeight, first.BlockWidth, first.BlockHeight)
		case i > 0 && (l.Width > img.Info.Levels[i-1].Width || l.Height > img.Info.Levels[i-1].Height):
			return fmt.Errorf("level %d of %dx%d pixels is larger than the one before", i, l.Width, l.Height)
		}
		total += float64(l.Columns()) * float64(l.Rows())
	}
	if total > maxBlocks {
		return fmt.Errorf("it has %.0f blocks, the limit is %d", total, maxBlocks)
	}
	return nil
}

func (img *Image) checkBands() error {
	info := &img.Info
	if n := len(info.Bands); n < 1 || n > maxBands || info.Type.Size() == 0 {
		return fmt.Errorf("%d bands of %v", n, info.Type)
	}
	shared, hasNoData := img.noData()
	for i, b := range info.Bands {
		isShared := b.NoData == shared || math.IsNaN(b.NoData) && math.IsNaN(shared)
		if hasNoData && b.HasNoData && !isShared {
			return fmt.Errorf("band %d has nodata %v and another one %v, and TIFF has one for all", i+1, b.NoData, shared)
		}
	}
	for _, item := range img.Metadata {
		if item.Band < 0 || item.Band > len(info.Bands) {
			return fmt.Errorf("metadata %q of band %d", item.Name, item.Band)
		}
	}
	return nil
}

func (img *Image) checkColors() error {
	info := &img.Info
	isInteger := info.Type == raster.Uint8 || info.Type == raster.Uint16
	switch {
	case info.Orientation > 1:
		return fmt.Errorf("it has orientation %d, which must be applied first", info.Orientation)
	case info.HasPalette() && (len(info.Bands) != 1 || !isInteger || len(info.Palette) > 1<<(8*info.Type.Size())):
		return fmt.Errorf("a palette of %d colors for %d bands of %v", len(info.Palette), len(info.Bands), info.Type)
	case info.Colors.Space == raster.CMYK && (len(info.Bands) < 4 || !isInteger):
		return fmt.Errorf("inks in %d bands of %v", len(info.Bands), info.Type)
	case info.Colors.Space != raster.RGB && info.Colors.Space != raster.CMYK:
		return fmt.Errorf("its color space is %v, which must be converted first", info.Colors.Space)
	}
	return nil
}

func (img *Image) checkPlace() error {
	if n := len(img.RPC); n != 0 && n != rpcNumbers {
		return fmt.Errorf("%d numbers of RPCs, and not %d", n, rpcNumbers)
	}
	if p := img.Place; p != nil {
		if n := len(p.Keys.Directory); n%4 != 0 {
			return fmt.Errorf("a directory of %d values of GeoTIFF keys", n)
		}
	}
	return nil
}
