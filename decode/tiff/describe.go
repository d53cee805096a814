package tiff

import (
	"encoding/binary"
	"fmt"

	"tileserver/decode/tiff/pixel"
)

// Description says how an image is stored, for people.
type Description struct {
	BigTIFF    bool
	BigEndian  bool
	Beside     []string // the names of the side files that are used
	Notes      []string
	Directory  // of the image itself
	Overviews  []Directory
	Masks      []Directory // without the masks that overviews inherit from finer levels
	NoData     float64
	HasNoData  bool
	Associated bool // colors are multiplied by the alpha band
}

// Directory says how the pixels of one directory are stored.
type Directory struct {
	Number        int // in the file
	Width, Height int
	Compression   string
	Photometric   string
	Interleave    string // "pixel" or "band"
	Tiled         bool
	BlockWidth    int
	BlockHeight   int // rows of a stored strip, even if Info has other blocks
	Samples       int
	Bits          int
	SampleFormat  string
	Type          string
	Predictor     int
	Orientation   int
	Subsampling   string // of chroma, as 2x2, or empty
}

func describe(g *imageGroup, s *structure) Description {
	d := g.full
	desc := Description{
		BigTIFF: s.Big, BigEndian: s.Order == binary.BigEndian, Notes: g.notes,
		Directory: describeDirectory(d), NoData: d.gdal.NoData, HasNoData: d.gdal.HasNoData,
		Associated: d.colors.ArePremultiplied(),
	}
	for _, l := range g.levels[1:] {
		desc.Overviews = append(desc.Overviews, describeDirectory(l))
	}
	for i, m := range g.masks {
		if m != nil && m.width == g.levels[i].width && m.height == g.levels[i].height {
			desc.Masks = append(desc.Masks, describeDirectory(m))
		}
	}
	if d.colors.Photometric == pixel.MinIsWhite {
		desc.Notes = append(desc.Notes, "the lowest sample is white")
	}
	return desc
}

func describeDirectory(d *directory) Directory {
	desc := Directory{
		Number: d.number, Width: d.width, Height: d.height,
		Compression: d.coding.Compression.String(), Photometric: d.colors.Photometric.String(), Interleave: "pixel",
		Tiled: d.tiled, BlockWidth: d.blockWidth, BlockHeight: d.blockHeight,
		Samples: d.samples.Count, Bits: d.samples.Bits, SampleFormat: d.samples.Format.String(), Type: d.samples.Type.String(),
		Predictor: int(d.coding.Predictor), Orientation: int(d.orientation),
	}
	if d.samples.Planar {
		desc.Interleave = "band"
	}
	if !d.tiled {
		desc.BlockWidth, desc.BlockHeight = d.width, d.stripHeight
	}
	if d.colors.Photometric == pixel.YCbCr {
		desc.Subsampling = fmt.Sprintf("%dx%d", d.colors.Subsampling[0], d.colors.Subsampling[1])
	}
	return desc
}
