package encoder

import (
	"fmt"

	"tileserver/codec/webp/encoder/lossy"
)

// Options control the encoding. The zero value is the default.
type Options struct {
	// Quality ranges from 1 to 100; 0 stands for DefaultQuality. It is ignored if Lossless is set.
	Quality int

	// Lossless preserves every sample, including those of transparent pixels.
	Lossless bool
}

// Encode appends img as a WebP file to dst. If it fails, it returns dst unchanged.
func (e *Encoder) Encode(dst []byte, img *Image, o Options) ([]byte, error) {
	if err := validate(img); err != nil {
		return dst, err
	}
	if o.Quality < 0 || o.Quality > 100 {
		return dst, fmt.Errorf("%w: quality %d", ErrImage, o.Quality)
	}
	if o.Quality == 0 {
		o.Quality = DefaultQuality
	}
	file, start := openChunk(dst, "RIFF")
	file = append(file, "WEBP"...)
	var err error
	if o.Lossless {
		file, err = e.writeLossless(file, img)
	} else {
		file, err = e.writeLossy(file, img, o.Quality)
	}
	if err != nil {
		return dst, err
	}
	return closeChunk(file, start), nil
}

func (e *Encoder) writeLossless(file []byte, img *Image) ([]byte, error) {
	file, start := openChunk(file, "VP8L")
	file, err := e.lossless.Encode(file, img)
	if err != nil {
		return file, fmt.Errorf("webp: %w", err)
	}
	return closeChunk(file, start), nil
}

// writeLossy writes an opaque picture as a single chunk. For a picture with alpha it writes the
// VP8X and ALPH chunks first.
func (e *Encoder) writeLossy(file []byte, img *Image, quality int) ([]byte, error) {
	transparent := e.collectAlpha(img)
	if transparent {
		file = appendExtended(file, img.Width, img.Height)
		var err error
		if file, err = e.writeAlpha(file, img.Width, img.Height); err != nil {
			return file, err
		}
	}
	return e.writeFrame(file, e.toLossyFormat(img, transparent), quality)
}

func (e *Encoder) writeAlpha(file []byte, width, height int) ([]byte, error) {
	file, start := openChunk(file, "ALPH")
	file, err := e.lossless.EncodeAlpha(file, e.alphaPlane, width, height)
	if err != nil {
		return file, fmt.Errorf("webp: alpha: %w", err)
	}
	return closeChunk(file, start), nil
}

// lossyFormats maps the formats that toLossyFormat returns.
var lossyFormats = [...]lossy.Format{Gray: lossy.Gray, RGB: lossy.RGB, RGBA: lossy.RGBA}

func (e *Encoder) writeFrame(file []byte, img *Image, quality int) ([]byte, error) {
	file, start := openChunk(file, "VP8 ")
	file, err := e.lossy.Encode(file, &lossy.Image{
		Format: lossyFormats[img.Format], Width: img.Width, Height: img.Height, Stride: img.Stride, Pix: img.Pix,
	}, quality)
	if err != nil {
		return file, fmt.Errorf("webp: %w", err)
	}
	return closeChunk(file, start), nil
}
