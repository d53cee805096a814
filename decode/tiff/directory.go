package tiff

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/ifd"
	"tileserver/source"
)

// directory is what a directory of the file says of its image, checked and converted.
type directory struct {
	number      int // among all directories
	parent      int // number of the directory that it is a sub-directory of, or -1
	subfile     uint64
	orientation uint8
	grid
	samples    samples
	colors     colors
	coding     coding
	stored     storage
	gdal       gdalTags
	location   location
	maskStates maskStates // of the blocks, if this is a mask

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

// tagReader reads the tags of an IFD within the limits.
type tagReader struct {
	*ifd.Directory
	limits Limits
}

// bounded returns a tag's value as a count of pixels or samples, which must be between 1 and limit.
func (r tagReader) bounded(t ifd.Tag, name string, otherwise uint64, limit int) (int, error) {
	v := r.Uint(t, otherwise)
	if v == 0 {
		return 0, fmt.Errorf("%s is 0 or missing: %w", name, ErrCorrupt)
	}
	if v > uint64(limit) {
		return 0, fmt.Errorf("%s is %d: %w", name, v, ErrLimit)
	}
	return int(v), nil
}

// newDirectory converts a directory. If the tags contradict themselves, it returns an error and the
// incomplete directory. If only a decoder is missing, it returns a directory that is unsupported.
func newDirectory(raw *ifd.Directory, number int, s *structure, limits Limits) (*directory, error) {
	r := tagReader{raw, limits}
	d := &directory{
		number: number, parent: raw.Parent, subfile: subfileOf(raw), orientation: r.orientation(),
		stored: storage{src: s.Source, maxUnitBytes: limits.StoredBytes}, gdal: newGDALTags(raw), location: newLocation(raw),
	}
	var err error
	if d.grid, err = newGrid(r); err != nil {
		return d, err
	}
	if d.samples, err = newSamples(r); err != nil {
		return d, err
	}
	d.colors = newColors(r, &d.samples)
	d.readCoding(r, s.Order)
	d.unsupported = d.samples.problem
	if d.coding.compression == compressionOldJPEG {
		d.unsupported = cmp.Or(d.unsupported, d.readOldJPEG(r, s.File))
	}
	d.setSubsampling()
	d.chooseUnits()
	if err := d.readIndex(r); err != nil {
		return d, err
	}
	d.unsupported = cmp.Or(d.unsupported, d.checkSupport())
	return d, nil
}

// subfileOf returns NewSubfileType, which tells overviews and masks from images, or its equivalent
// for the older tag SubfileType.
func subfileOf(raw *ifd.Directory) uint64 {
	const oldReduced = 2
	if raw.Entry(tagNewSubfileType) == nil && raw.Uint(tagSubfileType, 0) == oldReduced {
		return subfileReduced
	}
	return raw.Uint(tagNewSubfileType, 0)
}

// orientation returns one of the eight orientations of TIFF. Other numbers count as missing.
func (r tagReader) orientation() uint8 {
	const first, last = 1, 8
	if v := r.Uint(tagOrientation, first); v >= first && v <= last {
		return uint8(v)
	}
	return first
}

func newGDALTags(raw *ifd.Directory) gdalTags {
	t := gdalTags{metadata: raw.Entry(tagGDALMetadata).Text()}
	t.noData, t.hasNoData = parseNoData(raw.Entry(tagGDALNoData).Text())
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
