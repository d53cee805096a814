package tiff

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/decode"
	"tileserver/raster"
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
	stripHeight   int // as stored, if not tiled; blockHeight may be a part of it
	samples       int
	bits          int
	format        uint64
	dataType      raster.DataType
	planar        bool // bands apart
	compression   compression
	codec         decode.Compression
	photometric   photometric
	predictor     uint64
	orientation   uint64
	extraSamples  []uint64
	palette       []raster.RGBA
	subsampling   [2]uint64
	noData        float64
	hasNoData     bool
	metadata      string
	layout        decode.Layout
	index         *indexLoader
	location      location

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

// newPage fails on what contradicts itself. What merely has no decoder becomes a
// page that says so.
func newPage(d *directory, number int, s *structure, limits Limits) (*page, error) {
	r := reading{d, limits}
	p := &page{number: number, parent: d.parent, subfile: r.subfile()}
	p.orientation = r.uint(tagOrientation, 1)
	p.metadata = d.entries[tagGDALMetadata].text()
	p.location = newLocation(d)
	p.noData, p.hasNoData = parseNoData(d.entries[tagGDALNoData].text())
	for _, step := range []func(reading) error{p.readGrid, p.readSamples, p.readColors, p.readIndex} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	p.layout = p.newLayout(r, s)
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

func (p *page) readSamples(r reading) (err error) {
	if p.samples, err = r.bounded(tagSamplesPerPixel, "SamplesPerPixel", 1, r.limits.Samples); err != nil {
		return err
	}
	const apart = 2
	p.planar = p.samples > 1 && r.uint(tagPlanarConfig, 1) == apart
	p.compression = compression(r.uint(tagCompression, 1))
	p.predictor = r.uint(tagPredictor, 1)
	const maxBits = 128 // of two doubles, a complex number
	if p.bits, err = r.bounded(tagBitsPerSample, "BitsPerSample", 1, maxBits); err != nil {
		return err
	}
	p.format = r.uint(tagSampleFormat, formatUnsigned)
	p.dataType = dataTypeOf(p.format, p.bits)
	p.chop()
	p.unsupported = r.uniform(p)
	return nil
}

// chop cuts the only strip of an image that is not compressed into blocks: any
// rows of it can be read without the others.
func (p *page) chop() {
	const blockBytes = 256 << 10
	if p.tiled || p.compression != compressionNone || p.stripHeight < p.height {
		return
	}
	rowBits := int64(p.width) * int64(p.samplesPerBlock()) * int64(p.bits)
	p.blockHeight = int(min(max(blockBytes*8/rowBits, 1), int64(p.height)))
}

// chopped tells whether blocks are parts of a strip.
func (p *page) chopped() bool { return !p.tiled && p.blockHeight < p.stripHeight }

// uniform tells whether all samples of a pixel are alike.
func (r reading) uniform(p *page) error {
	for _, t := range []tag{tagBitsPerSample, tagSampleFormat} {
		values := r.entries[t].uints()
		for i, v := range values[:min(len(values), p.samples)] {
			if v != values[0] {
				return fmt.Errorf("%v is %d for sample 1 and %d for sample %d: %w", t, values[0], v, i+1, decode.ErrUnsupported)
			}
		}
	}
	return nil
}

// samplesPerBlock is how many samples of a pixel lie in one block.
func (p *page) samplesPerBlock() int {
	if p.planar {
		return 1
	}
	return p.samples
}

// dataTypeOf is the smallest type that holds such samples, or Unknown.
func dataTypeOf(format uint64, bits int) raster.DataType {
	switch format {
	case formatUnsigned, formatUndefined:
		switch {
		case bits <= 8:
			return raster.Uint8
		case bits <= 16:
			return raster.Uint16
		case bits <= 32:
			return raster.Uint32
		case bits == 64:
			return raster.Uint64
		}
	case formatSigned:
		return map[int]raster.DataType{8: raster.Int8, 16: raster.Int16, 32: raster.Int32, 64: raster.Int64}[bits]
	case formatFloat:
		return map[int]raster.DataType{
			16: raster.Float32, 24: raster.Float32, 32: raster.Float32, 64: raster.Float64,
		}[bits]
	}
	return raster.Unknown
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
	return raster.Level{
		Width: p.width, Height: p.height, BlockWidth: p.blockWidth, BlockHeight: p.blockHeight,
		ScaleX: float64(full.width) / float64(p.width), ScaleY: float64(full.height) / float64(p.height),
	}
}

// storedRows is how many rows the block in a row of the grid holds: the last
// strip has no more than are left, a tile is always whole.
func (p *page) storedRows(row int) int {
	if p.tiled {
		return p.blockHeight
	}
	return min(p.blockHeight, p.height-row*p.blockHeight)
}
