package display

import (
	"tileserver/display/picture"
	"tileserver/internal/reuse"
	"tileserver/raster"
)

// A rendering is a picture in progress and its scratch memory.
type rendering struct {
	picture.Picture
	work         workspace
	quantization *quantization
}

func (c *Chain) newRendering() *rendering {
	r := new(rendering)
	r.Picture = picture.New(func() { c.renderings.Put(r) })
	return r
}

// maxShownBands is the number of bands of a color.
const maxShownBands = 3

// A workspace is scratch memory for rendering. It is reused with its picture.
type workspace struct {
	planes          [maxShownBands][]uint8
	merged          []uint8
	hasBandCoverage bool // whether the coverage of the current tile differs between bands
}

// plane returns memory for the grays of a band.
func (w *workspace) plane(band, length int) []uint8 {
	w.planes[band] = reuse.Slice(w.planes[band], length)
	return w.planes[band]
}

// coverage returns the greatest coverage of each pixel over all bands of t, or nil if all pixels
// are fully covered.
func (w *workspace) coverage(t raster.Tile) []uint8 {
	w.hasBandCoverage = false
	if t.AllValid() {
		return nil
	}
	w.hasBandCoverage = t.HasOwnValidity()
	if !w.hasBandCoverage {
		return t.Validity(0)
	}
	return w.merge(t)
}

func (w *workspace) merge(t raster.Tile) []uint8 {
	w.merged = reuse.Slice(w.merged, t.Width()*t.Height())
	merged := w.merged
	clear(merged)
	for band := range t.Bands() {
		own := t.Validity(band)
		if own == nil {
			return nil
		}
		own = own[:len(merged)]
		for i, v := range merged {
			merged[i] = max(v, own[i])
		}
	}
	for _, v := range merged {
		if v != raster.Valid {
			return merged
		}
	}
	return nil
}

// blackenInvalid copies grays to scratch and makes pixels without coverage black.
func blackenInvalid(scratch, grays, coverage []uint8) []uint8 {
	copy(scratch, grays)
	if coverage == nil {
		return scratch
	}
	coverage = coverage[:len(scratch)]
	for i, covered := range coverage {
		if covered == raster.Invalid {
			scratch[i] = 0
		}
	}
	return scratch
}

// grays returns the grays of a band. They are black where this band is nodata but another is not.
func (r *rendering) grays(t raster.Tile, band int) []uint8 {
	scratch := r.work.plane(band, t.Width()*t.Height())
	grays := r.quantization.quantizers[band].quantize(t, band, scratch)
	if !r.work.hasBandCoverage {
		return grays
	}
	return blackenInvalid(scratch, grays, t.Validity(band))
}
