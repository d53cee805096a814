package layer

import (
	"fmt"
	"math"

	"tileserver/display/picture"
	"tileserver/raster"
)

// A Format is a requested file format.
type Format uint8

// The formats. PNG, JPEG and WebP are pictures. NPY and GeoTIFF files hold the samples that a
// picture would be rendered from.
const (
	PNG Format = iota
	JPEG
	WebP
	AutoJPEG // PNG if the picture has transparency, else JPEG
	AutoWebP // PNG if the picture has transparency, else WebP
	NPY
	GeoTIFF
)

// formats has the properties of the formats.
var formats = [...]struct {
	extension, mime string
	transparent     picture.FileFormat // for pictures with transparency
	opaque          picture.FileFormat // for pictures without transparency
}{
	PNG:      {"png", "image/png", picture.PNG, picture.PNG},
	JPEG:     {"jpg", "image/jpeg", picture.JPEG, picture.JPEG},
	WebP:     {"webp", "image/webp", picture.WebP, picture.WebP},
	AutoJPEG: {"auto", "image/png", picture.PNG, picture.JPEG},
	AutoWebP: {"auto", "image/png", picture.PNG, picture.WebP},
	NPY:      {"npy", "application/x-binary", 0, 0},
	GeoTIFF:  {"tif", "image/tiff; application=geotiff", 0, 0},
}

// ParseFormat parses a name or file extension: png, jpg, jpeg, webp, auto, npy, tif or tiff.
func ParseFormat(name string) (Format, error) {
	switch name {
	case "jpeg":
		name = "jpg"
	case "tiff":
		name = "tif"
	}
	for f, known := range formats {
		if known.extension == name {
			return Format(f), nil
		}
	}
	return PNG, fmt.Errorf("%w %q; use png, jpg, webp, auto, npy or tif", picture.ErrUnknownFormat, name)
}

// Extension returns the file extension, without the dot.
func (f Format) Extension() string { return formats[f].extension }

// MIME returns the media type. For auto formats it is that of pictures with transparency.
func (f Format) MIME() string { return formats[f].mime }

// String returns the extension.
func (f Format) String() string { return f.Extension() }

// IsData reports whether files hold samples instead of colors.
func (f Format) IsData() bool { return f >= NPY }

// Results returns the formats that files may have: two for an auto format, else the format itself.
func (f Format) Results() []Format {
	switch f {
	case AutoJPEG:
		return []Format{PNG, JPEG}
	case AutoWebP:
		return []Format{PNG, WebP}
	}
	return []Format{f}
}

// isAuto reports whether the file format depends on the transparency of the picture.
func (f Format) isAuto() bool { return f == AutoJPEG || f == AutoWebP }

// fileFormat returns the file format of an opaque or a transparent picture.
func (f Format) fileFormat(opaque bool) picture.FileFormat {
	if opaque {
		return formats[f].opaque
	}
	return formats[f].transparent
}

// canBe reports whether pictures can be encoded as kind.
func (f Format) canBe(kind picture.FileFormat) bool {
	return !f.IsData() && (formats[f].opaque == kind || formats[f].transparent == kind)
}

// maxSide returns the maximum side of a picture in pixels.
func (f Format) maxSide() int {
	if f.IsData() {
		return math.MaxInt32
	}
	return min(formats[f].transparent.MaxSide(), formats[f].opaque.MaxSide())
}

// Encoding configures the encoder. The zero value has the defaults.
type Encoding struct {
	Quality    int  // of JPEG and WebP, 1 to 100; picture.DefaultQuality if 0
	FullChroma bool // of JPEG: colors at full resolution
	Lossless   bool // of WebP
}

func checkQuality(e Encoding) error {
	if e.Quality < 0 || e.Quality > 100 {
		return invalid("quality must be from 1 to 100, not %d", e.Quality)
	}
	return nil
}

// options returns the options of the encoder.
func (e Encoding) options(background raster.RGBA) picture.Options {
	return picture.Options{Quality: e.Quality, FullChroma: e.FullChroma, Lossless: e.Lossless, Background: background}
}

// canonicalEncoding clears the settings that have no effect on the format.
func canonicalEncoding(f Format, e Encoding) Encoding {
	if !f.canBe(picture.WebP) {
		e.Lossless = false
	}
	if !f.canBe(picture.JPEG) {
		e.FullChroma = false
	}
	lossy := f.canBe(picture.JPEG) || f.canBe(picture.WebP) && !e.Lossless
	if !lossy || e.Quality == picture.DefaultQuality {
		e.Quality = 0
	}
	return e
}

// lossless returns the lossless variant of a format, for pictures whose colors encode numbers. It
// returns an error if the format has none.
func lossless(f Format) (Format, Encoding, error) {
	switch f {
	case AutoJPEG, AutoWebP:
		return PNG, Encoding{}, nil
	case WebP:
		return WebP, Encoding{Lossless: true}, nil
	case JPEG:
		return f, Encoding{}, invalid("JPEG would change the numbers that the colors encode; use png")
	}
	return f, Encoding{}, nil
}

// canonicalBackground returns the color behind a picture. It is white where the background has no
// effect.
func canonicalBackground(f Format, background raster.RGBA) raster.RGBA {
	white := raster.RGBA{R: 255, G: 255, B: 255, A: 255}
	if background == (raster.RGBA{}) || f != JPEG {
		return white
	}
	background.A = 255
	return background
}
