package picture

import (
	"encoding/binary"

	"tileserver/raster"
)

// Tone is a reduction of colors.
type Tone uint8

// The tones.
const (
	Colored Tone = iota
	Grays
	BlackAndWhite // without other grays
)

// luma returns the luma of a color by the weights of Rec. 601, rounded. Black, white and grays keep
// their value.
func luma(red, green, blue uint32) uint32 { return (299*red + 587*green + 114*blue + 500) / 1000 }

// gray returns the gray of a color, where highest is white.
func (t Tone) gray(red, green, blue, white uint32) uint32 {
	luminance := luma(red, green, blue)
	switch {
	case t != BlackAndWhite:
		return luminance
	case luminance > white/2:
		return white
	}
	return 0
}

// Apply returns a color reduced to the tone.
func (t Tone) Apply(c raster.RGBA) raster.RGBA {
	if t == Colored {
		return c
	}
	gray := uint8(t.gray(uint32(c.R), uint32(c.G), uint32(c.B), 255))
	return raster.RGBA{R: gray, G: gray, B: gray, A: c.A}
}

// Tint reduces p to a tone. Opacity and the number of bits stay the same.
func (p *Picture) Tint(tone Tone) {
	if tone == Colored {
		return
	}
	if p.Format == Paletted {
		palette := *p.Palette
		for i, c := range palette {
			palette[i] = tone.Apply(c)
		}
		p.Palette = &palette
		return
	}
	format := p.Format.gray()
	for y := range p.Height {
		if p.Format.IsDeep() {
			tintDeepRow(p.Row(y), p.Format, tone)
		} else {
			tintRow(p.Row(y), p.Format, tone)
		}
	}
	p.Format = format
}

// gray returns the format without colors that has the transparency of f.
func (f PixelFormat) gray() PixelFormat {
	switch f {
	case RGB:
		return Gray
	case RGBA:
		return GrayAlpha
	case RGB16:
		return Gray16
	case RGBA16:
		return GrayAlpha16
	}
	return f
}

// tintRow reduces a row in place. Grays never take more bytes than colors, and each row keeps its
// start.
func tintRow(row []uint8, format PixelFormat, tone Tone) {
	size, to := format.BytesPerPixel(), row
	for ; len(row) >= size; row = row[size:] {
		red, green, blue, alpha := row[0], row[0], row[0], row[size-1]
		if size >= 3 {
			green, blue = row[1], row[2]
		}
		to[0] = uint8(tone.gray(uint32(red), uint32(green), uint32(blue), 255))
		if to = to[1:]; format.gray() == GrayAlpha {
			to[0] = alpha
			to = to[1:]
		}
	}
}

// tintDeepRow is tintRow for 16-bit samples.
func tintDeepRow(row []uint8, format PixelFormat, tone Tone) {
	size, to := format.BytesPerPixel(), row
	sample := func(at int) uint32 { return uint32(binary.BigEndian.Uint16(row[at:])) }
	for ; len(row) >= size; row = row[size:] {
		red, green, blue, alpha := sample(0), sample(0), sample(0), sample(size-2)
		if size >= 6 {
			green, blue = sample(2), sample(4)
		}
		binary.BigEndian.PutUint16(to, uint16(tone.gray(red, green, blue, 65535)))
		if to = to[2:]; format.gray() == GrayAlpha16 {
			binary.BigEndian.PutUint16(to, uint16(alpha))
			to = to[2:]
		}
	}
}
