package png

import (
	"encoding/binary"
	"slices"

	"tileserver/internal/reuse"
)

const (
	maxColors = 256
	maxGrays  = 16 // that take less than a byte

	// pixelsPerColor is the minimum number of pixels per color for which a palette pays off.
	pixelsPerColor = 8

	// maxIndexedPixels bounds the memory for indices. Larger images are written without a palette.
	maxIndexedPixels = 1 << 24

	slotBits = 10 // log2 of the slots of the hash table, of which at most a quarter is used
	slots    = 1 << slotBits
)

// packedColor holds the red, green, blue and alpha of a pixel, red lowest.
type packedColor uint32

const opaque = 0xff << 24

func newColor(rgba [4]uint8) packedColor { return packedColor(binary.LittleEndian.Uint32(rgba[:])) }

func (c packedColor) bytes() (rgba [4]uint8) {
	binary.LittleEndian.PutUint32(rgba[:], uint32(c))
	return rgba
}

func (c packedColor) isOpaqueGray() bool { return c == opaque|c&0xff*0x010101 }

// rank defines the order of the palette. Translucent colors come first, because their alphas must
// be stored. Within each class colors are sorted by luma, so that similar colors get similar
// indices.
func (c packedColor) rank() uint64 {
	luma := uint64(c&0xff)*3 + uint64(c>>8&0xff)*6 + uint64(c>>16&0xff)
	if c >= opaque {
		luma += 1 << 16
	}
	return luma<<32 | uint64(c)
}

// colors holds the colors of an image with few colors, and the color of each pixel.
type colors struct {
	list    []indexedColor
	indices []uint8 // of the pixels; in the image itself or in memory
	stride  int

	memory []uint8
	keys   [slots]uint32
	values [slots]uint16 // index of the key plus one; 0 for a free slot
}

// indexedColor is a color and the index of its pixels.
type indexedColor struct {
	color packedColor
	index uint8
}

// collect collects the colors of an image with 8-bit samples. It returns false if there are too
// many for a palette to pay off.
func (c *colors) collect(img *Image) bool {
	c.list = slices.Grow(c.list[:0], maxColors)
	pixels := img.Width * img.Height
	switch {
	case img.Format == Paletted:
		return c.collectBytes(img, maxColors)
	case img.Format == Gray:
		return c.collectBytes(img, min(maxGrays, pixels/pixelsPerColor))
	case pixels > maxIndexedPixels:
		return false
	}
	return c.collectPixels(img, min(maxColors, pixels/pixelsPerColor))
}

// collectBytes collects the colors of one-byte pixels, which serve as indices.
func (c *colors) collectBytes(img *Image, limit int) bool {
	c.indices, c.stride = img.Pix, img.Stride
	var seen [256]bool
	var above []byte
	for y := range img.Height {
		row := img.row(y)
		if string(row) == string(above) {
			continue
		}
		above = row
		for _, value := range row {
			if seen[value] {
				continue
			}
			if len(c.list) == limit {
				return false
			}
			seen[value] = true
			c.list = append(c.list, indexedColor{img.colorOf(uint32(value)), value})
		}
	}
	return true
}

// collectPixels assigns an index to each color as it is found.
func (c *colors) collectPixels(img *Image, limit int) bool {
	c.memory = reuse.Slice(c.memory, img.Width*img.Height)
	c.indices, c.stride = c.memory, img.Width
	c.values = [slots]uint16{}
	var above []byte
	var out, outAbove []uint8
	for y := range img.Height {
		row := img.row(y)
		out, outAbove = c.memory[y*img.Width:][:img.Width], out
		if string(row) == string(above) {
			copy(out, outAbove)
		} else if !c.collectRow(out, row, img, limit) {
			return false
		}
		above = row
	}
	return true
}

func (c *colors) collectRow(out []uint8, row []byte, img *Image, limit int) bool {
	bytesPerPixel := img.Format.bytesPerPixel()
	previous, index := ^uint32(pixelValue(row[:bytesPerPixel])), uint8(0)
	for x := range out {
		pixel := uint32(pixelValue(row[x*bytesPerPixel:][:bytesPerPixel]))
		if pixel != previous {
			slot := c.slotOf(pixel)
			if c.values[slot] == 0 {
				if len(c.list) == limit {
					return false
				}
				c.list = append(c.list, indexedColor{img.colorOf(pixel), uint8(len(c.list))})
				c.keys[slot], c.values[slot] = pixel, uint16(len(c.list))
			}
			previous, index = pixel, uint8(c.values[slot]-1)
		}
		out[x] = index
	}
	return true
}

// slotOf returns the slot of a pixel in the table, or the free slot where it belongs.
func (c *colors) slotOf(pixel uint32) uint32 {
	slot := pixel * 0x9e3779b1 >> (32 - slotBits)
	for c.values[slot] != 0 && c.keys[slot] != pixel {
		slot = (slot + 1) % slots
	}
	return slot
}

// colorOf returns the color of a pixel, whose first byte is the lowest of the number.
func (img *Image) colorOf(pixel uint32) packedColor {
	switch img.Format {
	case Gray:
		return packedColor(opaque | pixel*0x010101)
	case GrayAlpha:
		return packedColor(pixel>>8<<24 | pixel&0xff*0x010101)
	case RGB:
		return packedColor(opaque | pixel)
	case Paletted:
		return newColor(img.Palette[pixel])
	}
	return packedColor(pixel)
}
