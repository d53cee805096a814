package jp2k

import (
	"fmt"
	"slices"

	"tileserver/decode"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// bands maps the components of a codestream to the bands of an image.
type bands struct {
	channels []boxes.Channel // one per band, unless there is a palette
	palette  []raster.RGBA   // nil unless the only band holds palette indices
	types    raster.DataType // of all bands
	bits     int             // of the widest band other than opacity
	space    colors
	notes    []string
}

// newBands combines the information of the boxes and of the codestream.
func newBands(container *boxes.Container, h *codestream.Header) bands {
	depths := make([]boxes.BitDepth, len(h.Components))
	for i, c := range h.Components {
		depths[i] = boxes.BitDepth{Bits: c.Bits, Signed: c.Signed}
	}
	b := bands{}
	b.channels, b.notes = container.Channels(depths)
	if palette := readPalette(container.Palette, b.channels, depths); palette != nil {
		index := b.channels[0].Component
		b.palette = palette
		b.channels = []boxes.Channel{{Mapping: boxes.Mapping{Component: index, Column: boxes.Direct}, Depth: depths[index]}}
	}
	b.space = colorsOf(container, h, b.channels)
	b.types, b.bits = b.sampleType()
	return b
}

// sampleType returns a type that holds the samples of all bands.
func (b *bands) sampleType() (t raster.DataType, bits int) {
	signed := slices.ContainsFunc(b.channels, func(c boxes.Channel) bool { return c.Depth.Signed })
	width := 0
	for _, c := range b.channels {
		if c.Meaning == boxes.Opacity || c.Meaning == boxes.PremultipliedOpacity {
			continue // opacity is scaled to the range of the type
		}
		bits = max(bits, c.Depth.Bits)
		needed := c.Depth.Bits
		if signed && !c.Depth.Signed {
			needed++
		}
		width = max(width, needed)
	}
	if width == 0 { // opacity only
		width, bits = b.channels[0].Depth.Bits, b.channels[0].Depth.Bits
	}
	return typeOf(width, signed), bits
}

// readPalette returns the palette as 8-bit colors. It returns nil unless the palette has such
// colors and all channels look up the same component.
func readPalette(p *boxes.Palette, channels []boxes.Channel, depths []boxes.BitDepth) []raster.RGBA {
	if p == nil || len(channels) < 3 || depths[channels[0].Component].Signed {
		return nil
	}
	columns := [4]int{-1, -1, -1, -1}
	for _, c := range channels {
		index := c.Color - 1
		if c.Meaning == boxes.Opacity {
			index = 3
		}
		switch {
		case c.Component != channels[0].Component || c.Column == boxes.Direct || c.Depth.Bits > 8 || c.Depth.Signed:
			return nil
		case c.Meaning != boxes.Color && c.Meaning != boxes.Opacity || index < 0 || index > 3 || columns[index] >= 0:
			return nil
		}
		columns[index] = c.Column
	}
	if slices.Contains(columns[:3], -1) {
		return nil
	}
	colors := make([]raster.RGBA, p.Entries())
	for i := range colors {
		level := func(column int) uint8 {
			maxValue := int64(1)<<p.Columns[column].Bits - 1
			return uint8((p.At(i, column)*255 + maxValue/2) / maxValue)
		}
		colors[i] = raster.RGBA{R: level(columns[0]), G: level(columns[1]), B: level(columns[2]), A: 255}
		if columns[3] >= 0 {
			colors[i].A = level(columns[3])
		}
	}
	return colors
}

// meaning returns the color interpretation of a band.
func (b *bands) meaning(i int) raster.Color {
	c := b.channels[i]
	switch {
	case b.palette != nil:
		return raster.PaletteIndex
	case c.Meaning == boxes.Opacity || c.Meaning == boxes.PremultipliedOpacity:
		return raster.Alpha
	case c.Meaning != boxes.Color || b.space.model.Space != raster.RGB || b.space.foreign != "":
		return raster.Undefined
	case b.space.count == 1 && c.Color == 1:
		return raster.Gray
	case b.space.count == 3 && c.Color >= 1 && c.Color <= 3:
		return raster.Red + raster.Color(c.Color-1)
	}
	return raster.Undefined
}

// describe adds the facts about the bands to info.
func (b *bands) describe(info *raster.Info) {
	info.Type, info.Palette, info.Colors, info.Inverted = b.types, b.palette, b.space.model, b.space.inverted
	if b.bits < 8*b.types.Size() {
		info.Bits = b.bits
	}
	for i, c := range b.channels {
		info.Bands = append(info.Bands, raster.Band{Color: b.meaning(i)})
		info.Premultiplied = info.Premultiplied || c.Meaning == boxes.PremultipliedOpacity
	}
}

// undisplayable returns an error if the bands must not be shown as gray or as red, green and blue.
func (b *bands) undisplayable() error {
	switch {
	case b.space.foreign != "":
		return fmt.Errorf("the samples are %s: %w", b.space.foreign, decode.ErrUnsupported)
	case b.space.model.Space != raster.RGB:
		return fmt.Errorf("the samples are %v: %w", b.space.model.Space, decode.ErrUnsupported)
	}
	return nil
}
