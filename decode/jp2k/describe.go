package jp2k

import (
	"fmt"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
)

// Description describes how an image is stored, for the operator.
type Description struct {
	Container   string // "jp2", "jph", "jpx" or another brand; empty for a bare codestream
	Codestreams int    // number of codestreams; the first one is the image
	Colors      string // as defined by the container, or empty
	Palette     int    // number of entries, or 0

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
	Tables                       []string // markers with tables of positions or lengths

	Capture, Display *boxes.Resolution
	Comments         []string
	Beside           []string // names of the side files in use
}

// ComponentDescription describes one component of the codestream.
type ComponentDescription struct {
	Type   string // such as u8 or s12
	DX, DY int    // distance of samples on the reference grid
}

// Description returns how the image is stored.
func (m *Image) Description() Description {
	h, c := m.file.stream.Header(), m.file.container
	d := Description{
		Container: c.Brand, Codestreams: max(c.Codestreams, 1),
		TileWidth: h.FirstTile.Width(), TileHeight: h.FirstTile.Height(), Tiles: h.Tiles(),
		Levels: h.Coding.Levels, Wavelet: "9-7", Layers: h.Coding.Layers, Progression: orderName(h.Coding.Order),
		BlockWidth: h.Coding.BlockWidth, BlockHeight: h.Coding.BlockHeight, Precincts: h.Coding.Precincts,
		HighThroughput:     h.HighThroughput || h.Coding.Style&codestream.HT != 0,
		ComponentTransform: h.Coding.MultipleComponentTransform,
		Capture:            c.Capture, Display: c.Display, Comments: h.Comments, Beside: m.file.sideData.beside.Names(),
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

// tableNames returns the markers of the main header with tables of parts, packet lengths or packet
// headers.
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

// orderName returns the standard's name of a progression.
func orderName(o codestream.Order) string {
	names := [...]string{codestream.LRCP: "LRCP", codestream.RLCP: "RLCP", codestream.RPCL: "RPCL", codestream.PCRL: "PCRL", codestream.CPRL: "CPRL"}
	if int(o) < len(names) {
		return names[o]
	}
	return fmt.Sprintf("order %d", o)
}
