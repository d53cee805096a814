package picture

import (
	"fmt"

	"tileserver/raster"
)

// ResetCanvas makes p an RGBA picture of one color, for other pictures to be drawn over it.
func (p *Picture) ResetCanvas(width, height int, color raster.RGBA) {
	p.Reshape(width, height, RGBA)
	if color.A == 0 {
		color = raster.RGBA{}
	}
	for x := 0; x < len(p.Pix); x += 4 {
		putPixel(p.Pix[x:], color.R, color.G, color.B, color.A)
	}
}

// Overlay draws a picture of the same size over p, which must be RGBA. Where both are translucent,
// the result is translucent, and its color is their mean, weighted by visibility.
func (p *Picture) Overlay(top *Picture) error {
	if err := top.validate(); err != nil {
		return err
	}
	if p.Format != RGBA || top.Format.IsDeep() || p.Width != top.Width || p.Height != top.Height {
		return fmt.Errorf("%w: %dx%d pixels of format %d over %dx%d of format %d", ErrPicture, top.Width, top.Height, top.Format, p.Width, p.Height, p.Format)
	}
	row := make([]uint8, 4*p.Width)
	for y := range p.Height {
		expandRow(row, top, top.Row(y))
		overlayRow(p.Row(y), row)
	}
	return nil
}

func overlayRow(under, top []uint8) {
	for ; len(top) >= 4 && len(under) >= 4; under, top = under[4:], top[4:] {
		switch top[3] {
		case 0:
		case 255:
			copy(under[:4], top[:4])
		default:
			overlayPixel((*[4]uint8)(under), (*[4]uint8)(top))
		}
	}
}

// overlayPixel computes in units of 1/255 of the opacity and rounds once. Colors that are not
// premultiplied must be weighted by opacities that are not rounded yet.
func overlayPixel(under, top *[4]uint8) {
	own := 255 * uint32(top[3])
	behind := uint32(under[3]) * (255 - uint32(top[3]))
	sum := own + behind // not 0, because top is not fully transparent
	for i := range 3 {
		under[i] = uint8((uint32(top[i])*own + uint32(under[i])*behind + sum/2) / sum)
	}
	under[3] = uint8(Divide255(sum))
}
