package layer

import (
	"fmt"
	"math"

	"tileserver/display/picture"
	"tileserver/raster"
)

// Format is a kind of file that is asked for.
type Format uint8

// The formats. PNG, JPEG and WebP are pictures; NPY and GeoTIFF hold the samples that a
// picture would be made of.
const (
	PNG Format = iota
	JPEG
	WebP
	AutoJPEG // PNG where something shows through, else JPEG
	AutoWebP // PNG where something shows through, else WebP
	NPY
	GeoTIFF
)

// formats are the names and kinds of the formats.
var formats = [...]struct {
	extension, mime string
	transparent     picture.FileFormat // of pictures that show something through
	opaque          picture.FileFormat // of those that do not
}{
	PNG:      {"png", "image/png", picture.PNG, picture.PNG},
	JPEG:     {"jpg", "image/jpeg", picture.JPEG, picture.JPEG},
	WebP:     {"webp", "image/webp", picture.WebP, picture.WebP},
	AutoJPEG: {"auto", "image/png", picture.PNG, picture.JPEG},
	AutoWebP: {"auto", "image/png", picture.PNG, picture.WebP},
	NPY:      {"npy", "application/x-binary", 0, 0},
	GeoTIFF:  {"tif", "image/tiff; application=geotiff", 0, 0},
}

// ParseFormat reads a name or a file's extension: png, jpg, jpeg, webp, auto, npy, tif or
// tiff.
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

// Extension is the end of the names of such files, without the dot.
func (f Format) Extension() string { return formats[f].extension }

// MIME is the media type of such files; where the kind depends on what is to be seen, that of
// those that show something through.
func (f Format) MIME() string { return formats[f].mime }

// String is the extension.
func (f Format) String() string { return f.Extension() }

// IsData tells whether a file holds samples and not their colours.
func (f Format) IsData() bool { return f >= NPY }

// isAuto tells whether the kind of file depends on what is to be seen.
func (f Format) isAuto() bool { return f == AutoJPEG || f == AutoWebP }

// of is the kind of file for a picture that shows something through, or not.
func (f Format) fileFormat(opaque bool) picture.FileFormat {
	if opaque {
		return formats[f].opaque
	}
	return formats[f].transparent
}

// mayBe tells whether a picture can become a kind of file.
func (f Format) canBe(kind picture.FileFormat) bool {
	return !f.IsData() && (formats[f].opaque == kind || formats[f].transparent == kind)
}

// maxSide is the most pixels that a side of a picture may have.
func (f Format) maxSide() int {
	if f.IsData() {
		return math.MaxInt32
	}
	return min(formats[f].transparent.MaxSide(), formats[f].opaque.MaxSide())
}

// Encoding says how a picture becomes a file. The zero value is the usual way.
type Encoding struct {
	Quality    int  // of JPEG and WebP, from 1 to 100; 0 is picture.DefaultQuality
	FullChroma bool // of JPEG: colours as sharp as light
	Lossless   bool // of WebP
}

// options are what the encoder is told.
func (e Encoding) options(background raster.RGBA) picture.Options {
	return picture.Options{Quality: e.Quality, FullChroma: e.FullChroma, Lossless: e.Lossless, Background: background}
}

// canonicalEncoding is e without what changes nothing.
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

// exact is how a picture whose colours stand for numbers is sent: without loss, or not at all.
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

// canonicalBackground is the colour behind a picture, or none where nothing shows through.
func canonicalBackground(f Format, background raster.RGBA) raster.RGBA {
	white := raster.RGBA{R: 255, G: 255, B: 255, A: 255}
	if background == (raster.RGBA{}) || f != JPEG {
		return white
	}
	background.A = 255
	return background
}
