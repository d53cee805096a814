package jp2k

import (
	"context"
	"fmt"
	"strings"

	"tileserver/decode/container"
)

// AddStorage adds to the facts how the image is stored.
func (m *Image) AddStorage(to *container.Facts) {
	info, d := m.Info(), m.Description()
	levels := info.Levels
	to.Container, to.Compression = "JPEG 2000", "jpeg 2000"
	if d.HighThroughput {
		to.Compression = "htj2k"
	}
	to.DataType, to.Bits = info.Type.String(), info.Bits
	if to.Bits == 0 {
		to.Bits = 8 * info.Type.Size()
	}
	to.Width, to.Height, to.Tiled = levels[0].Width, levels[0].Height, d.Tiles > 1
	to.Block = [2]int{d.TileWidth, d.TileHeight}
	for _, l := range levels[1:] {
		to.Overviews = append(to.Overviews, [2]int{l.Width, l.Height})
	}
	to.Photometric, to.Orientation, to.SideFiles = d.Colors, 1, d.Beside
	to.Section = newCodestreamFacts(d)
	for _, comment := range d.Comments {
		to.Notes = append(to.Notes, "comment in the file: "+strings.Join(strings.Fields(comment), " "))
	}
}

// AddMetadata adds nothing: the metadata of JPEG 2000 files is not read.
func (m *Image) AddMetadata(context.Context, *container.Facts) error { return nil }

// codestreamFacts describes how a codestream is encoded.
type codestreamFacts struct {
	Brand              string   `json:"brand,omitempty"` // of the container
	Codestreams        int      `json:"codestreams"`
	Components         []string `json:"components"`
	Wavelet            string   `json:"wavelet"`
	Levels             int      `json:"levels"` // of the wavelet
	Layers             int      `json:"layers"`
	Progression        string   `json:"progression"`
	CodeBlock          [2]int   `json:"code_block"`
	Precincts          bool     `json:"precincts"`
	Tiles              int      `json:"tiles"`
	ComponentTransform bool     `json:"component_transform"`
	Tables             []string `json:"tables,omitempty"` // markers that index the codestream

	PixelsPerMeter *[2]float64 `json:"pixels_per_metre,omitempty"` // resolution of the capture, across and down

	tileWidth, tileHeight int
}

func newCodestreamFacts(d Description) *codestreamFacts {
	f := &codestreamFacts{
		Brand: d.Container, Codestreams: d.Codestreams, Wavelet: d.Wavelet, Levels: d.Levels, Layers: d.Layers,
		Progression: d.Progression, CodeBlock: [2]int{d.BlockWidth, d.BlockHeight}, Precincts: d.Precincts,
		Tiles: d.Tiles, ComponentTransform: d.ComponentTransform, Tables: d.Tables,
		tileWidth: d.TileWidth, tileHeight: d.TileHeight,
	}
	if d.Capture != nil {
		f.PixelsPerMeter = &[2]float64{d.Capture.X, d.Capture.Y}
	}
	for _, c := range d.Components {
		f.Components = append(f.Components, fmt.Sprintf("%s/%dx%d", c.Type, c.DX, c.DY))
	}
	return f
}

// Key returns the key of the facts in JSON.
func (f *codestreamFacts) Key() string { return "jpeg2000" }

// Lines returns the facts for people.
func (f *codestreamFacts) Lines() []container.Line {
	kind := f.Brand
	if kind == "" {
		kind = "bare codestream"
	}
	lines := []container.Line{
		{Name: "codestream", Text: fmt.Sprintf("%s, %s wavelet of %s, %s in %s", kind, f.Wavelet,
			container.Counted(f.Levels, "level"), container.Counted(f.Layers, "quality layer"), f.Progression)},
		{Name: "read by", Text: fmt.Sprintf("code-blocks of %d x %d, whatever the tiles: %d of %d x %d",
			f.CodeBlock[0], f.CodeBlock[1], f.Tiles, f.tileWidth, f.tileHeight)},
	}
	if r := f.PixelsPerMeter; r != nil {
		lines = append(lines, container.Line{Name: "taken at", Text: fmt.Sprintf("%s, %s pixels per meter", container.Plain(r[0]), container.Plain(r[1]))})
	}
	return append(lines, container.Line{Name: "components", Text: container.InRuns(f.Components) + " (type of a sample / pixels to one)"})
}
