package tiff

import (
	"cmp"

	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/coding"
	"tileserver/decode/tiff/gdal"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/masks"
	"tileserver/decode/tiff/pixel"
	"tileserver/decode/tiff/tag"
	"tileserver/source"
)

// directory is what a directory of the file says of its image, checked and converted.
type directory struct {
	number      int // among all directories
	parent      int // number of the directory that it is a sub-directory of, or -1
	subfile     uint64
	orientation uint8
	grid
	samples    pixel.Samples
	colors     pixel.Colors
	coding     coding.Coding
	stored     storage
	gdal       gdal.Tags
	location   location
	maskStates masks.States // of the blocks, if this is a mask

	// unsupported says why the pixels cannot be read. It is nil if they can.
	unsupported error
}

// storage says where the units of a directory are.
type storage struct {
	src          source.Source // the file or a side file
	sideFile     string        // name of the side file, or empty
	index        *blockindex.Index
	maxUnitBytes int64 // as stored
}

// newDirectory converts a directory. If the tags contradict themselves, it returns an error and the
// incomplete directory. If only a decoder is missing, it returns a directory that is unsupported.
func newDirectory(raw *ifd.Directory, number int, s *structure, limits Limits) (*directory, error) {
	d := &directory{
		number: number, parent: raw.Parent, subfile: tag.SubfileOf(raw), orientation: orientationOf(raw),
		stored: storage{src: s.Source, maxUnitBytes: limits.StoredBytes}, gdal: gdal.NewTags(raw), location: newLocation(raw),
	}
	var err error
	if d.grid, err = newGrid(raw, limits.Side); err != nil {
		return d, err
	}
	if d.samples, err = pixel.NewSamples(raw, limits.Samples); err != nil {
		return d, err
	}
	d.colors = pixel.NewColors(raw, &d.samples)
	d.correctSubsampling(raw)
	d.coding = coding.New(s.File, raw, coding.Image{Width: d.blockWidth, Samples: &d.samples, Colors: &d.colors})
	d.colors.Converted = d.coding.Layout.JPEG.YCbCr
	d.chooseUnits()
	if err := d.readIndex(raw, limits.IndexBytes); err != nil {
		return d, err
	}
	d.unsupported = cmp.Or(d.samples.Problem, d.coding.Check(&d.samples))
	return d, nil
}

// correctSubsampling recognizes pixels that all have their own chroma although no tag says so, by the
// size of the first block. Without the tag two columns and rows share their chroma.
func (d *directory) correctSubsampling(raw *ifd.Directory) {
	sizes := raw.Entry(tag.StripByteCounts)
	if d.tiled {
		sizes = raw.Entry(tag.TileByteCounts)
	}
	stored := sizes.Uints()
	const pixelSamples, chromaBlockSamples, defaultSide = 3, 6, 2
	switch {
	case d.colors.Photometric != pixel.YCbCr || raw.Entry(tag.YCbCrSubsampling) != nil || raw.Uint(tag.Compression, 1) != uint64(coding.None):
	case d.samples.Planar || d.samples.Count != pixelSamples || d.samples.Fields != nil || len(stored) == 0:
	default:
		bytes := func(pixels, samples int) uint64 {
			return (uint64(pixels)*uint64(samples)*uint64(d.samples.Bits) + 7) / 8
		}
		whole := uint64(d.blockHeight) * bytes(d.blockWidth, pixelSamples)
		shared := uint64((d.blockHeight+1)/defaultSide) * bytes((d.blockWidth+1)/defaultSide, chromaBlockSamples)
		if stored[0] == whole && whole != shared {
			d.colors.Subsampling = [2]uint64{1, 1}
		}
	}
}

// orientationOf returns one of the eight orientations of TIFF. Other numbers count as missing.
func orientationOf(raw *ifd.Directory) uint8 {
	const first, last = 1, 8
	if v := raw.Uint(tag.Orientation, first); v >= first && v <= last {
		return uint8(v)
	}
	return first
}
