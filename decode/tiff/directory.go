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
	d.coding = coding.New(s.File, raw, coding.Image{Width: d.blockWidth, Samples: &d.samples, Colors: &d.colors})
	d.colors.Converted = d.coding.Layout.JPEG.YCbCr
	d.chooseUnits()
	if err := d.readIndex(raw, limits.IndexBytes); err != nil {
		return d, err
	}
	d.unsupported = cmp.Or(d.samples.Problem, d.coding.Check(&d.samples))
	return d, nil
}

// orientationOf returns one of the eight orientations of TIFF. Other numbers count as missing.
func orientationOf(raw *ifd.Directory) uint8 {
	const first, last = 1, 8
	if v := raw.Uint(tag.Orientation, first); v >= first && v <= last {
		return uint8(v)
	}
	return first
}
