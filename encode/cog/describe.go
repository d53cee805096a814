package cog

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"tileserver/encode/blocks"
	"tileserver/encode/tag"
	"tileserver/raster"
)

// describe returns the directory of the image of a level. Tags are added in ascending order.
func (img *Image) describe(level int, jpegTables []byte, coding blocks.Coding) *directory {
	d := img.begin(level, 0)
	info := &img.Info
	photometric := img.photometric(coding.Compression)
	d.shorts(tag.BitsPerSample, slices.Repeat([]uint16{uint16(8 * info.Type.Size())}, len(info.Bands))...)
	d.shorts(tag.Compression, compressionNumbers[coding.Compression])
	d.shorts(tag.Photometric, photometric)
	d.shorts(tag.SamplesPerPixel, uint16(len(info.Bands)))
	d.shorts(tag.PlanarConfig, tag.PlanarChunky)
	if coding.Predictor > blocks.NoPredictor {
		d.shorts(tag.Predictor, uint16(coding.Predictor))
	}
	if photometric == tag.PhotometricPalette {
		d.shorts(tag.ColorMap, colorMap(info)...)
	}
	img.blocks(d, level)
	if photometric == tag.PhotometricCMYK {
		d.shorts(tag.InkSet, tag.InkSetCMYK)
	}
	if extra := img.extraSamples(photometric); len(extra) > 0 {
		d.shorts(tag.ExtraSamples, extra...)
	}
	d.shorts(tag.SampleFormat, slices.Repeat([]uint16{sampleFormat(info.Type)}, len(info.Bands))...)
	d.jpeg(jpegTables, photometric)
	if level == 0 {
		img.place(d)
	}
	img.describeForGDAL(d, level, photometric, coding)
	return d
}

// jpeg adds what streams of JPEG lack. Chroma has a sample for four pixels, and the full range.
func (d *directory) jpeg(tables []byte, photometric uint16) {
	if tables != nil {
		d.add(tag.JPEGTables, tag.Undefined, len(tables), tables)
	}
	if photometric == tag.PhotometricYCbCr {
		d.shorts(tag.YCbCrSubsampling, 2, 2)
		d.rationals(tag.ReferenceBlackWhite, 0, 255, 128, 255, 128, 255)
	}
}

// describeForGDAL adds tags of GDAL. Overviews have what changes how their samples are read.
func (img *Image) describeForGDAL(d *directory, level int, photometric uint16, coding blocks.Coding) {
	if text := img.metadata(photometric); level == 0 && text != "" {
		d.text(tag.GDALMetadata, text)
	}
	if value, ok := img.noData(); ok {
		d.text(tag.GDALNoData, formatNumber(img.Info.Type, value))
	}
	if coding.Compression == blocks.LERC {
		d.longs(tag.LERCParameters, tag.LERCVersion, lercWithin(coding.Around))
	}
	if level == 0 && img.RPC != nil {
		d.doubles(tag.RPC, img.RPC...)
	}
}

// describeMask returns the directory of the mask of a level.
func (img *Image) describeMask(level int) *directory {
	d := img.begin(level, tag.Mask)
	d.shorts(tag.BitsPerSample, 1)
	d.shorts(tag.Compression, tag.CompressionDeflate)
	d.shorts(tag.Photometric, tag.PhotometricMask)
	d.shorts(tag.SamplesPerPixel, 1)
	d.shorts(tag.PlanarConfig, tag.PlanarChunky)
	img.blocks(d, level)
	d.shorts(tag.SampleFormat, tag.SampleUnsigned)
	return d
}

// begin returns a directory with the kind and the size of a level.
func (img *Image) begin(level, subfile int) *directory {
	l := &img.Info.Levels[level]
	d := &directory{blocks: l.Columns() * l.Rows()}
	if level > 0 {
		subfile |= tag.Reduced
	}
	if subfile != 0 {
		d.longs(tag.NewSubfileType, subfile)
	}
	d.number(tag.ImageWidth, l.Width)
	d.number(tag.ImageLength, l.Height)
	return d
}

func (img *Image) blocks(d *directory, level int) {
	l := &img.Info.Levels[level]
	d.number(tag.TileWidth, l.BlockWidth)
	d.number(tag.TileLength, l.BlockHeight)
	d.blockArrays()
}

// compressionNumbers are the values of the tag Compression.
var compressionNumbers = map[blocks.Compression]uint16{
	blocks.None:    tag.CompressionNone,
	blocks.LZW:     tag.CompressionLZW,
	blocks.Deflate: tag.CompressionDeflate,
	blocks.ZSTD:    tag.CompressionZSTD,
	blocks.LERC:    tag.CompressionLERC,
	blocks.JPEG:    tag.CompressionJPEG,
	blocks.WebP:    tag.CompressionWebP,
}

// lercWithin returns the number of the second compression of LERC.
func lercWithin(c blocks.Compression) int {
	switch c {
	case blocks.Deflate:
		return tag.LERCWithinDeflate
	case blocks.ZSTD:
		return tag.LERCWithinZSTD
	}
	return tag.LERCAlone
}

func sampleFormat(t raster.DataType) uint16 {
	switch t {
	case raster.Int8, raster.Int16, raster.Int32, raster.Int64:
		return tag.SampleSigned
	case raster.Float32, raster.Float64:
		return tag.SampleFloat
	case raster.ComplexInt16, raster.ComplexInt32:
		return tag.SampleComplexInteger
	case raster.Complex64, raster.Complex128:
		return tag.SampleComplexFloat
	}
	return tag.SampleUnsigned
}

// formatNumber returns a nodata value as text that is read as the same sample.
func formatNumber(t raster.DataType, value float64) string {
	switch {
	case math.IsNaN(value):
		return "nan"
	case math.IsInf(value, 0):
		return fmt.Sprint(value)[:1] + "inf"
	case t == raster.Float32:
		return strconv.FormatFloat(float64(float32(value)), 'g', -1, 64)
	case value == math.Trunc(value) && math.Abs(value) < 1e19:
		return strconv.FormatFloat(value, 'f', 0, 64)
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}
