package png

import (
	"encoding/binary"
	"slices"
)

const (
	maxColours = 256
	maxGrays   = 16 // that take less than a byte

	// pixelsPerColour are what it takes to gain by a colour in a palette.
	pixelsPerColour = 8

	// maxIndexedPixels bounds the memory for indices. Larger images are written with whole pixels.
	maxIndexedPixels = 1 << 24

	slotBits = 10 // of the hash table of colours, of which a quarter is taken at most
	slots    = 1 << slotBits
)

// A colour is red, green, blue and alpha of a pixel, red lowest.
type colour uint32

const opaque = 0xff << 24

func newColour(rgba [4]uint8) colour { return colour(binary.LittleEndian.Uint32(rgba[:])) }

func (c colour) bytes() (rgba [4]uint8) {
	binary.LittleEndian.PutUint32(rgba[:], uint32(c))
	return rgba
}

func (c colour) isOpaqueGray() bool { return c == opaque|c&0xff*0x010101 }

// rank sorts colours so that those without full alpha come first, which have to be told, and then by luma: where colours
// blend into each other, their numbers do so too.
func (c colour) rank() uint64 {
	luma := uint64(c&0xff)*3 + uint64(c>>8&0xff)*6 + uint64(c>>16&0xff)
	if c >= opaque {
		luma += 1 << 16
	}
	return luma<<32 | uint64(c)
}

// colours are those of a whole image, where they are few, and which of them each pixel has.
type colours struct {
	list    []numberedColour
	indices []uint8 // of the pixels; those of the image itself, or memory
	stride  int

	memory []uint8
	keys   [slots]uint32
	values [slots]uint16 // the index of the key and one, or 0 where there is none
}

// numberedColour is a colour and the index that its pixels have.
type numberedColour struct {
	colour colour
	index  uint8
}

// collect finds the colours of an image of 8 bits a sample, unless there are too many to gain by it.
func (c *colours) collect(img *Image) bool {
	c.list = slices.Grow(c.list[:0], maxColours)
	pixels := img.Width * img.Height
	switch {
	case img.Format == Paletted:
		return c.collectBytes(img, maxColours)
	case img.Format == Gray:
		return c.collectBytes(img, min(maxGrays, pixels/pixelsPerColour))
	case pixels > maxIndexedPixels:
		return false
	}
	return c.collectPixels(img, min(maxColours, pixels/pixelsPerColour))
}

// collectBytes finds the colours of pixels of one byte, which serve as indices.
func (c *colours) collectBytes(img *Image, limit int) bool {
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
			c.list = append(c.list, numberedColour{img.colourOf(uint32(value)), value})
		}
	}
	return true
}

// collectPixels gives each colour an index as it is found.
func (c *colours) collectPixels(img *Image, limit int) bool {
	c.memory = sized(c.memory, img.Width*img.Height)
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

func (c *colours) collectRow(out []uint8, row []byte, img *Image, limit int) bool {
	bytesPerPixel := img.Format.bytesPerPixel()
	before, index := ^uint32(pixelValue(row[:bytesPerPixel])), uint8(0)
	for x := range out {
		pixel := uint32(pixelValue(row[x*bytesPerPixel:][:bytesPerPixel]))
		if pixel != before {
			slot := c.slotOf(pixel)
			if c.values[slot] == 0 {
				if len(c.list) == limit {
					return false
				}
				c.list = append(c.list, numberedColour{img.colourOf(pixel), uint8(len(c.list))})
				c.keys[slot], c.values[slot] = pixel, uint16(len(c.list))
			}
			before, index = pixel, uint8(c.values[slot]-1)
		}
		out[x] = index
	}
	return true
}

// slotOf returns where a pixel is in the table, or where there is room for it.
func (c *colours) slotOf(pixel uint32) uint32 {
	slot := pixel * 0x9e3779b1 >> (32 - slotBits)
	for c.values[slot] != 0 && c.keys[slot] != pixel {
		slot = (slot + 1) % slots
	}
	return slot
}

// colourOf returns the colour of a pixel, whose bytes are those of the number, the lowest first.
func (img *Image) colourOf(pixel uint32) colour {
	switch img.Format {
	case Gray:
		return colour(opaque | pixel*0x010101)
	case GrayAlpha:
		return colour(pixel>>8<<24 | pixel&0xff*0x010101)
	case RGB:
		return colour(opaque | pixel)
	case Paletted:
		return newColour(img.Palette[pixel])
	}
	return colour(pixel)
}
