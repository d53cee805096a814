package layer

import (
	"tileserver/display/picture"
	"tileserver/pyramid"
	"tileserver/raster"
)

// renderingBytes returns the approximate memory of rendering and encoding a picture. The parts of a
// stack are drawn one after the other.
func (c *Composition) renderingBytes(drawings []drawing) int64 {
	o := &c.output
	if c.stack == nil {
		d := &drawings[0]
		return d.drawingBytes() + d.fileBytes()
	}
	const bytesPerCanvasPixel = 4
	drawing := int64(0)
	for i := range drawings {
		drawing = max(drawing, drawings[i].drawingBytes()+pictureBytes(PNG, false, o.width, o.height))
	}
	return drawing + bytesPerCanvasPixel*int64(o.width)*int64(o.height) + pictureBytes(o.format, o.deep, o.width, o.height)
}

// drawingBytes returns the approximate memory of drawing the part, without the encoded picture.
func (d *drawing) drawingBytes() int64 {
	width, height := d.plan.View.Rect.Width(), d.plan.View.Rect.Height()
	computing := int64(width) * int64(height) * int64(d.resolved.ComputingBytes())
	return readingBytes(d.providers.Pyramid.Provider().Info(), &d.plan) + d.providers.OverviewBytes(&d.plan) + computing + d.request.Finish.bytes(width, height)
}

// fileBytes returns the approximate memory of encoding the part as a file of its own.
func (d *drawing) fileBytes() int64 {
	width, height := d.plan.View.Rect.Width(), d.plan.View.Rect.Height()
	if d.request.Format.IsData() {
		const copies, maskBytes = 2, 8 // samples and their mask, in the encoder and in the file
		return copies * int64(d.resolved.SampleBytes()+maskBytes) * int64(width) * int64(height)
	}
	return pictureBytes(d.request.Format, d.request.Style.Deep, width, height)
}

// readingBytes returns the approximate memory of reading a plan: the pixels of the view, and those
// of its largest part.
func readingBytes(info *raster.Info, plan *pyramid.Plan) int64 {
	bands := len(plan.View.Bands)
	if plan.View.Bands == nil {
		bands = len(info.Bands)
	}
	rect := plan.View.Rect
	pixels := int64(rect.Width()) * int64(rect.Height())
	target := raster.BufferBytes(info.Type, rect.Width(), rect.Height(), bands) + pixels // with their coverage
	if plan.View.Alpha >= 0 {
		bands++
	}
	pixelBytes := int64(bands) * int64(info.Type.Size()+1) // each band may have coverage of its own
	level := info.Levels[plan.Level]
	largest := int64(0)
	for i := range plan.Parts {
		part := &plan.Parts[i]
		window := int64(part.Window.Width()) * int64(part.Window.Height()) * pixelBytes
		largest = max(largest, window+blockBytes(level, part.Blocks, pixelBytes))
	}
	return target + largest
}

// pictureBytes returns the approximate memory of a picture, its encoder and the encoded file. The
// bytes per pixel were measured on pictures that hardly compress.
func pictureBytes(format Format, deep bool, width, height int) int64 {
	bytesPerPixel := int64(12)
	switch {
	case deep:
		bytesPerPixel = 28
	case format.canBe(picture.WebP):
		bytesPerPixel = 24
	case format == JPEG:
		bytesPerPixel = 8
	}
	return bytesPerPixel * int64(width) * int64(height)
}

// maxBlockBytes bounds the memory counted for the blocks of one part. Most blocks are also in the
// cache, which counts them, and few files have more per part.
const maxBlockBytes = 64 << 20

// blockBytes returns the approximate memory of blocks that are held until their part is read.
func blockBytes(level raster.Level, blocks []raster.BlockID, pixelBytes int64) int64 {
	total := int64(0)
	for _, id := range blocks {
		block := level.Block(id)
		pixels := int64(block.Width()) * int64(block.Height())
		if pixels > (maxBlockBytes-total)/max(pixelBytes, 1) {
			return maxBlockBytes
		}
		total += pixels * pixelBytes
	}
	return total
}
