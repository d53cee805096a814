package blocks

import (
	"fmt"

	jpeg "tileserver/codec/jpeg/encoder"
	"tileserver/codec/lerc"
	webp "tileserver/codec/webp/encoder"
	"tileserver/raster"
)

// The effort that is used for an effort of 0.
const (
	defaultDeflateEffort = 7 // files of GDAL's size; lower ones but the first save little time and much less
	defaultZSTDEffort    = 3
)

// maxBlockBytes bounds the memory of a block. Readers bound it, too.
const maxBlockBytes = 1 << 30

func (s *Shape) validate() error {
	size := s.Type.Size()
	if s.Width < 1 || s.Height < 1 || s.Samples < 1 || size == 0 {
		return fmt.Errorf("%w: %dx%d pixels of %d samples of %v", ErrCoding, s.Width, s.Height, s.Samples, s.Type)
	}
	if bytes := float64(s.Width) * float64(s.Height) * float64(s.Samples) * float64(size); bytes > maxBlockBytes {
		return fmt.Errorf("%w: %.0f bytes in one, the limit is %d", ErrCoding, bytes, maxBlockBytes)
	}
	return nil
}

// resolve returns the coding with its defaults for a shape, or an error if they do not fit.
func (c Coding) resolve(s *Shape) (Coding, error) {
	if err := s.validate(); err != nil {
		return c, err
	}
	if c.Compression == "" {
		c.Compression = None
	}
	var err error
	switch c.Compression {
	case None:
	case LZW:
		c.Predictor = c.predictorFor(s.Type)
	case Deflate:
		c.Predictor, c.Effort = c.predictorFor(s.Type), orDefault(c.Effort, defaultDeflateEffort)
		err = c.checkEffort(9)
	case ZSTD:
		c.Predictor, c.Effort = c.predictorFor(s.Type), orDefault(c.Effort, defaultZSTDEffort)
		err = c.checkEffort(22)
	case LERC:
		c, err = c.resolveLERC(s)
	case JPEG:
		c.Quality = orDefault(c.Quality, jpeg.DefaultQuality)
		err = c.checkPicture(s, jpeg.MaxSide, 1, 3)
	case WebP:
		c.Quality = orDefault(c.Quality, webp.DefaultQuality)
		err = c.checkPicture(s, webp.MaxSide, 3, 4)
	default:
		err = fmt.Errorf("%w: unknown compression %q", ErrCoding, c.Compression)
	}
	if err != nil {
		return c, err
	}
	return c, c.checkPredictor(s.Type)
}

// resolveLERC resolves the second compression of LERC.
func (c Coding) resolveLERC(s *Shape) (Coding, error) {
	if _, ok := lerc.TypeOf(s.Type); !ok {
		return c, fmt.Errorf("%w: LERC has no %v", ErrCoding, s.Type)
	}
	if c.Around == "" {
		return c, nil
	}
	if c.Around != Deflate && c.Around != ZSTD {
		return c, fmt.Errorf("%w: LERC within %q", ErrCoding, c.Around)
	}
	around, err := Coding{Compression: c.Around, Predictor: NoPredictor, Effort: c.Effort}.resolve(s)
	c.Effort = around.Effort
	return c, err
}

func orDefault(value, standard int) int {
	if value == 0 {
		return standard
	}
	return value
}

// predictorFor replaces BestPredictor. Few readers support differences of 64 bits.
func (c Coding) predictorFor(t raster.DataType) Predictor {
	switch {
	case c.Predictor != BestPredictor:
		return c.Predictor
	case t.IsFloat():
		return FloatPredictor
	case !t.IsComplex() && t.Size() <= 4:
		return HorizontalPredictor
	}
	return NoPredictor
}

func (c Coding) checkPredictor(t raster.DataType) error {
	takesAny := c.Compression == LZW || c.Compression == Deflate || c.Compression == ZSTD
	fits := false
	switch c.Predictor {
	case BestPredictor, NoPredictor:
		fits = true
	case HorizontalPredictor:
		fits = takesAny && !t.IsComplex()
	case FloatPredictor:
		fits = takesAny && t.IsFloat()
	}
	if !fits {
		return fmt.Errorf("%w: predictor %d of %v with compression %s", ErrCoding, c.Predictor, t, c.Compression)
	}
	return nil
}

func (c Coding) checkEffort(highest int) error {
	if c.Effort < 1 || c.Effort > highest {
		return fmt.Errorf("%w: effort %d of %s, which takes 1 to %d", ErrCoding, c.Effort, c.Compression, highest)
	}
	return nil
}

// checkPicture checks what the compressions of pictures take: 8-bit samples, of one of two numbers.
func (c Coding) checkPicture(s *Shape, maxSide, few, many int) error {
	switch {
	case s.Type != raster.Uint8 || s.Samples != few && s.Samples != many:
		return fmt.Errorf("%w: %s takes %d or %d samples of uint8, not %d of %v", ErrCoding, c.Compression, few, many, s.Samples, s.Type)
	case s.Width > maxSide || s.Height > maxSide:
		return fmt.Errorf("%w: %s of %dx%d pixels, the limit is %d", ErrCoding, c.Compression, s.Width, s.Height, maxSide)
	case c.Quality < 1 || c.Quality > 100:
		return fmt.Errorf("%w: quality %d of %s, which takes 1 to 100", ErrCoding, c.Quality, c.Compression)
	}
	return nil
}
