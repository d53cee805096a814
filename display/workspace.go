package display

import (
	"tileserver/display/picture"
	"tileserver/raster"
)

// rendering is a picture being made, and the memory that it takes.
type rendering struct {
	picture.Picture
	work  workspace
	tones *tones
}

func (c *Chain) newRendering() *rendering {
	r := new(rendering)
	r.Picture = picture.New(func() { c.renderings.Put(r) })
	return r
}

// maxShownBands is as many as make a colour.
const maxShownBands = 3

// workspace is memory for what lies between samples and pixels, kept with a picture.
type workspace struct {
	planes [maxShownBands][]uint8
	merged []uint8
	differ bool // whether the coverage of the tile at hand differs from band to band
}

// plane is memory for the grays of a band.
func (w *workspace) plane(band, length int) []uint8 {
	w.planes[band] = sized(w.planes[band], length)
	return w.planes[band]
}

// coverage is how much the pixels of t are covered, the greatest of their bands', or nil
// where all are wholly covered.
func (w *workspace) coverage(t raster.Tile) []uint8 {
	w.differ = false
	if t.AllValid() {
		return nil
	}
	w.differ = t.HasOwnValidity()
	if !w.differ {
		return t.Validity(0)
	}
	return w.merge(t)
}

func (w *workspace) merge(t raster.Tile) []uint8 {
	w.merged = sized(w.merged, t.Width()*t.Height())
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

// blackOutside is grays, moved to scratch, with black where nothing is covered.
func blackOutside(scratch, grays, coverage []uint8) []uint8 {
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

// sized is buffer with another length, made anew where it is too short.
func sized(buffer []uint8, length int) []uint8 {
	if cap(buffer) < length {
		return make([]uint8, length)
	}
	return buffer[:length]
}

// grays are the grays of a band, black where that band has no data but another one has.
func (r *rendering) grays(t raster.Tile, band int) []uint8 {
	scratch := r.work.plane(band, t.Width()*t.Height())
	grays := r.tones.quantizers[band].quantize(t, band, scratch)
	if !r.work.differ {
		return grays
	}
	return blackOutside(scratch, grays, t.Validity(band))
}
