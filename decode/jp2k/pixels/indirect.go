package pixels

import (
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// draw computes pixels of the band.
func (b *indirectBand) draw(to *components.Output, pixels wavelet.Rect) {
	if pixels.Empty() {
		return
	}
	switch to.Type {
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

func drawAs[T raster.Sample](b *indirectBand, to *components.Output, pixels wavelet.Rect) {
	destination := components.Target{Output: to, Band: b.band}
	if b.sampling.all.Empty() {
		destination.SetNodata(pixels)
		return
	}
	samples := components.Target{Output: b.samples}
	from, stored := raster.Writable[int64](b.samples.Buffer, 0), b.samples.Buffer.Validity(0)
	made, columns := raster.Writable[T](to.Buffer, b.band), b.columns(pixels)
	for y := pixels.Y0; y < pixels.Y1; y++ {
		row := samples.At(b.samples.Rect.X0, b.sampling.down.at(y, b.sampling.all.Y0, b.sampling.all.Y1))
		to := destination.At(pixels.X0, y)
		for i, column := range columns {
			v := from[row+column]
			if b.value != nil {
				v = b.value(v)
			}
			made[to+i] = T(v)
			if stored != nil && stored[row+column] == raster.Invalid {
				destination.Buffer.OwnValidity(b.band)[to+i] = raster.Invalid
			}
		}
	}
}

// columns returns the sample column of each pixel column.
func (b *indirectBand) columns(pixels wavelet.Rect) []int {
	columns := make([]int, pixels.Width())
	for i := range columns {
		columns[i] = b.sampling.across.at(pixels.X0+i, b.sampling.all.X0, b.sampling.all.X1) - b.samples.Rect.X0
	}
	return columns
}
