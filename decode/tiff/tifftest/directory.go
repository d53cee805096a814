package tifftest

import (
	"encoding/binary"
	"fmt"
)

// directory is an encoded image that can be placed in a file. It lacks only the tags with offsets
// of blocks and children.
type directory struct {
	tags     []Tag
	blocks   [][]byte // nil for blocks that are not stored
	tiled    bool
	replaced []Tag // the image's own tags
	chained  bool
	bare     bool           // it has only tags, without an image
	children []int          // indexes in the layout's list
	linked   map[uint16]int // indexes of the directories that tags point to

	at       uint64 // of the directory in the file
	blocksAt []uint64
}

// newDirectory compresses an image and lists its tags.
func newDirectory(img Image, order binary.ByteOrder) (*directory, error) {
	img = img.withDefaults()
	if err := img.check(); err != nil {
		return nil, err
	}
	d := &directory{tiled: img.Tiled, replaced: img.Tags, tags: img.plainTags()}
	return d, d.addBlocks(img, order)
}

// plainTags returns the tags that do not depend on the pixels.
func (img Image) plainTags() []Tag {
	const uncompressed, chunky, separate = 1, 1, 2
	compression := img.Compression
	if compression == None {
		compression = uncompressed
	}
	planar := uint16(chunky)
	if img.Planar {
		planar = separate
	}
	tags := []Tag{
		{ID: tagImageWidth, Value: []uint32{uint32(img.Width)}},
		{ID: tagImageLength, Value: []uint32{uint32(img.Height)}},
		{ID: tagBitsPerSample, Value: img.perSample(func(f Field) int { return f.Bits })},
		{ID: tagCompression, Value: []uint16{uint16(compression)}},
		{ID: tagPhotometric, Value: []uint16{uint16(img.Photometric - 1)}},
		{ID: tagSamplesPerPixel, Value: []uint16{uint16(img.Samples)}},
		{ID: tagPlanarConfig, Value: []uint16{planar}},
		{ID: tagSampleFormat, Value: img.perSample(func(f Field) int { return f.Format.number() })},
	}
	if img.Tiled {
		tags = append(tags,
			Tag{ID: tagTileWidth, Value: []uint32{uint32(img.BlockWidth)}},
			Tag{ID: tagTileLength, Value: []uint32{uint32(img.BlockHeight)}})
	} else {
		tags = append(tags, Tag{ID: tagRowsPerStrip, Value: []uint32{uint32(img.BlockHeight)}})
	}
	return append(tags, img.optionalTags()...)
}

func (img Image) optionalTags() []Tag {
	var tags []Tag
	if img.Subfile != 0 {
		tags = append(tags, Tag{ID: tagNewSubfileType, Value: []uint32{uint32(img.Subfile)}})
	}
	if img.LowBitFirst {
		const lowBitFirst = 2
		tags = append(tags, Tag{ID: tagFillOrder, Value: []uint16{lowBitFirst}})
	}
	if img.Predictor != 1 {
		tags = append(tags, Tag{ID: tagPredictor, Value: []uint16{uint16(img.Predictor)}})
	}
	if len(img.ExtraSamples) > 0 {
		extra := make([]uint16, len(img.ExtraSamples))
		for i, meaning := range img.ExtraSamples {
			extra[i] = uint16(meaning)
		}
		tags = append(tags, Tag{ID: tagExtraSamples, Value: extra})
	}
	if len(img.Palette) > 0 {
		tags = append(tags, Tag{ID: tagColorMap, Value: img.colorMap()})
	}
	if img.NoData != "" {
		tags = append(tags, Tag{ID: tagGDALNoData, Value: img.NoData})
	}
	if img.Photometric == YCbCr {
		subsampling := []uint16{uint16(img.Subsampling[0]), uint16(img.Subsampling[1])}
		if img.JPEG.Subsampled {
			subsampling = []uint16{2, 2}
		}
		tags = append(tags, Tag{ID: tagYCbCrSubsampling, Value: subsampling})
	}
	return tags
}

// colorMap returns all reds, all greens, all blues, for every possible sample.
func (img Image) colorMap() []uint16 {
	size := 1 << img.Bits
	colors := make([]uint16, 3*size)
	for i, color := range img.Palette[:min(len(img.Palette), size)] {
		for band, value := range color {
			colors[band*size+i] = value
		}
	}
	return colors
}

// perSample returns a value for each sample of a pixel.
func (img Image) perSample(value func(Field) int) []uint16 {
	values := make([]uint16, img.Samples)
	for band := range values {
		values[band] = uint16(value(img.field(band)))
	}
	return values
}

// addBlocks compresses the blocks, row by row, and plane by plane if the image is planar.
func (d *directory) addBlocks(img Image, order binary.ByteOrder) error {
	compress, err := newCompressor(img, order)
	if err != nil {
		return err
	}
	planes := 1
	if img.Planar {
		planes = img.Samples
	}
	for plane := range planes {
		for row := range ceilDivide(img.Height, img.BlockHeight) {
			for column := range ceilDivide(img.Width, img.BlockWidth) {
				if img.Sparse != nil && img.Sparse(column, row) {
					d.blocks = append(d.blocks, nil)
					continue
				}
				block, err := compress.block(column, row, plane)
				if err != nil {
					return fmt.Errorf("block %d, %d of plane %d: %w", column, row, plane, err)
				}
				d.blocks = append(d.blocks, block)
			}
		}
	}
	if compress.jpegTables != nil {
		d.tags = append(d.tags, Tag{ID: tagJPEGTables, Value: compress.jpegTables})
	}
	return nil
}

func ceilDivide(a, b int) int { return (a + b - 1) / b }
