package tiff

import (
	"encoding/binary"
	"fmt"
)

// Description says how an image is stored, for people.
type Description struct {
	BigTIFF    bool
	BigEndian  bool
	Beside     []string // the names of the side files that are used
	Notes      []string
	Directory  // of the image itself
	Overviews  []Directory
	Masks      []Directory // without those that overviews take from finer levels
	NoData     float64
	HasNoData  bool
	Associated bool // colours are multiplied by the alpha band
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
	BlockHeight   int // rows of a strip as stored, also where Info has other blocks
	Samples       int
	Bits          int
	SampleFormat  string
	Type          string
	Predictor     int
	Orientation   int
	Subsampling   string // of chroma, as 2x2, or empty
}

func describe(fam *family, s *structure) Description {
	p := fam.full
	d := Description{
		BigTIFF: s.big, BigEndian: s.order == binary.BigEndian, Notes: fam.notes,
		Directory: describeDirectory(p), NoData: p.noData, HasNoData: p.hasNoData,
		Associated: p.premultiplied(),
	}
	for _, l := range fam.levels[1:] {
		d.Overviews = append(d.Overviews, describeDirectory(l))
	}
	for i, m := range fam.masks {
		if m != nil && m.width == fam.levels[i].width && m.height == fam.levels[i].height {
			d.Masks = append(d.Masks, describeDirectory(m))
		}
	}
	if p.photometric == minIsWhite {
		d.Notes = append(d.Notes, "the lowest sample is white")
	}
	return d
}

func describeDirectory(p *page) Directory {
	d := Directory{
		Number: p.number, Width: p.width, Height: p.height,
		Compression: p.compression.String(), Photometric: p.photometric.String(), Interleave: "pixel",
		Tiled: p.tiled, BlockWidth: p.blockWidth, BlockHeight: p.blockHeight,
		Samples: p.samples, Bits: p.bits, SampleFormat: formatName(p.format), Type: p.dataType.String(),
		Predictor: int(p.usedPredictor()), Orientation: int(p.orientation),
	}
	if p.planar {
		d.Interleave = "band"
	}
	if !p.tiled {
		d.BlockWidth, d.BlockHeight = p.width, p.stripHeight
	}
	if p.photometric == yCbCr {
		d.Subsampling = fmt.Sprintf("%dx%d", p.subsampling[0], p.subsampling[1])
	}
	return d
}
