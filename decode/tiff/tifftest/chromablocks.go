package tifftest

// subsampled reports whether pixels share their chroma.
func (img Image) subsampled() bool { return img.Subsampling[0]*img.Subsampling[1] > 1 }

// chromaBlock returns the samples of a block in a plane of chroma, which has fewer samples than
// pixels.
func (img Image) chromaBlock(left, top int, b block, band int) block {
	h, v := img.Subsampling[0], img.Subsampling[1]
	b.width, b.height = ceilDivide(b.width, h), ceilDivide(b.height, v)
	for y := range b.height {
		for x := range b.width {
			b.values = img.appendChroma(b.values, left/h+x, top/v+y, band)
		}
	}
	return b
}

// appendChroma appends a chroma sample, or padding if none of its pixels lies in the image.
func (img Image) appendChroma(out []uint64, x, y, band int) []uint64 {
	h, v := img.Subsampling[0], img.Subsampling[1]
	if x*h >= img.Width || y*v >= img.Height {
		return append(out, paddingByte&mask(img.Bits))
	}
	return append(out, img.field(band).pattern(img.Value(x, y, band)))
}

// chromaBlocks returns the rows of chroma blocks of a block: the luma of each pixel, then Cb and
// Cr.
func (img Image) chromaBlocks(column, row int) (rows [][]uint64) {
	h, v := img.Subsampling[0], img.Subsampling[1]
	left, top := column*img.BlockWidth, row*img.BlockHeight
	bottom := top + img.BlockHeight
	if !img.Tiled {
		bottom = min(bottom, img.Height)
	}
	for y := top; y < bottom; y += v {
		var values []uint64
		for x := left; x < left+img.BlockWidth; x += h {
			for at := range h * v {
				values = img.appendPatterns(values, x+at%h, y+at/h, 0)
			}
			values = img.appendChroma(values, x/h, y/v, 1)
			values = img.appendChroma(values, x/h, y/v, 2)
		}
		rows = append(rows, values)
	}
	return rows
}
