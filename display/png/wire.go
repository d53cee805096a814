package png

import (
	"cmp"
	"slices"
)

// wire is an image as it is written: the kind of PNG, and its rows before they are filtered.
type wire struct {
	width, height        int
	bitDepth, colourType uint8
	palette              []numberedColour // in the order of the file

	rowBytes      int
	bytesPerPixel int // at least 1; the distance to the left neighbour for filters

	pix     []byte
	stride  int
	change  change
	numbers [256]uint8 // what is written for an index
}

// change is what becomes of the bytes of a row.
type change uint8

const (
	unchanged    change = iota
	withoutAlpha        // RGBA to RGB
	withoutHue          // RGBA to gray and alpha
	asNumbers           // indices to numbers of bitDepth bits
)

// wireOf finds the smallest kind of PNG that has the pixels of an image exactly.
func (e *Encoder) wireOf(img *Image) *wire {
	kind := formatTypes[img.Format]
	e.wire = wire{
		width: img.Width, height: img.Height, bitDepth: kind.bitDepth, colourType: kind.colourType,
		pix: img.Pix, stride: img.Stride,
	}
	w := &e.wire
	switch {
	case kind.bitDepth == 16:
	case e.colours.collect(img):
		w.setColours(&e.colours)
	case img.Format == RGBA && img.isOpaque():
		w.colourType, w.change = colourRGB, withoutAlpha
	case img.Format == RGBA && img.isGray():
		w.colourType, w.change = colourGrayAlpha, withoutHue
	}
	bits := int(w.bitDepth) * samplesOf(w.colourType)
	w.bytesPerPixel = (bits + 7) / 8
	w.rowBytes = (img.Width*bits + 7) / 8
	return w
}

// setColours has the indices of colours written as gray or as numbers in a palette. Gray stays gray, though a palette of
// few levels may be smaller: who reads samples and not colours would get other numbers.
func (w *wire) setColours(c *colours) {
	w.pix, w.stride, w.change = c.indices, c.stride, asNumbers
	depth, isGray := grayDepth(c.list)
	if !isGray {
		w.setPalette(c.list)
		return
	}
	w.colourType, w.bitDepth = colourGray, depth
	for _, n := range c.list {
		w.numbers[n.index] = uint8(n.colour) / grayStep(depth)
	}
}

// grayDepth returns how many bits it takes to write colours as gray, if they are.
func grayDepth(list []numberedColour) (depth uint8, isGray bool) {
	depth = 1
	for _, n := range list {
		if !n.colour.isOpaqueGray() {
			return 0, false
		}
		for uint8(n.colour)%grayStep(depth) != 0 {
			depth *= 2
		}
	}
	return depth, true
}

// grayStep is from one level of a depth to the next.
func grayStep(depth uint8) uint8 { return uint8(255 / (1<<depth - 1)) }

func (w *wire) setPalette(list []numberedColour) {
	slices.SortFunc(list, func(a, b numberedColour) int { return cmp.Compare(a.colour.rank(), b.colour.rank()) })
	w.colourType, w.palette, w.bitDepth = colourPalette, list, 8
	for _, depth := range [3]uint8{4, 2, 1} {
		if len(list) <= 1<<depth {
			w.bitDepth = depth
		}
	}
	for i, numbered := range list {
		w.numbers[numbered.index] = uint8(i)
	}
}

// row returns row y, in place or made in scratch, which must hold rowBytes.
func (w *wire) row(y int, scratch []byte) []byte {
	source := w.pix[y*w.stride:]
	switch w.change {
	case unchanged:
		return source[:w.rowBytes]
	case withoutAlpha:
		dropAlpha(scratch[:w.rowBytes], source[:4*w.width])
	case withoutHue:
		dropHue(scratch[:w.rowBytes], source[:4*w.width])
	case asNumbers:
		w.pack(scratch[:w.rowBytes], source[:w.width])
	}
	return scratch[:w.rowBytes]
}
