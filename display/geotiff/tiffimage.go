package geotiff

import (
	stored "tileserver/encode/rows"
	"tileserver/encode/tag"
)

// A tiffImage is one image of a file: its samples, its blocks and its directory.
type tiffImage struct {
	grid
	rows      rows
	predictor predictor
	directory directory

	offsetsEntry, lengthsEntry int // numbers of entries in directory
}

// describeImage fills the directory of the image.
func (p *tiffImage) describeImage(img *Image, big bool, text []byte) (scratch []byte) {
	d := &p.directory
	d.reset(big)
	p.describeShape(img.Compression, img.photometric())
	p.describeBlocks()
	p.describeSamples(img)
	if img.Place != nil {
		d.place(img.Place)
	}
	if text = appendMetadata(text[:0], img.Bands); len(text) > 0 {
		d.text(tag.GDALMetadata, text)
	}
	if img.NoData != nil {
		text = img.Type.appendNumber(text[:0], *img.NoData)
		d.text(tag.GDALNoData, text)
	}
	return text
}

// describeMask fills the directory of the mask.
func (p *tiffImage) describeMask(img *Image, big bool) {
	p.directory.reset(big)
	p.directory.long(tag.NewSubfileType, tag.Mask)
	p.describeShape(img.Compression, tag.PhotometricMask)
	p.describeBlocks()
	p.directory.extraSamples(p.samples-1, false)
}

func (img *Image) photometric() uint16 {
	if img.RGB {
		return tag.PhotometricRGB
	}
	return tag.PhotometricBlackIsZero
}

func (p *tiffImage) describeShape(compression Compression, photometric uint16) {
	d := &p.directory
	d.long(tag.ImageWidth, p.width)
	d.long(tag.ImageLength, p.height)
	d.repeated(tag.BitsPerSample, p.samples, uint16(p.sampleBits))
	if compression == Deflate {
		d.short(tag.Compression, tag.CompressionDeflate)
	} else {
		d.short(tag.Compression, tag.CompressionNone)
	}
	d.short(tag.Photometric, photometric)
}

// describeBlocks adds the layout of the blocks. Their offsets are not known yet.
func (p *tiffImage) describeBlocks() {
	d := &p.directory
	if !p.tiled {
		p.offsetsEntry = d.offsets(tag.StripOffsets, p.blocks())
	}
	d.short(tag.SamplesPerPixel, uint16(p.samples))
	if !p.tiled {
		d.long(tag.RowsPerStrip, p.blockHeight)
		p.lengthsEntry = d.offsets(tag.StripByteCounts, p.blocks())
	}
	if p.planes == 1 {
		d.short(tag.PlanarConfig, tag.PlanarChunky)
	} else {
		d.short(tag.PlanarConfig, tag.PlanarSeparate)
	}
	if p.predictor != predictorNone {
		d.short(tag.Predictor, uint16(p.predictor))
	}
	if p.tiled {
		d.long(tag.TileWidth, p.blockWidth)
		d.long(tag.TileLength, p.blockHeight)
		p.offsetsEntry = d.offsets(tag.TileOffsets, p.blocks())
		p.lengthsEntry = d.offsets(tag.TileByteCounts, p.blocks())
	}
}

// describeSamples adds the meaning of the samples of a pixel. Samples that the photometric
// interpretation does not define are extra samples.
func (p *tiffImage) describeSamples(img *Image) {
	named := 1
	if img.RGB {
		named = 3
	}
	isAlphaLast := p.samples > len(img.Bands) || img.Bands[len(img.Bands)-1].IsOpacity
	p.directory.extraSamples(p.samples-named, isAlphaLast)
	p.directory.repeated(tag.SampleFormat, p.samples, types[img.Type].format)
}

// extraSamples adds the tag ExtraSamples if there are any.
func (d *directory) extraSamples(count int, lastIsAlpha bool) {
	if count == 0 {
		return
	}
	d.repeated(tag.ExtraSamples, count, tag.ExtraUnspecified)
	if lastIsAlpha {
		d.values[len(d.values)-2] = tag.ExtraAlpha
	}
}

// gather writes the samples of a block to samples. Padding repeats the last pixel of a row, which
// compresses best after prediction. Padding rows are zero.
func (p *tiffImage) gather(samples []byte, b block) {
	rowBytes, pixelBytes := p.rowBytes(), p.pixelBits()/8
	for i := range b.rows {
		row := samples[i*rowBytes:][:rowBytes]
		p.rows.read(row, b.plane, b.x, b.y+i, b.columns)
		if pixelBytes == 0 {
			continue
		}
		for at := b.columns * pixelBytes; at < rowBytes; at += pixelBytes {
			copy(row[at:], row[at-pixelBytes:at])
		}
	}
	clear(samples[b.rows*rowBytes:])
}

// predict applies the predictor to the rows of a block that are not padding. Scratch has room for a
// row.
func (p *tiffImage) predict(samples []byte, b block, scratch []byte) {
	rowBytes, sampleBytes := p.rowBytes(), p.sampleBits/8
	for i := range b.rows {
		row := samples[i*rowBytes:][:rowBytes]
		switch p.predictor {
		case predictorHorizontal:
			stored.SubtractLeft(row, sampleBytes, p.pixelBits()/8)
		case predictorFloat:
			stored.SplitFloats(row, scratch[:rowBytes], sampleBytes, 1)
		}
	}
}
