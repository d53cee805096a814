package picture

import (
	"encoding/binary"

	"tileserver/raster"
)

// Tone is what becomes of colours.
type Tone uint8

// The tones.
const (
	Colored Tone = iota
	Grays
	BlackAndWhite // without grays between them
)

// luma is how light a colour is, as Rec. 601 weighs it, to the nearest whole number. Black,
// white and grays are as light as they are.
func luma(red, green, blue uint32) uint32 { return (299*red + 587*green + 114*blue + 500) / 1000 }

// of is how light a colour is shown, where highest is white.
func (t Tone) of(red, green, blue, highest uint32) uint32 {
	gray := luma(red, green, blue)
	switch {
	case t != BlackAndWhite:
		return gray
	case gray > highest/2:
		return highest
	}
	return 0
}

// Of is a colour in that tone.
func (t Tone) Of(c raster.RGBA) raster.RGBA {
	if t == Colored {
		return c
	}
	gray := uint8(t.of(uint32(c.R), uint32(c.G), uint32(c.B), 255))
	return raster.RGBA{R: gray, G: gray, B: gray, A: c.A}
}

// Tint shows p in a tone. What shows through is the same, and so is the number of bits.
func (p *Picture) Tint(tone Tone) {
	if tone == Colored {
		return
	}
	if p.Format == Paletted {
		palette := *p.Palette
		for i, c := range palette {
			palette[i] = tone.Of(c)
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

// gray is the format that has the transparency of f and no colours.
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

// tintRow makes grays of a row. They take no more room than the colours, in whose place they
// are written, each row from where it was.
func tintRow(row []uint8, format PixelFormat, tone Tone) {
	size, to := format.BytesPerPixel(), row
	for ; len(row) >= size; row = row[size:] {
		red, green, blue, alpha := row[0], row[0], row[0], row[size-1]
		if size >= 3 {
			green, blue = row[1], row[2]
		}
		to[0] = uint8(tone.of(uint32(red), uint32(green), uint32(blue), 255))
		if to = to[1:]; format.gray() == GrayAlpha {
			to[0] = alpha
			to = to[1:]
		}
	}
}

// tintDeepRow is tintRow for samples of 16 bits.
func tintDeepRow(row []uint8, format PixelFormat, tone Tone) {
	size, to := format.BytesPerPixel(), row
	sample := func(at int) uint32 { return uint32(binary.BigEndian.Uint16(row[at:])) }
	for ; len(row) >= size; row = row[size:] {
		red, green, blue, alpha := sample(0), sample(0), sample(0), sample(size-2)
		if size >= 6 {
			green, blue = sample(2), sample(4)
		}
		binary.BigEndian.PutUint16(to, uint16(tone.of(red, green, blue, 65535)))
		if to = to[2:]; format.gray() == GrayAlpha16 {
			binary.BigEndian.PutUint16(to, uint16(alpha))
			to = to[2:]
		}
	}
}
