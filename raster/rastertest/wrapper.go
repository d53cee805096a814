package rastertest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tileserver/raster"
)

// Capability is an optional capability of providers.
type Capability string

// The capabilities, each with its interface in package raster.
const (
	EmptyAreas     Capability = "empty areas"     // raster.SparseProvider
	Windows        Capability = "windows"         // raster.WindowProvider
	StoredPictures Capability = "stored pictures" // raster.PictureProvider
	CachedBlocks   Capability = "cached blocks"   // raster.CachingProvider
)

// CheckWrapper checks that a wrapper passes on each capability of its source, unchanged or
// transformed, but for those that it drops. What it passes on must agree with its blocks. The source
// gets all capabilities that it lacks, and one quarter of it is blank.
func CheckWrapper(t *testing.T, source raster.Provider, wrap func(source raster.Provider) raster.Provider, drops ...Capability) {
	t.Helper()
	for _, err := range wrapperErrors(t.Context(), source, wrap, drops) {
		t.Error(err)
	}
}

func wrapperErrors(ctx context.Context, source raster.Provider, wrap func(source raster.Provider) raster.Provider, drops []Capability) (errs []error) {
	c := &wrapperCheck{ctx, wrap(capable{source})}
	for _, capability := range []struct {
		name  Capability
		check func() (passed bool, err error)
	}{{CachedBlocks, c.cachedBlocks}, {EmptyAreas, c.emptyAreas}, {Windows, c.windows}, {StoredPictures, c.storedPictures}} {
		passed, err := capability.check()
		isDropped := slices.Contains(drops, capability.name)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", capability.name, err))
		case !passed && !isDropped:
			errs = append(errs, fmt.Errorf("the wrapper silently drops %s", capability.name))
		case passed && isDropped:
			errs = append(errs, fmt.Errorf("the wrapper passes on %s, which it is said to drop", capability.name))
		}
	}
	return errs
}

// wrapperCheck checks a wrapper of a capable source. Each check reports whether the wrapper passes
// on a capability. The error says where the answer contradicts the blocks.
type wrapperCheck struct {
	ctx     context.Context
	wrapper raster.Provider
}

// read returns the pixels of a rectangle, from blocks.
func (c *wrapperCheck) read(level int, rect raster.Rect) (raster.Tile, error) {
	return readRect(c.ctx, c.wrapper, level, rect, nil)
}

// cachedBlocks reads all blocks, so that a wrapper with a cache of its own has them too.
func (c *wrapperCheck) cachedBlocks() (passed bool, err error) {
	for level, l := range c.wrapper.Info().Levels {
		ids := l.Covering(l.Bounds())
		if _, err := c.wrapper.Blocks(c.ctx, level, ids, nil); err != nil {
			return false, err
		}
		cached := raster.IsCached(c.wrapper, level, ids, nil)
		if len(cached) != len(ids) {
			return false, fmt.Errorf("%d answers for %d blocks of level %d", len(cached), len(ids), level)
		}
		if slices.Contains(cached, false) {
			return false, nil
		}
	}
	return true, nil
}

// emptyAreas asks for the pixel in each corner of each level. The blank quarter is in one of them.
func (c *wrapperCheck) emptyAreas() (passed bool, err error) {
	for level, l := range c.wrapper.Info().Levels {
		right, bottom := l.Width-1, l.Height-1
		for _, at := range [...][2]int{{0, 0}, {right, 0}, {0, bottom}, {right, bottom}} {
			pixel := raster.Rect{X0: at[0], Y0: at[1], X1: at[0] + 1, Y1: at[1] + 1}
			empty, err := raster.IsEmpty(c.ctx, c.wrapper, level, pixel)
			if err != nil {
				return false, err
			}
			if !empty {
				continue
			}
			passed = true
			tile, err := c.read(level, pixel)
			if err != nil {
				return false, err
			}
			if tile.AnyValid() {
				return false, fmt.Errorf("pixel %v of level %d is empty, and valid in its block", at, level)
			}
		}
	}
	return passed, nil
}

// windows compares a window with its blocks in each level that has windows.
func (c *wrapperCheck) windows() (passed bool, err error) {
	for level, l := range c.wrapper.Info().Levels {
		if !raster.HasWindows(c.wrapper, level) {
			continue
		}
		passed = true
		rect := raster.Rect{X0: l.Width / 3, Y0: l.Height / 4, X1: l.Width, Y1: max(1, l.Height*3/4)}
		got, err := raster.ReadWindow(c.ctx, c.wrapper, level, rect, nil)
		if err != nil {
			return false, err
		}
		want, err := c.read(level, rect)
		if err != nil {
			return false, err
		}
		if !got.SamePixels(want) {
			return false, fmt.Errorf("the window %v of level %d differs from its blocks", rect, level)
		}
	}
	return passed, nil
}

// storedPictures asks for the first pixel of each block: the stored pictures of a capable source are
// fingerprints of single pixels.
func (c *wrapperCheck) storedPictures() (passed bool, err error) {
	for level, l := range c.wrapper.Info().Levels {
		for _, id := range l.Covering(l.Bounds()) {
			block := l.Block(id)
			pixel := raster.Rect{X0: block.X0, Y0: block.Y0, X1: block.X0 + 1, Y1: block.Y0 + 1}
			picture, ok, err := raster.FindStoredPicture(c.ctx, c.wrapper, level, pixel)
			if err != nil {
				return false, err
			}
			if !ok {
				continue
			}
			passed = true
			tile, err := c.read(level, pixel)
			if err != nil {
				return false, err
			}
			if string(picture.Bytes) != fingerprint(tile) {
				return false, fmt.Errorf("the picture stored at %v of level %d shows other samples than its block", pixel, level)
			}
		}
	}
	return passed, nil
}
