package geotiff

import stored "tileserver/encode/rows"

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
		d.text(tagGDALMetadata, text)
	}
	if img.NoData != nil {
		text = img.Type.appendNumber(text[:0], *img.NoData)
		d.text(tagGDALNoData, text)
	}
	return text
}

// describeMask fills the directory of the mask.
func (p *tiffImage) describeMask(img *Image, big bool) {
	p.directory.reset(big)
	p.directory.long(tagNewSubfileType, subfileMask)
	p.describeShape(img.Compression, photometricMask)
	p.describeBlocks()
	p.directory.extraSamples(p.samples-1, false)
}

func (img *Image) photometric() uint16 {
	if img.RGB {
		return photometricRGB
	}
	return photometricBlackIsZero
}

func (p *tiffImage) describeShape(compression Compression, photometric uint16) {
	d := &p.directory
	d.long(tagImageWidth, p.width)
	d.long(tagImageLength, p.height)
	d.repeated(tagBitsPerSample, p.samples, uint16(p.sampleBits))
	if compression == Deflate {
		d.short(tagCompression, compressionDeflate)
	} else {
		d.short(tagCompression, compressionNone)
	}
	d.short(tagPhotometric, photometric)
}

// describeBlocks adds the layout of the blocks. Their offsets are not known yet.
func (p *tiffImage) describeBlocks() {
	d := &p.directory
	if !p.tiled {
		p.offsetsEntry = d.offsets(tagStripOffsets, p.blocks())
	}
	d.short(tagSamplesPerPixel, uint16(p.samples))
	if !p.tiled {
		d.long(tagRowsPerStrip, p.blockHeight)
		p.lengthsEntry = d.offsets(tagStripByteCounts, p.blocks())
	}
	if p.planes == 1 {
		d.short(tagPlanarConfig, planarChunky)
	} else {
		d.short(tagPlanarConfig, planarSeparate)
	}
	if p.predictor != predictorNone {
		d.short(tagPredictor, uint16(p.predictor))
	}
	if p.tiled {
		d.long(tagTileWidth, p.blockWidth)
		d.long(tagTileLength, p.blockHeight)
		p.offsetsEntry = d.offsets(tagTileOffsets, p.blocks())
		p.lengthsEntry = d.offsets(tagTileByteCounts, p.blocks())
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
	p.directory.repeated(tagSampleFormat, p.samples, types[img.Type].format)
}

// extraSamples adds the tag ExtraSamples if there are any.
func (d *directory) extraSamples(count int, lastIsAlpha bool) {
	if count == 0 {
		return
	}
	d.repeated(tagExtraSamples, count, extraUnspecified)
	if lastIsAlpha {
		d.values[len(d.values)-2] = extraAlpha
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
