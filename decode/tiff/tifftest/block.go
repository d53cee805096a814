package tifftest

import (
	"math"
	"slices"
)

// paddingByte fills tiles beyond the image, so that tests notice a reader that shows these pixels.
const paddingByte = 0xA5

// block holds the samples of one block, before compression.
type block struct {
	width, height int      // as stored: a plane of chroma may be smaller than its block
	samples       int      // per pixel of this block; a complex number counts as two
	values        []uint64 // bit patterns, row by row, pixel by pixel
}

// block returns the samples of a block as bit patterns.
func (img Image) block(column, row, plane int) block {
	b := block{width: img.BlockWidth, height: img.BlockHeight, samples: img.Samples}
	left, top := column*img.BlockWidth, row*img.BlockHeight
	if !img.Tiled {
		b.height = min(b.height, img.Height-top)
	}
	firstBand := 0
	if img.Planar {
		b.samples, firstBand = 1, plane
	}
	if firstBand > 0 && img.subsampled() {
		return img.chromaBlock(left, top, b, firstBand)
	}
	b.values = make([]uint64, 0, b.width*b.height*b.samples)
	for y := top; y < top+b.height; y++ {
		for x := left; x < left+b.width; x++ {
			for band := firstBand; band < firstBand+b.samples; band++ {
				b.values = img.appendPatterns(b.values, x, y, band)
			}
		}
	}
	if img.Format.complex() {
		b.samples *= 2
	}
	return b
}

// rows splits the samples into rows.
func (b block) rows() [][]uint64 {
	return slices.Collect(slices.Chunk(b.values, b.width*b.samples))
}

// appendPatterns appends the bits of a sample, or of both parts of a complex one. For JPEG the
// padding repeats the edge; other padding would distort the pixels at the edge.
func (img *Image) appendPatterns(out []uint64, x, y, band int) []uint64 {
	field := img.field(band)
	outside := x >= img.Width || y >= img.Height
	if outside && img.Compression == JPEGBlocks {
		x, y, outside = min(x, img.Width-1), min(y, img.Height-1), false
	}
	parts, count := [...]func(x, y, band int) float64{img.Value, img.Imaginary}, 1
	if field.Format.complex() {
		count, field = 2, Field{field.Bits / 2, field.Format.part()}
	}
	for _, part := range parts[:count] {
		switch {
		case outside:
			out = append(out, paddingByte*0x0101010101010101&mask(field.Bits))
		case part == nil:
			out = append(out, 0)
		default:
			out = append(out, field.pattern(part(x, y, band)))
		}
	}
	return out
}

func mask(bits int) uint64 { return math.MaxUint64 >> (64 - bits) }
