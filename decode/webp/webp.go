// Package webp decodes WebP pictures, lossy and lossless, with and without opacity, from memory into rows of RGB or RGBA
// that its caller owns; lossy ones come out as libwebp gives them, bit for bit. It must never know what the pictures are
// part of; animations and metadata are not its concern.
package webp

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var (
	// ErrCorrupt reports data that no encoder writes, or that ends early.
	ErrCorrupt = errors.New("webp: corrupt data")
	// ErrUnsupported reports what is WebP but not a still picture, or asks for more than a picture needs.
	ErrUnsupported = errors.New("webp: unsupported")
)

// Header is what a file says of its picture.
type Header struct {
	Width, Height int
	Lossless      bool
	HasAlpha      bool // as far as the header tells; a lossless picture that says no is opaque

	picture []byte // the chunk VP8 or VP8L
	alpha   []byte // the chunk ALPH, or nil
}

// Decoder keeps its memory from one call to the next. The zero value is ready; one goroutine at a time may use it.
type Decoder struct {
	lossy    lossyDecoder
	lossless losslessDecoder
	opacity  []uint8
}

// ReadHeader finds the parts of a file and reads no pixels.
func ReadHeader(src []byte) (Header, error) {
	const riffHeaderBytes = 12
	if len(src) < riffHeaderBytes || string(src[:4]) != "RIFF" || string(src[8:12]) != "WEBP" {
		return Header{}, fmt.Errorf("no RIFF header of WebP: %w", ErrCorrupt)
	}
	size := binary.LittleEndian.Uint32(src[4:])
	if uint64(size)+8 > uint64(len(src)) {
		return Header{}, fmt.Errorf("%d bytes of the %d that the header tells: %w", len(src), uint64(size)+8, ErrCorrupt)
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

// readChunks finds the chunk of the picture and, before it, that of its opacity.
func readChunks(chunks []byte) (h Header, err error) {
	const chunkHeaderBytes = 8
	for len(chunks) >= chunkHeaderBytes {
		name, size := string(chunks[:4]), binary.LittleEndian.Uint32(chunks[4:])
		body := chunks[chunkHeaderBytes:]
		if uint64(size) > uint64(len(body)) {
			return h, fmt.Errorf("chunk %q of %d bytes where %d are left: %w", name, size, len(body), ErrCorrupt)
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
	return h, fmt.Errorf("no picture in it: %w", ErrCorrupt)
}

// Decode writes a picture of exactly the given size into dst: row by row, samples bytes a pixel. These are red, green and
// blue, and with four of them opacity, by which colours are not multiplied. Nothing is allocated for a picture of another
// size. dst holds nothing of use when there is an error.
func (d *Decoder) Decode(dst, src []byte, width, height, samples int) error {
	h, err := ReadHeader(src)
	switch {
	case err != nil:
		return err
	case h.Width != width || h.Height != height:
		return fmt.Errorf("%dx%d pixels where %dx%d should be: %w", h.Width, h.Height, width, height, ErrCorrupt)
	case samples != 3 && samples != 4:
		return fmt.Errorf("%d samples a pixel: %w", samples, ErrUnsupported)
	case len(dst) < width*height*samples:
		return fmt.Errorf("webp: %d bytes for %dx%d pixels of %d samples", len(dst), width, height, samples)
	}
	dst = dst[:width*height*samples]
	if h.Lossless {
		pixels, err := d.lossless.picture(h.picture, width, height)
		if err != nil {
			return err
		}
		spread(dst, pixels, samples)
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
	return d.writeOpacity(dst, h, width, height)
}

// spread writes pixels, which hold blue in their lowest byte and opacity in their highest.
func spread(dst []byte, pixels []uint32, samples int) {
	for _, p := range pixels {
		dst[0], dst[1], dst[2] = uint8(p>>16), uint8(p>>8), uint8(p)
		if samples == 4 {
			dst[3] = uint8(p >> 24)
		}
		dst = dst[samples:]
	}
}
