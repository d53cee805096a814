package tiff

import (
	"cmp"
	"strconv"
	"strings"

	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/coding"
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
	gdal       gdalTags
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

// gdalTags holds what GDAL's tags say.
type gdalTags struct {
	noData    float64
	hasNoData bool
	metadata  string
}

// newDirectory converts a directory. If the tags contradict themselves, it returns an error and the
// incomplete directory. If only a decoder is missing, it returns a directory that is unsupported.
func newDirectory(raw *ifd.Directory, number int, s *structure, limits Limits) (*directory, error) {
	d := &directory{
		number: number, parent: raw.Parent, subfile: tag.SubfileOf(raw), orientation: orientationOf(raw),
		stored: storage{src: s.Source, maxUnitBytes: limits.StoredBytes}, gdal: newGDALTags(raw), location: newLocation(raw),
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

func newGDALTags(raw *ifd.Directory) gdalTags {
	t := gdalTags{metadata: raw.Entry(tag.GDALMetadata).Text()}
	t.noData, t.hasNoData = parseNoData(raw.Entry(tag.GDALNoData).Text())
	return t
}

// parseNoData parses the decimal number, or nan, that GDAL writes.
func parseNoData(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	switch strings.TrimLeft(text, "+-") { // how Microsoft's C library prints inf and nan
	case "1.#INF":
		text = strings.Replace(text, "1.#INF", "inf", 1)
	case "1.#QNAN", "1.#IND", "1.#SNAN":
		text = "nan"
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}
