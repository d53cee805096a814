package decoder

import (
	"fmt"

	"tileserver/codec/webp/vp8"
	"tileserver/internal/reuse"
)

// writeAlpha writes the alpha samples of a lossy picture, or opaque ones if it has none.
func (d *Decoder) writeAlpha(dst []byte, h Header, width, height int) error {
	const samples = 4
	if h.alpha == nil {
		for i := samples - 1; i < len(dst); i += samples {
			dst[i] = 255
		}
		return nil
	}
	plane, err := d.readAlpha(h.alpha, width, height)
	if err != nil {
		return fmt.Errorf("alpha: %w", err)
	}
	for i, v := range plane {
		dst[samples*i+samples-1] = v
	}
	return nil
}

// readAlpha decodes the ALPH chunk: a byte of flags, then the samples.
func (d *Decoder) readAlpha(chunk []byte, width, height int) ([]uint8, error) {
	const asStored, asLossless = 0, 1
	if len(chunk) == 0 {
		return nil, fmt.Errorf("empty ALPH chunk: %w", ErrCorrupt)
	}
	compression, filter, data := chunk[0]&3, chunk[0]>>2&3, chunk[1:]
	d.alphaPlane = reuse.Slice(d.alphaPlane, width*height)
	switch compression {
	case asStored:
		if len(data) < len(d.alphaPlane) {
			return nil, fmt.Errorf("%d bytes for %dx%d pixels: %w", len(data), width, height, ErrCorrupt)
		}
		copy(d.alphaPlane, data)
	case asLossless:
		pixels, err := d.lossless.stream(data, width, height)
		if err != nil {
			return nil, err
		}
		for i, p := range pixels {
			d.alphaPlane[i] = uint8(p >> 8)
		}
	default:
		return nil, fmt.Errorf("compression %d: %w", compression, ErrUnsupported)
	}
	undoFilter(d.alphaPlane, width, filter)
	return d.alphaPlane, nil
}

// undoFilter adds its prediction to each sample.
func undoFilter(plane []uint8, width int, filter uint8) {
	const none, horizontal, vertical = 0, 1, 2
	if filter == none {
		return
	}
	for x := 1; x < width; x++ {
		plane[x] += plane[x-1]
	}
	for at := width; at < len(plane); at += width {
		row, above := plane[at:at+width], plane[at-width:at]
		row[0] += above[0]
		switch filter {
		case horizontal:
			for x := 1; x < width; x++ {
				row[x] += row[x-1]
			}
		case vertical:
			for x := 1; x < width; x++ {
				row[x] += above[x]
			}
		default:
			for x := 1; x < width; x++ {
				row[x] += vp8.Clamp(int32(row[x-1]) + int32(above[x]) - int32(above[x-1]))
			}
		}
	}
}
