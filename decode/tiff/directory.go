package tiff

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/decode"
	"tileserver/decode/tiff/ifd"
	"tileserver/raster"
	"tileserver/source"
)

// directory is what an IFD says of its image, checked and converted.
type directory struct {
	number        int // among all directories
	parent        int // number of the directory that it is a sub-directory of, or -1
	subfile       uint64
	width, height int
	tiled         bool
	blockWidth    int
	blockHeight   int
	stripHeight   int // as stored, if not tiled
	unitWidth     int // size of a unit: see strips.go
	unitHeight    int
	samples       int
	bits          int
	format        uint64
	dataType      raster.DataType
	planar        bool // one plane per band
	compression   compression
	codec         decode.Compression
	photometric   photometric
	predictor     uint64
	orientation   uint8
	extraSamples  []uint64
	inks          int
	colors        raster.ColorModel // unless the codec decodes to RGB
	palette       []raster.RGBA
	subsampling   [2]uint64
	noData        float64
	hasNoData     bool
	metadata      string
	fields        []decode.Field // the samples, if they differ in type or size; else nil
	layout        decode.Layout
	jpegTables    []byte         // shared by all blocks, as stored
	chromaLayout  *decode.Layout // of the second and third plane, if it differs from that of the first
	index         *blockIndex
	storedLimit   int64         // maximum stored bytes of a unit
	src           source.Source // has the blocks; the file or a side file
	sideFile      string        // name of the side file that it comes from, or empty
	location      location
	maskStates    maskStates // of the blocks, if this is a mask

	// unsupported says why the pixels cannot be read. It is nil if they can.
	unsupported error
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

// newDirectory converts an IFD. If the tags contradict themselves, it returns an error and the
// incomplete directory. If only a decoder is missing, it returns a directory that is unsupported.
func newDirectory(raw *ifd.Directory, number int, s *structure, limits Limits) (*directory, error) {
	r := tagReader{raw, limits}
	d := &directory{number: number, parent: raw.Parent, subfile: subfileOf(raw), src: s.Source}
	d.orientation = r.orientation()
	d.metadata = raw.Entry(tagGDALMetadata).Text()
	d.location = newLocation(raw)
	d.noData, d.hasNoData = parseNoData(raw.Entry(tagGDALNoData).Text())
	for _, step := range []func(tagReader) error{d.readGrid, d.readSamples, d.readColors} {
		if err := step(r); err != nil {
			return d, err
		}
	}
	d.setLayout(r, s)
	d.chooseUnits()
	if err := d.readIndex(r); err != nil {
		return d, err
	}
	d.storedLimit = limits.StoredBytes
	d.unsupported = d.checkSupport()
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

func (d *directory) readGrid(r tagReader) (err error) {
	if d.width, err = r.bounded(tagImageWidth, "ImageWidth", 0, r.limits.Side); err != nil {
		return err
	}
	if d.height, err = r.bounded(tagImageLength, "ImageLength", 0, r.limits.Side); err != nil {
		return err
	}
	if r.Entry(tagTileWidth) == nil && r.Entry(tagTileLength) == nil {
		d.blockWidth = d.width
		rows := min(r.Uint(tagRowsPerStrip, math.MaxUint32), uint64(d.height))
		if rows == 0 {
			return fmt.Errorf("RowsPerStrip is 0: %w", ErrCorrupt)
		}
		d.stripHeight, d.blockHeight = int(rows), int(rows)
		return nil
	}
	d.tiled = true
	if d.blockWidth, err = r.bounded(tagTileWidth, "TileWidth", 0, r.limits.Side); err != nil {
		return err
	}
	d.blockHeight, err = r.bounded(tagTileLength, "TileLength", 0, r.limits.Side)
	return err
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

// columns and rows return the size of the grid of blocks.
func (d *directory) columns() int { return (d.width + d.blockWidth - 1) / d.blockWidth }
func (d *directory) rows() int    { return (d.height + d.blockHeight - 1) / d.blockHeight }

// level returns the directory as a level of an image whose finest level is full.
func (d *directory) level(full *directory) raster.Level {
	l := raster.Level{
		Width: d.width, Height: d.height, BlockWidth: d.blockWidth, BlockHeight: d.blockHeight,
		ScaleX: float64(full.width) / float64(d.width), ScaleY: float64(full.height) / float64(d.height),
	}
	if d.hasColumnBlocks() {
		l.RunWidth = d.unitWidth
	}
	return l
}
