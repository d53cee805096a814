package tifftest

import "math"

// paddingByte fills tiles beyond the image: a reader that shows it is seen to.
const paddingByte = 0xA5

// block is the samples of one block, before compression.
type block struct {
	width, height int
	samples       int      // in each pixel of this block
	values        []uint64 // bit patterns, row by row, pixel by pixel
}

// block collects the samples of a block, as bit patterns.
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
	b.values = make([]uint64, 0, b.width*b.height*b.samples)
	for y := top; y < top+b.height; y++ {
		for x := left; x < left+b.width; x++ {
			for band := firstBand; band < firstBand+b.samples; band++ {
				b.values = append(b.values, img.pattern(x, y, band))
			}
		}
	}
	return b
}

// pattern is the bits of a sample. JPEG's padding repeats the edge, or the edge itself would suffer.
func (img Image) pattern(x, y, band int) uint64 {
	if x >= img.Width || y >= img.Height {
		if img.Compression != JPEGBlocks {
			return paddingByte * 0x0101010101010101 & mask(img.Bits)
		}
		x, y = min(x, img.Width-1), min(y, img.Height-1)
	}
	value := img.Value(x, y, band)
	switch {
	case img.Format == Float && img.Bits == 32:
		return uint64(math.Float32bits(float32(value)))
	case img.Format == Float:
		return math.Float64bits(value)
	case img.Format == Signed:
		limit := math.Ldexp(1, img.Bits-1)
		if value >= limit-0.5 {
			return mask(img.Bits - 1)
		}
		return uint64(int64(math.Round(max(value, -limit)))) & mask(img.Bits)
	case value >= math.Ldexp(1, img.Bits)-0.5:
		return mask(img.Bits)
	default:
		return uint64(math.Round(max(value, 0)))
	}
}

func mask(bits int) uint64 { return math.MaxUint64 >> (64 - bits) }
