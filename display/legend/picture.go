package legend

import (
	"image"

	"tileserver/display/colormap"
)

// A Picture holds RGBA pixels of eight bits per sample. Colors are not premultiplied.
type Picture struct {
	Width, Height int
	Stride        int // bytes from one row to the next
	Pix           []uint8
}

func newPicture(width, height int, background colormap.Color) *Picture {
	p := &Picture{Width: width, Height: height, Stride: 4 * width, Pix: make([]uint8, 4*width*height)}
	p.fill(image.Rect(0, 0, width, height), background)
	return p
}

// fill blends a color over the pixels of r, clipped to the picture. If the color is not opaque, all
// pixels of r must be equal before.
func (p *Picture) fill(r image.Rectangle, c colormap.Color) {
	r = r.Intersect(image.Rect(0, 0, p.Width, p.Height))
	if c.A == 0 || r.Empty() {
		return
	}
	p.blend(r.Min.X, r.Min.Y, c, 255)
	row := p.Pix[r.Min.Y*p.Stride+4*r.Min.X:][:4*r.Dx()]
	for done := 4; done < len(row); {
		done += copy(row[done:], row[:done])
	}
	p.repeatFirstRow(r)
}

// repeatFirstRow copies the first row of r to all other rows; r must not be empty.
func (p *Picture) repeatFirstRow(r image.Rectangle) {
	first := p.Pix[r.Min.Y*p.Stride+4*r.Min.X:][:4*r.Dx()]
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(p.Pix[y*p.Stride+4*r.Min.X:], first)
	}
}

func (p *Picture) pixel(x, y int) []uint8 { return p.Pix[y*p.Stride+4*x:][:4] }

// frame draws a line of one pixel along the inner edges of r.
func (p *Picture) frame(r image.Rectangle, c colormap.Color) {
	p.fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1), c)
	p.fill(image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y), c)
	p.fill(image.Rect(r.Min.X, r.Min.Y+1, r.Min.X+1, r.Max.Y-1), c)
	p.fill(image.Rect(r.Max.X-1, r.Min.Y+1, r.Max.X, r.Max.Y-1), c)
}

// blend blends a color over a pixel, weighted by a coverage of 0 to 255. The pixel must lie within
// the picture.
func (p *Picture) blend(x, y int, c colormap.Color, coverage uint8) {
	pixel := p.pixel(x, y)
	above := uint32(c.A) * uint32(coverage) // in units of 1/255²
	if above == 0 {
		return
	}
	below := uint32(pixel[3]) * (255*255 - above) // in units of 1/255³
	opacity := above*255 + below                  // in units of 1/255³
	for i, channel := range [3]uint8{c.R, c.G, c.B} {
		sum := uint64(channel)*uint64(above)*255 + uint64(pixel[i])*uint64(below)
		pixel[i] = uint8((sum + uint64(opacity)/2) / uint64(opacity))
	}
	pixel[3] = uint8((opacity + 255*255/2) / (255 * 255))
}
