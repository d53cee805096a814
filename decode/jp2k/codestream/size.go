package codestream

import (
	"fmt"
	"math/bits"
)

// takeSize parses the body of a SIZ marker.
func (h *Header) takeSize(body []byte) error {
	f := fields{rest: body}
	h.Profile = uint16(f.two())
	h.Image.X1, h.Image.Y1, h.Image.X0, h.Image.Y0 = f.four(), f.four(), f.four(), f.four()
	width, height := f.four(), f.four()
	h.FirstTile.X0, h.FirstTile.Y0 = f.four(), f.four()
	h.FirstTile.X1, h.FirstTile.Y1 = h.FirstTile.X0+width, h.FirstTile.Y0+height
	components := f.two()
	switch {
	case f.short || len(f.rest) < 3*components || components == 0:
		return fmt.Errorf("%w: SIZ of %d bytes and %d components", ErrCorrupt, len(body), components)
	case components > h.limits.Components:
		return fmt.Errorf("%w: %d components, at most %d are allowed", ErrLimit, components, h.limits.Components)
	}
	if err := h.checkGrid(); err != nil {
		return err
	}
	return h.takeComponents(&f, components)
}

// checkGrid returns an error unless the image has pixels, the first tile touches it, and the number
// of tiles is within the limit.
func (h *Header) checkGrid() error {
	image, tile := h.Image, h.FirstTile
	switch {
	case image.Empty():
		return fmt.Errorf("%w: image area %v is empty", ErrCorrupt, image)
	case tile.Empty():
		return fmt.Errorf("%w: tiles of %d x %d", ErrCorrupt, tile.Width(), tile.Height())
	case tile.X0 > image.X0 || tile.Y0 > image.Y0 || tile.Intersect(image).Empty():
		return fmt.Errorf("%w: the first tile %v does not contain the corner of the image %v", ErrCorrupt, tile, image)
	case h.TileColumns() > h.limits.Tiles/h.TileRows(): // the product may overflow
		return fmt.Errorf("%w: %d x %d tiles, at most %d are allowed", ErrLimit, h.TileColumns(), h.TileRows(), h.limits.Tiles)
	}
	return nil
}

func (h *Header) takeComponents(f *fields, components int) error {
	h.Components = make([]Component, components)
	for i := range h.Components {
		depth, dx, dy := f.byte(), f.byte(), f.byte()
		c := Component{Bits: depth&127 + 1, Signed: depth > 127, DX: dx, DY: dy}
		if c.Bits > 38 || dx == 0 || dy == 0 {
			return fmt.Errorf("%w: component %d of %d bits, on every %d x %d", ErrCorrupt, i, c.Bits, dx, dy)
		}
		h.Components[i] = c
	}
	return nil
}

// part15Bit is the bit of Pcap for Ccap15.
const part15Bit = 1 << (32 - 15)

// takeCapabilities parses the body of a CAP marker. The details are found in the styles of the
// code-blocks.
func (h *Header) takeCapabilities(body []byte) error {
	f := fields{rest: body}
	parts := f.four()
	if parts&part15Bit == 0 {
		return nil
	}
	f.take(2 * bits.OnesCount32(uint32(parts)>>(32-15))) // one word for each part up to the fifteenth
	if f.short {
		return fmt.Errorf("%w: CAP of %d bytes", ErrCorrupt, len(body))
	}
	h.HighThroughput = true
	return nil
}
