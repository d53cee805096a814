package display

import (
	"tileserver/display/picture"
	"tileserver/raster"
)

// lighting maps each brightness of a hillshade to its effect on a color.
type lighting [256]struct{ factor, add uint32 } // fixed-point, in units of 1/65536

const (
	// ambient is the fraction of a color that is left in the darkest shadow.
	ambient = 0.22
	// highlight is how far a color moves toward white in full sun, as a fraction.
	highlight = 0.38
)

// newLighting builds the table for a brightness of level ground. Level ground keeps its color, so
// that the legend applies. Slopes facing away from the sun are darker, slopes facing it lighter.
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

// apply lights each pixel of a picture by its brightness.
func (l *lighting) apply(p *rendering, brightness []uint8) {
	switch p.Format {
	case picture.Paletted:
		l.applyPaletted(p, brightness)
	case picture.Gray, picture.GrayAlpha:
		size := p.Format.BytesPerPixel()
		for i, bright := range brightness {
			p.Pix[i*size] = l.light(p.Pix[i*size], bright)
		}
	default:
		l.applyRGBA(p.Pix, brightness)
	}
}

func (l *lighting) light(sample, brightness uint8) uint8 {
	effect := &l[brightness]
	return uint8((uint32(sample)*effect.factor + effect.add) >> 16)
}

// applyRGBA lights RGBA pixels. Fully transparent pixels stay 0.
func (l *lighting) applyRGBA(pixels, brightness []uint8) {
	pixels = pixels[:4*len(brightness)]
	for i, bright := range brightness {
		pixel := pixels[4*i:][:4:4]
		if pixel[3] == 0 {
			continue
		}
		effect := &l[bright]
		pixel[0] = uint8((uint32(pixel[0])*effect.factor + effect.add) >> 16)
		pixel[1] = uint8((uint32(pixel[1])*effect.factor + effect.add) >> 16)
		pixel[2] = uint8((uint32(pixel[2])*effect.factor + effect.add) >> 16)
	}
}

// applyPaletted converts palette indices to lit colors, which can be more than a palette holds.
func (l *lighting) applyPaletted(p *rendering, brightness []uint8) {
	indices, palette := p.work.plane(0, len(brightness)), p.Palette
	copy(indices, p.Pix)
	if !isOpaque(palette) {
		p.Reshape(p.Width, p.Height, picture.RGBA)
		colorize(p.Pix, indices, nil, packAll(palette[:], len(palette)))
		l.applyRGBA(p.Pix, brightness)
		return
	}
	p.Reshape(p.Width, p.Height, picture.RGB)
	pixels := p.Pix[:3*len(indices)]
	for i, bright := range brightness {
		color, effect := &palette[indices[i]], &l[bright]
		pixel := pixels[3*i:][:3:3]
		pixel[0] = uint8((uint32(color.R)*effect.factor + effect.add) >> 16)
		pixel[1] = uint8((uint32(color.G)*effect.factor + effect.add) >> 16)
		pixel[2] = uint8((uint32(color.B)*effect.factor + effect.add) >> 16)
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
