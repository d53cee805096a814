package png

import (
	"cmp"
	"slices"
)

// encoding describes the kind of PNG to write, and provides the rows to filter.
type encoding struct {
	width, height       int
	bitDepth, colorType uint8
	palette             []indexedColor // in the order of the file

	rowBytes      int
	bytesPerPixel int // at least 1; the distance to the left neighbor for filters

	pix          []byte
	stride       int
	conversion   conversion
	storedValues [256]uint8 // stored value of each index
}

// conversion identifies how the bytes of a row are converted.
type conversion uint8

const (
	unchanged    conversion = iota
	withoutAlpha            // RGBA to RGB
	withoutHue              // RGBA to gray and alpha
	packedValues            // indices to values of bitDepth bits
)

// chooseEncoding finds the smallest kind of PNG that represents the pixels of an image exactly.
func (e *Encoder) chooseEncoding(img *Image) *encoding {
	kind := formatTypes[img.Format]
	e.encoding = encoding{
		width: img.Width, height: img.Height, bitDepth: kind.bitDepth, colorType: kind.colorType,
		pix: img.Pix, stride: img.Stride,
	}
	w := &e.encoding
	switch {
	case kind.bitDepth == 16:
	case e.colors.collect(img):
		w.setColors(&e.colors)
	case img.Format == RGBA && img.isOpaque():
		w.colorType, w.conversion = colorRGB, withoutAlpha
	case img.Format == RGBA && img.isGray():
		w.colorType, w.conversion = colorGrayAlpha, withoutHue
	}
	bits := int(w.bitDepth) * samplesOf(w.colorType)
	w.bytesPerPixel = (bits + 7) / 8
	w.rowBytes = (img.Width*bits + 7) / 8
	return w
}

// setColors encodes indices of colors as gray or as palette indices. Gray images stay gray even if
// a palette would be smaller, because clients that read samples rather than colors would get other
// values.
func (w *encoding) setColors(c *colors) {
	w.pix, w.stride, w.conversion = c.indices, c.stride, packedValues
	depth, isGray := grayDepth(c.list)
	if !isGray {
		w.setPalette(c.list)
		return
	}
	w.colorType, w.bitDepth = colorGray, depth
	for _, n := range c.list {
		w.storedValues[n.index] = uint8(n.color) / grayStep(depth)
	}
}

// grayDepth returns the number of bits for writing the colors as gray. isGray is false if some
// color is not gray.
func grayDepth(list []indexedColor) (depth uint8, isGray bool) {
	depth = 1
	for _, n := range list {
		if !n.color.isOpaqueGray() {
			return 0, false
		}
		for uint8(n.color)%grayStep(depth) != 0 {
			depth *= 2
		}
	}
	return depth, true
}

// grayStep returns the difference between adjacent gray levels of a depth.
func grayStep(depth uint8) uint8 { return uint8(255 / (1<<depth - 1)) }

func (w *encoding) setPalette(list []indexedColor) {
	slices.SortFunc(list, func(a, b indexedColor) int { return cmp.Compare(a.color.rank(), b.color.rank()) })
	w.colorType, w.palette, w.bitDepth = colorPalette, list, 8
	for _, depth := range [3]uint8{4, 2, 1} {
		if len(list) <= 1<<depth {
			w.bitDepth = depth
		}
	}
	for i, entry := range list {
		w.storedValues[entry.index] = uint8(i)
	}
}

// row returns row y. It is either part of the image or converted into scratch, which must hold
// rowBytes.
func (w *encoding) row(y int, scratch []byte) []byte {
	source := w.pix[y*w.stride:]
	switch w.conversion {
	case unchanged:
		return source[:w.rowBytes]
	case withoutAlpha:
		dropAlpha(scratch[:w.rowBytes], source[:4*w.width])
	case withoutHue:
		dropHue(scratch[:w.rowBytes], source[:4*w.width])
	case packedValues:
		w.pack(scratch[:w.rowBytes], source[:w.width])
	}
	return scratch[:w.rowBytes]
}
