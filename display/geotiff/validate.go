package geotiff

import (
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"
)

const (
	maxSide      = 1 << 24 // pixels
	maxBands     = math.MaxUint16 - 1
	maxTextBytes = 1 << 20
	tileUnit     = 16 // tiles of a TIFF have sides that are multiples of this
	maxTileSide  = 4096

	// The range that GeoTIFF reserves for EPSG codes.
	minEPSG, maxEPSG = 1024, 32766
)

// validate checks the whole description, so that the encoder need not.
func (img *Image) validate() error {
	if img.Type.Size() == 0 {
		return fmt.Errorf("%w: unknown type %d", ErrImage, img.Type)
	}
	if img.Width < 1 || img.Height < 1 || img.Width > maxSide || img.Height > maxSide {
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, img.Width, img.Height)
	}
	for _, check := range []func(*Image) error{
		(*Image).validateBands, (*Image).validateCoverage, (*Image).validateMeaning, (*Image).validateOptions,
	} {
		if err := check(img); err != nil {
			return err
		}
	}
	if img.Place != nil {
		return img.Place.validate()
	}
	return nil
}

func (img *Image) pixels() int64 { return int64(img.Width) * int64(img.Height) }

func (img *Image) validateBands() error {
	if len(img.Bands) < 1 || len(img.Bands) > maxBands {
		return fmt.Errorf("%w: %d bands", ErrImage, len(img.Bands))
	}
	textBytes := 0
	for i := range img.Bands {
		band := &img.Bands[i]
		if int64(len(band.Samples)) != img.pixels()*int64(img.Type.Size()) {
			return fmt.Errorf("%w: band %d: %d bytes for %d samples of %s",
				ErrImage, i, len(band.Samples), img.pixels(), img.Type)
		}
		if !isText(band.Name) || !isText(band.Unit) {
			return fmt.Errorf("%w: band %d: name %q or unit %q is not valid text", ErrImage, i, band.Name, band.Unit)
		}
		if !isFinite(band.Scale) || !isFinite(band.Offset) {
			return fmt.Errorf("%w: band %d: scale %g, offset %g", ErrImage, i, band.Scale, band.Offset)
		}
		if textBytes += len(band.Name) + len(band.Unit); textBytes > maxTextBytes {
			return fmt.Errorf("%w: band %d: more than %d bytes of names and units", ErrImage, i, maxTextBytes)
		}
	}
	return nil
}

func (img *Image) validateCoverage() error {
	if n := len(img.Coverage); n > 1 && n != len(img.Bands) {
		return fmt.Errorf("%w: %d planes of coverage for %d bands", ErrImage, n, len(img.Bands))
	}
	for i, plane := range img.Coverage {
		if plane != nil && int64(len(plane)) != img.pixels() {
			return fmt.Errorf("%w: coverage %d: %d bytes for %d pixels", ErrImage, i, len(plane), img.pixels())
		}
	}
	return nil
}

// validateMeaning checks the options that depend on the type of samples.
func (img *Image) validateMeaning() error {
	if img.NoData != nil && !img.Type.holds(*img.NoData) {
		return fmt.Errorf("%w: nodata value %g is not a number of %s", ErrImage, *img.NoData, img.Type)
	}
	if img.RGB && (len(img.Bands) < 3 || !img.Type.hasAlpha()) {
		return fmt.Errorf("%w: %d bands of %s are not red, green and blue", ErrImage, len(img.Bands), img.Type)
	}
	if img.Masking > MaskImage || img.Masking == AlphaBand && img.NoData == nil && !img.Type.hasAlpha() {
		return fmt.Errorf("%w: masking %d for samples of %s", ErrImage, img.Masking, img.Type)
	}
	return nil
}

func (img *Image) validateOptions() error {
	if img.Compression > Uncompressed {
		return fmt.Errorf("%w: unknown compression %d", ErrImage, img.Compression)
	}
	if img.TileSide < 0 || img.TileSide > maxTileSide || img.TileSide%tileUnit != 0 {
		return fmt.Errorf("%w: tiles of %d pixels", ErrImage, img.TileSide)
	}
	if img.MaxBytes < 0 {
		return fmt.Errorf("%w: negative limit of %d bytes", ErrImage, img.MaxBytes)
	}
	return nil
}

func (p *Place) validate() error {
	t := p.Transform
	for _, number := range [...]float64{t.A, t.B, t.C, t.D, t.E, t.F} {
		if !isFinite(number) {
			return fmt.Errorf("%w: transform %v", ErrImage, t)
		}
	}
	if float64(t.A*t.E) == float64(t.B*t.D) {
		return fmt.Errorf("%w: transform %v has no inverse", ErrImage, t)
	}
	if p.EPSG != 0 && (p.EPSG < minEPSG || p.EPSG > maxEPSG) {
		return fmt.Errorf("%w: EPSG code %d", ErrImage, p.EPSG)
	}
	return nil
}

func isFinite(number float64) bool { return !math.IsNaN(number) && !math.IsInf(number, 0) }

// isText reports whether s can be stored in XML.
func isText(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if unicode.IsControl(r) || r == 0xfffe || r == 0xffff {
			return false
		}
	}
	return true
}
