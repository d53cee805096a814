package tiff

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/decode"
	"tileserver/raster"
	"tileserver/source"
)

// page is what a directory says of its image, checked.
type page struct {
	number        int // among all directories
	parent        int // the directory that it is below, or -1
	subfile       uint64
	width, height int
	tiled         bool
	blockWidth    int
	blockHeight   int
	stripHeight   int // as stored, if not tiled
	unitWidth     int // of what is stored as one
	unitHeight    int
	samples       int
	bits          int
	format        uint64
	dataType      raster.DataType
	planar        bool // bands apart
	compression   compression
	codec         decode.Compression
	photometric   photometric
	predictor     uint64
	orientation   uint8
	extraSamples  []uint64
	inks          int
	colors        raster.ColorModel // unless the codec makes the samples red, green and blue
	palette       []raster.RGBA
	subsampling   [2]uint64
	noData        float64
	hasNoData     bool
	metadata      string
	fields        []decode.Field // the samples, if they are not all alike
	layout        decode.Layout
	jpegTables    []byte         // that blocks share, as they are stored
	chromaLayout  *decode.Layout // of the second and third plane, if not that of the first
	index         *blockIndex
	storedLimit   int64         // bytes of a unit
	src           source.Source // that the blocks are in
	where         string        // the side file that it is from, or empty
	location      location
	hidings       hidings // of the blocks, if the page is a mask

	// unsupported says why its pixels cannot be had, if they cannot.
	unsupported error
}

// reading is a directory being made into a page.
type reading struct {
	*directory
	limits Limits
}

func (r reading) uint(t tag, otherwise uint64) uint64 {
	e := r.entries[t]
	if e == nil || !e.kind.unsigned() || len(e.value) == 0 {
		return otherwise
	}
	return uintAt(e.value, 0, e.kind, e.order)
}

// bounded is a tag's value as a count of pixels or samples.
func (r reading) bounded(t tag, name string, otherwise uint64, limit int) (int, error) {
	v := r.uint(t, otherwise)
	if v == 0 {
		return 0, fmt.Errorf("%s is 0 or missing: %w", name, ErrCorrupt)
	}
	if v > uint64(limit) {
		return 0, fmt.Errorf("%s is %d: %w", name, v, ErrLimit)
	}
	return int(v), nil
}

// newPage fails on what contradicts itself, with as much of a page as there is. What
// merely has no decoder becomes a page that says so.
func newPage(d *directory, number int, s *structure, limits Limits) (*page, error) {
	r := reading{d, limits}
	p := &page{number: number, parent: d.parent, subfile: r.subfile(), src: s.src}
	p.orientation = r.orientation()
	p.metadata = d.entries[tagGDALMetadata].text()
	p.location = newLocation(d)
	p.noData, p.hasNoData = parseNoData(d.entries[tagGDALNoData].text())
	for _, step := range []func(reading) error{p.readGrid, p.readSamples, p.readColors} {
		if err := step(r); err != nil {
			return p, err
		}
	}
	p.layOut(r, s)
	p.arrange()
	if err := p.readIndex(r); err != nil {
		return p, err
	}
	p.storedLimit = limits.StoredBytes
	p.unsupported = p.checkSupport()
	return p, nil
}

// subfile joins the two tags that tell overviews and masks from images.
func (r reading) subfile() uint64 {
	const oldReduced = 2
	if _, ok := r.entries[tagNewSubfileType]; !ok && r.uint(tagSubfileType, 0) == oldReduced {
		return subfileReduced
	}
	return r.uint(tagNewSubfileType, 0)
}

// orientation is one of the eight that there are. Other numbers count as missing.
func (r reading) orientation() uint8 {
	const first, last = 1, 8
	if v := r.uint(tagOrientation, first); v >= first && v <= last {
		return uint8(v)
	}
	return first
}

func (p *page) readGrid(r reading) (err error) {
	if p.width, err = r.bounded(tagImageWidth, "ImageWidth", 0, r.limits.Side); err != nil {
		return err
	}
	if p.height, err = r.bounded(tagImageLength, "ImageLength", 0, r.limits.Side); err != nil {
		return err
	}
	if r.entries[tagTileWidth] == nil && r.entries[tagTileLength] == nil {
		p.blockWidth = p.width
		rows := min(r.uint(tagRowsPerStrip, math.MaxUint32), uint64(p.height))
		if rows == 0 {
			return fmt.Errorf("RowsPerStrip is 0: %w", ErrCorrupt)
		}
		p.stripHeight, p.blockHeight = int(rows), int(rows)
		return nil
	}
	p.tiled = true
	if p.blockWidth, err = r.bounded(tagTileWidth, "TileWidth", 0, r.limits.Side); err != nil {
		return err
	}
	p.blockHeight, err = r.bounded(tagTileLength, "TileLength", 0, r.limits.Side)
	return err
}

// parseNoData reads the decimal number, or nan, that GDAL writes.
func parseNoData(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	switch strings.TrimLeft(text, "+-") { // what one C library writes where others write inf and nan
	case "1.#INF":
		text = strings.Replace(text, "1.#INF", "inf", 1)
	case "1.#QNAN", "1.#IND", "1.#SNAN":
		text = "nan"
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// columns and rows are the size of the grid of blocks.
func (p *page) columns() int { return (p.width + p.blockWidth - 1) / p.blockWidth }
func (p *page) rows() int    { return (p.height + p.blockHeight - 1) / p.blockHeight }

// level is the page as a level of an image whose finest is full.
func (p *page) level(full *page) raster.Level {
	l := raster.Level{
		Width: p.width, Height: p.height, BlockWidth: p.blockWidth, BlockHeight: p.blockHeight,
		ScaleX: float64(full.width) / float64(p.width), ScaleY: float64(full.height) / float64(p.height),
	}
	if p.inColumns() {
		l.RunWidth = p.unitWidth
	}
	return l
}
