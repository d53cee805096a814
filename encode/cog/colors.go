package cog

import (
	"tileserver/encode/blocks"
	"tileserver/encode/tag"
	"tileserver/raster"
)

// photometric returns what the first samples of a pixel mean.
func (img *Image) photometric(compression blocks.Compression) uint16 {
	info := &img.Info
	switch {
	case compression == blocks.JPEG && len(info.Bands) == 3:
		return tag.PhotometricYCbCr
	case info.HasPalette():
		return tag.PhotometricPalette
	case info.Colors.Space == raster.CMYK:
		return tag.PhotometricCMYK
	case isRGB(info):
		return tag.PhotometricRGB
	case info.Inverted:
		return tag.PhotometricWhiteIsZero
	}
	return tag.PhotometricBlackIsZero
}

// isRGB reports whether the first three bands are red, green and blue, in a type that viewers show.
func isRGB(info *raster.Info) bool {
	b := info.Bands
	return (info.Type == raster.Uint8 || info.Type == raster.Uint16) && len(b) >= 3 &&
		b[0].Color == raster.Red && b[1].Color == raster.Green && b[2].Color == raster.Blue
}

// namedSamples returns how many samples of a pixel a photometric interpretation defines.
func namedSamples(photometric uint16) int {
	switch photometric {
	case tag.PhotometricRGB, tag.PhotometricYCbCr:
		return 3
	case tag.PhotometricCMYK:
		return 4
	}
	return 1
}

// extraSamples returns what the samples mean that the photometric interpretation does not define.
func (img *Image) extraSamples(photometric uint16) []uint16 {
	info := &img.Info
	var extra []uint16
	for _, b := range info.Bands[namedSamples(photometric):] {
		switch {
		case b.Color != raster.Alpha:
			extra = append(extra, tag.ExtraUnspecified)
		case info.Premultiplied:
			extra = append(extra, tag.ExtraPremultiplied)
		default:
			extra = append(extra, tag.ExtraAlpha)
		}
	}
	return extra
}

// colorOf returns the color that readers take a band for, unless GDAL's metadata name another one.
func (img *Image) colorOf(band int, photometric uint16) raster.Color {
	isNamed := band < namedSamples(photometric)
	switch {
	case !isNamed && img.Info.Bands[band].Color == raster.Alpha:
		return raster.Alpha
	case !isNamed || photometric == tag.PhotometricCMYK:
		return raster.Undefined
	case photometric == tag.PhotometricRGB || photometric == tag.PhotometricYCbCr:
		return raster.Red + raster.Color(band)
	case photometric == tag.PhotometricPalette:
		return raster.PaletteIndex
	}
	return raster.Gray
}

// colorMap returns the palette: all reds, then all greens, then all blues. Colors that it lacks are
// black.
func colorMap(info *raster.Info) []uint16 {
	const sixteenBits = 257 // times eight bits
	n := 1 << (8 * info.Type.Size())
	out := make([]uint16, 3*n)
	for i, c := range info.Palette {
		out[i], out[n+i], out[2*n+i] = uint16(c.R)*sixteenBits, uint16(c.G)*sixteenBits, uint16(c.B)*sixteenBits
	}
	return out
}
