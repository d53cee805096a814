package picture

import (
	"encoding/binary"

	"tileserver/raster"
)

// Expand writes p as rows of RGBA without gaps.
func Expand(pixels []uint8, p *Picture) {
	rowBytes := 4 * p.Width
	for y := range p.Height {
		expandRow(pixels[y*rowBytes:][:rowBytes], p, p.Row(y))
	}
}

func expandRow(pixels []uint8, p *Picture, row []uint8) {
	switch p.Format {
	case RGBA:
		copy(pixels, row)
	case Gray:
		for _, gray := range row {
			putPixel(pixels, gray, gray, gray, 255)
			pixels = pixels[4:]
		}
	case GrayAlpha:
		for ; len(row) >= 2; row, pixels = row[2:], pixels[4:] {
			putPixel(pixels, row[0], row[0], row[0], row[1])
		}
	case RGB:
		for ; len(row) >= 3; row, pixels = row[3:], pixels[4:] {
			putPixel(pixels, row[0], row[1], row[2], 255)
		}
	case Paletted:
		for _, index := range row {
			c := p.Palette[index]
			putPixel(pixels, c.R, c.G, c.B, c.A)
			pixels = pixels[4:]
		}
	}
}

func putPixel(pixels []uint8, red, green, blue, alpha uint8) {
	binary.LittleEndian.PutUint32(pixels, Pack(raster.RGBA{R: red, G: green, B: blue, A: alpha}))
}

// flatten writes p over a background as rows of RGB without gaps. Row is scratch memory for one
// row of RGBA.
func flatten(pixels, row []uint8, p *Picture, background raster.RGBA) {
	row = row[:4*p.Width]
	for y := range p.Height {
		expandRow(row, p, p.Row(y))
		for x := 0; x+4 <= len(row); x, pixels = x+4, pixels[3:] {
			color := row[x : x+4 : x+4]
			if color[3] == 255 {
				pixels[0], pixels[1], pixels[2] = color[0], color[1], color[2]
				continue
			}
			pixels[0] = blendOver(color[0], background.R, color[3])
			pixels[1] = blendOver(color[1], background.G, color[3])
			pixels[2] = blendOver(color[2], background.B, color[3])
		}
	}
}

// over returns a color blended over another.
func blendOver(color, behind, opacity uint8) uint8 {
	return uint8(Divide255(uint32(color)*uint32(opacity) + uint32(behind)*uint32(255-opacity)))
}
