package jp2k

import (
	"fmt"
	"slices"

	"tileserver/decode"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
)

// bands is how the bands of an image are made of the components of a codestream.
type bands struct {
	channels []boxes.Channel // one a band, but where there is a palette
	palette  []raster.RGBA   // the only band is of its indices
	types    raster.DataType // of all bands
	bits     int             // of the widest band but opacity
	space    colors
	notes    []string
}

// newBands brings together what the boxes and the codestream say.
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

// sampleType is one that holds the samples of all bands.
func (b *bands) sampleType() (t raster.DataType, bits int) {
	signed := slices.ContainsFunc(b.channels, func(c boxes.Channel) bool { return c.Depth.Signed })
	width := 0
	for _, c := range b.channels {
		if c.Meaning == boxes.Opacity || c.Meaning == boxes.PremultipliedOpacity {
			continue // is spread over the range of the type
		}
		bits = max(bits, c.Depth.Bits)
		needed := c.Depth.Bits
		if signed && !c.Depth.Signed {
			needed++
		}
		width = max(width, needed)
	}
	if width == 0 { // of nothing but opacity
		width, bits = b.channels[0].Depth.Bits, b.channels[0].Depth.Bits
	}
	return typeOf(width, signed), bits
}

// components are those that bands are made of, each once.
func (b *bands) components() (numbers []int) {
	for _, c := range b.channels {
		numbers = append(numbers, c.Component)
	}
	return sortedNumbers(numbers)
}

// readPalette is the palette as colours of eight bits, if it can be that and the only band
// is of its indices; else nil.
func readPalette(p *boxes.Palette, channels []boxes.Channel, depths []boxes.BitDepth) []raster.RGBA {
	if p == nil || len(channels) < 3 || depths[channels[0].Component].Signed {
		return nil
	}
	columns := [4]int{-1, -1, -1, -1}
	for _, c := range channels {
		place := c.Color - 1
		if c.Meaning == boxes.Opacity {
			place = 3
		}
		switch {
		case c.Component != channels[0].Component || c.Column == boxes.Direct || c.Depth.Bits > 8 || c.Depth.Signed:
			return nil
		case c.Meaning != boxes.Color && c.Meaning != boxes.Opacity || place < 0 || place > 3 || columns[place] >= 0:
			return nil
		}
		columns[place] = c.Column
	}
	if slices.Contains(columns[:3], -1) {
		return nil
	}
	colors := make([]raster.RGBA, p.Entries())
	for i := range colors {
		level := func(column int) uint8 {
			most := int64(1)<<p.Columns[column].Bits - 1
			return uint8((p.At(i, column)*255 + most/2) / most)
		}
		colors[i] = raster.RGBA{R: level(columns[0]), G: level(columns[1]), B: level(columns[2]), A: 255}
		if columns[3] >= 0 {
			colors[i].A = level(columns[3])
		}
	}
	return colors
}

// areLookedUp tells whether samples are indices of a table.
func (b *bands) areLookedUp() bool {
	return b.palette != nil || slices.ContainsFunc(b.channels, func(c boxes.Channel) bool { return c.Column != boxes.Direct })
}

// meaning is what a band is to a display.
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

// describe puts what is known of the bands into an Info.
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

// undisplayable says why the bands must not be shown as gray or as red, green and blue.
func (b *bands) undisplayable() error {
	switch {
	case b.space.foreign != "":
		return fmt.Errorf("the samples are %s: %w", b.space.foreign, decode.ErrUnsupported)
	case b.space.model.Space != raster.RGB:
		return fmt.Errorf("the samples are %v: %w", b.space.model.Space, decode.ErrUnsupported)
	}
	return nil
}
