package display

import (
	"tileserver/display/picture"
	"tileserver/raster"
)

// lighting is what each brightness of a hillshade does to a color.
type lighting [256]struct{ factor, add uint32 } // of 1<<16

const (
	// ambient is the part of a color that is left in the darkest shadow.
	ambient = 0.22
	// highlight is the part of the way to white that a color goes in full sun.
	highlight = 0.38
)

// newLighting leaves level ground as it is, so that its colors are those of the legend. What
// looks away from the sun is darker, and what faces it is lighter.
func newLighting(level uint8) *lighting {
	l := new(lighting)
	for brightness := range l {
		factor, add := 1., 0.
		if darker := float64(brightness) / float64(level); darker < 1 {
			factor = ambient + float64((1-ambient)*darker)
		} else if brightness > int(level) {
			white := float64(highlight * float64(float64(brightness-int(level))/float64(255-int(level))))
			factor, add = 1-white, float64(255*white)
		}
		l[brightness].factor = uint32(float64(factor*65536) + 0.5)
		l[brightness].add = uint32(float64(add*65536) + 0.5 + 32768)
	}
	return l
}

// shine lights the pixels of a picture, each as bright as a tile says.
func (l *lighting) shine(p *rendering, brightness []uint8) {
	switch p.Format {
	case picture.Paletted:
		l.shinePalette(p, brightness)
	case picture.Gray, picture.GrayAlpha:
		size := p.Format.BytesPerPixel()
		for i, bright := range brightness {
			p.Pix[i*size] = l.on(p.Pix[i*size], bright)
		}
	default:
		l.shineColors(p.Pix, brightness)
	}
}

func (l *lighting) on(sample, brightness uint8) uint8 {
	of := &l[brightness]
	return uint8((uint32(sample)*of.factor + of.add) >> 16)
}

// shineColors lights pixels of RGBA. Those that are wholly transparent stay 0.
func (l *lighting) shineColors(pixels, brightness []uint8) {
	pixels = pixels[:4*len(brightness)]
	for i, bright := range brightness {
		pixel := pixels[4*i:][:4:4]
		if pixel[3] == 0 {
			continue
		}
		of := &l[bright]
		pixel[0] = uint8((uint32(pixel[0])*of.factor + of.add) >> 16)
		pixel[1] = uint8((uint32(pixel[1])*of.factor + of.add) >> 16)
		pixel[2] = uint8((uint32(pixel[2])*of.factor + of.add) >> 16)
	}
}

// shinePalette makes indices into colors, which are more than a palette holds once they are lit.
func (l *lighting) shinePalette(p *rendering, brightness []uint8) {
	indices, palette := p.work.plane(0, len(brightness)), p.Palette
	copy(indices, p.Pix)
	if !isOpaque(palette) {
		p.Reshape(p.Width, p.Height, picture.RGBA)
		colorize(p.Pix, indices, nil, packAll(palette[:], len(palette)))
		l.shineColors(p.Pix, brightness)
		return
	}
	p.Reshape(p.Width, p.Height, picture.RGB)
	pixels := p.Pix[:3*len(indices)]
	for i, bright := range brightness {
		color, of := &palette[indices[i]], &l[bright]
		pixel := pixels[3*i:][:3:3]
		pixel[0] = uint8((uint32(color.R)*of.factor + of.add) >> 16)
		pixel[1] = uint8((uint32(color.G)*of.factor + of.add) >> 16)
		pixel[2] = uint8((uint32(color.B)*of.factor + of.add) >> 16)
	}
}

func isOpaque(palette *[256]raster.RGBA) bool {
	for _, color := range palette {
		if color.A != 255 {
			return false
		}
	}
	return true
}
