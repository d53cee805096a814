package jp2k

import (
	"fmt"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
)

// Description says how an image is stored, for people.
type Description struct {
	Container   string // "jp2", "jph", "jpx" or another brand; empty for a bare codestream
	Codestreams int    // of which the first one is the image
	Colors      string // as the container tells them, or empty
	Palette     int    // entries, or 0

	Components []ComponentDescription

	TileWidth, TileHeight, Tiles int
	Levels                       int // of the wavelet
	Wavelet                      string
	Layers                       int
	Progression                  string
	BlockWidth, BlockHeight      int // of code-blocks
	Precincts                    bool
	HighThroughput               bool
	ComponentTransform           bool
	Tables                       []string // markers that help to find things

	Capture, Display *boxes.Resolution
	Comments         []string
	Beside           []string // the names of the side files that are used
}

// ComponentDescription is one component of the codestream.
type ComponentDescription struct {
	Type   string // such as u8 or s12
	DX, DY int    // how far apart samples are
}

// Description says how the image is stored.
func (m *Image) Description() Description {
	h, c := m.file.header, m.file.container
	d := Description{
		Container: c.Brand, Codestreams: max(c.Codestreams, 1),
		TileWidth: h.FirstTile.Width(), TileHeight: h.FirstTile.Height(), Tiles: h.Tiles(),
		Levels: h.Coding.Levels, Wavelet: "9-7", Layers: h.Coding.Layers, Progression: orderName(h.Coding.Order),
		BlockWidth: h.Coding.BlockWidth, BlockHeight: h.Coding.BlockHeight, Precincts: h.Coding.Precincts,
		HighThroughput:     h.HighThroughput || h.Coding.Style&codestream.HT != 0,
		ComponentTransform: h.Coding.MultipleComponentTransform,
		Capture:            c.Capture, Display: c.Display, Comments: h.Comments, Beside: m.file.around.beside.Names(),
	}
	if h.Coding.Reversible {
		d.Wavelet = "5-3"
	}
	if spec, ok := c.Color(); ok {
		d.Colors = spec.String()
	}
	if c.Palette != nil {
		d.Palette = c.Palette.Entries()
	}
	for _, component := range h.Components {
		depth := boxes.BitDepth{Bits: component.Bits, Signed: component.Signed}
		d.Components = append(d.Components, ComponentDescription{depth.String(), component.DX, component.DY})
	}
	d.Tables = tableNames(h)
	return d
}

// tableNames are the markers of the main header that help to find parts, packets or headers.
func tableNames(h *codestream.Header) (names []string) {
	for _, table := range []struct {
		name  string
		there bool
	}{{"TLM", h.PartTable}, {"PLM", h.PacketTable}, {"PPM", h.PackedHeaders}} {
		if table.there {
			names = append(names, table.name)
		}
	}
	return names
}

// orderName is the name of a progression in the standard.
func orderName(o codestream.Order) string {
	names := [...]string{codestream.LRCP: "LRCP", codestream.RLCP: "RLCP", codestream.RPCL: "RPCL", codestream.PCRL: "PCRL", codestream.CPRL: "CPRL"}
	if int(o) < len(names) {
		return names[o]
	}
	return fmt.Sprintf("order %d", o)
}
