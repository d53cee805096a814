// Package decoder decodes still WebP pictures, lossy and lossless, with and without alpha. It decodes
// from memory into RGB or RGBA rows that the caller owns. Lossy pictures equal those of libwebp bit
// for bit.
//
// decode/blocks calls it for WebP-compressed blocks. The package knows nothing of the file around a
// picture, and rejects animations and ignores metadata.
//
// Words: a *macroblock* is 16x16 pixels of a lossy picture; a *subblock* is 4x4 samples of it. A
// *cell* is a square of pixels of a lossless picture that share parameters.
package decoder

import (
	"encoding/binary"
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports data that are invalid or truncated.
	ErrCorrupt = decode.Corrupt("webp: corrupt data")
	// ErrUnsupported reports a WebP file that is not a still picture, or that exceeds a limit of
	// this package.
	ErrUnsupported = errors.New("webp: unsupported")
)

// Header describes the picture of a file.
type Header struct {
	Width, Height int
	Lossless      bool
	HasAlpha      bool // as declared; a lossless picture that declares no alpha is opaque

	picture []byte // content of the VP8 or VP8L chunk
	alpha   []byte // content of the ALPH chunk, or nil
}

// Decoder decodes pictures and reuses its memory. The zero value is ready to use. It is not safe
// for concurrent use.
type Decoder struct {
	lossy      lossyDecoder
	lossless   losslessDecoder
	alphaPlane []uint8
}

// ReadHeader locates the chunks of a file and reads the size of the picture. It decodes no pixels.
func ReadHeader(src []byte) (Header, error) {
	const riffHeaderBytes = 12
	if len(src) < riffHeaderBytes || string(src[:4]) != "RIFF" || string(src[8:12]) != "WEBP" {
		return Header{}, fmt.Errorf("no WebP RIFF header: %w", ErrCorrupt)
	}
	size := binary.LittleEndian.Uint32(src[4:])
	if uint64(size)+8 > uint64(len(src)) {
		return Header{}, fmt.Errorf("%d bytes of the %d in the header: %w", len(src), uint64(size)+8, ErrCorrupt)
	}
	h, err := readChunks(src[riffHeaderBytes:max(size+8, riffHeaderBytes)])
	if err != nil {
		return Header{}, err
	}
	if h.Lossless {
		return h, h.readLossless()
	}
	return h, h.readLossy()
}

// readChunks finds the chunk of the picture and the alpha chunk before it.
func readChunks(chunks []byte) (h Header, err error) {
	const chunkHeaderBytes = 8
	for len(chunks) >= chunkHeaderBytes {
		name, size := string(chunks[:4]), binary.LittleEndian.Uint32(chunks[4:])
		body := chunks[chunkHeaderBytes:]
		if uint64(size) > uint64(len(body)) {
			return h, fmt.Errorf("chunk %q of %d bytes with %d remaining: %w", name, size, len(body), ErrCorrupt)
		}
		chunks = body[min(uint64(size)+uint64(size&1), uint64(len(body))):]
		body = body[:size]
		switch name {
		case "ANIM", "ANMF":
			return h, fmt.Errorf("an animation: %w", ErrUnsupported)
		case "ALPH":
			h.alpha, h.HasAlpha = body, true
		case "VP8 ", "VP8L":
			h.picture, h.Lossless = body, name == "VP8L"
			return h, nil
		}
	}
	return h, fmt.Errorf("no picture chunk: %w", ErrCorrupt)
}

// Decode decodes a picture of exactly the given size into dst, row by row, with samples bytes per
// pixel: red, green, blue, and with four samples alpha, not premultiplied. It returns an error
// before allocating memory if the picture has another size. If it fails, the content of dst is
// undefined.
func (d *Decoder) Decode(dst, src []byte, width, height, samples int) error {
	h, err := ReadHeader(src)
	switch {
	case err != nil:
		return err
	case h.Width != width || h.Height != height:
		return fmt.Errorf("%dx%d pixels, expected %dx%d: %w", h.Width, h.Height, width, height, ErrCorrupt)
	case samples != 3 && samples != 4:
		return fmt.Errorf("%d samples per pixel: %w", samples, ErrUnsupported)
	case len(dst) < width*height*samples:
		return fmt.Errorf("webp: %d bytes for %dx%d pixels of %d samples", len(dst), width, height, samples)
	}
	dst = dst[:width*height*samples]
	if h.Lossless {
		pixels, err := d.lossless.picture(h.picture, width, height)
		if err != nil {
			return err
		}
		unpackPixels(dst, pixels, samples)
		return nil
	}
	frame, err := d.lossy.frame(h.picture, width, height)
	if err != nil {
		return err
	}
	frame.writeRGB(dst, width, height, samples)
	if samples == 3 {
		return nil
	}
	return d.writeAlpha(dst, h, width, height)
}

// unpackPixels converts pixels, which hold blue in the lowest byte and alpha in the highest, to
// bytes.
func unpackPixels(dst []byte, pixels []uint32, samples int) {
	for _, p := range pixels {
		dst[0], dst[1], dst[2] = uint8(p>>16), uint8(p>>8), uint8(p)
		if samples == 4 {
			dst[3] = uint8(p >> 24)
		}
		dst = dst[samples:]
	}
}
