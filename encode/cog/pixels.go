package cog

import (
	"bytes"
	"encoding/binary"
	"math"

	"tileserver/encode/blocks"
	"tileserver/raster"
)

// noDataSample returns the bytes of a nodata sample, or nil if there is none.
func (img *Image) noDataSample() []byte {
	value, ok := img.noData()
	if !ok {
		return nil
	}
	sample := raster.NewBuffer(img.Info.Type, 1, 1, 1)
	sample.Fill(0, value)
	return sample.Plane(0)
}

// pixels returns the samples of a tile. Those that are not valid are nodata, if the image has it.
func (w *Writer) pixels(tile raster.Tile) blocks.Pixels {
	p := blocks.Pixels{Width: tile.Width(), Height: tile.Height(), Planes: make([][]byte, tile.Bands())}
	for band := range p.Planes {
		p.Planes[band] = tile.Plane(band)
		coverage := tile.Validity(band)
		if w.fill != nil && coverage != nil && w.image.Info.Bands[band].HasNoData {
			p.Planes[band] = bytes.Clone(p.Planes[band])
			fillInvalid(p.Planes[band], coverage, w.fill, tile.Type())
		}
	}
	return p
}

// fillInvalid replaces samples without coverage, but for NaN, which is never valid.
func fillInvalid(samples []byte, coverage []uint8, fill []byte, t raster.DataType) {
	for i, c := range coverage {
		if sample := samples[i*len(fill):][:len(fill)]; c == raster.Invalid && !isNaN(sample, t) {
			copy(sample, fill)
		}
	}
}

func isNaN(sample []byte, t raster.DataType) bool {
	switch t {
	case raster.Float32:
		v := math.Float32frombits(binary.NativeEndian.Uint32(sample))
		return v != v
	case raster.Float64:
		return math.IsNaN(math.Float64frombits(binary.NativeEndian.Uint64(sample)))
	}
	return false
}

// coverageOf returns the coverage of a tile: the largest of those of its bands, or nil if all pixels are
// valid.
func coverageOf(tile raster.Tile) []uint8 {
	if !tile.HasOwnValidity() {
		return tile.Validity(0)
	}
	var all []uint8
	for band := range tile.Bands() {
		own := tile.Validity(band)
		if own == nil {
			return nil
		}
		if all == nil {
			all = bytes.Clone(own)
		}
		for i, c := range own {
			all[i] = max(all[i], c)
		}
	}
	return all
}
