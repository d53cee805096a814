package jp2k

import (
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// draw computes pixels of the band.
func (b *indirectBand) draw(to *output, pixels wavelet.Rect) {
	if pixels.Empty() {
		return
	}
	switch to.dataType {
	case raster.Uint8:
		drawAs[uint8](b, to, pixels)
	case raster.Int8:
		drawAs[int8](b, to, pixels)
	case raster.Uint16:
		drawAs[uint16](b, to, pixels)
	case raster.Int16:
		drawAs[int16](b, to, pixels)
	case raster.Uint32:
		drawAs[uint32](b, to, pixels)
	case raster.Int32:
		drawAs[int32](b, to, pixels)
	case raster.Uint64:
		drawAs[uint64](b, to, pixels)
	case raster.Int64:
		drawAs[int64](b, to, pixels)
	}
}

func drawAs[T raster.Sample](n *indirectBand, to *output, pixels wavelet.Rect) {
	destination := target{to, n.band}
	if n.sampling.all.Empty() {
		destination.setNodata(pixels)
		return
	}
	samples := target{n.samples, 0}
	from, stored := raster.Writable[int64](n.samples.buffer, 0), n.samples.buffer.Validity(0)
	made, columns := raster.Writable[T](to.buffer, n.band), n.columns(pixels)
	for y := pixels.Y0; y < pixels.Y1; y++ {
		row := samples.at(n.samples.rect.X0, n.sampling.down.at(y, n.sampling.all.Y0, n.sampling.all.Y1))
		to := destination.at(pixels.X0, y)
		for i, column := range columns {
			v := from[row+column]
			if n.value != nil {
				v = n.value(v)
			}
			made[to+i] = T(v)
			if stored != nil && stored[row+column] == raster.Invalid {
				destination.buffer.OwnValidity(n.band)[to+i] = raster.Invalid
			}
		}
	}
}

// columns returns the sample column of each pixel column.
func (b *indirectBand) columns(pixels wavelet.Rect) []int {
	columns := make([]int, pixels.Width())
	for i := range columns {
		columns[i] = b.sampling.across.at(pixels.X0+i, b.sampling.all.X0, b.sampling.all.X1) - b.samples.rect.X0
	}
	return columns
}
